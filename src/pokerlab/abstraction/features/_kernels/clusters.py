"""Kernels of ochs.py: the sweep of showdown.py, with the opponent's holdings counted by cluster.

Counts of several clusters are packed into one 64-bit word, a lane of bits each, and are added and subtracted at once.
Lanes may borrow from each other: a word is a sum of lanes modulo 2**64, so a difference is right as long as each lane
of the result is non-negative and fits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.features._kernels.showdown import DIGIT_BITS, HOLDING_BITS, HOLDING_MASK, sort_by_strength
from pokerlab.compiled import kernel


class Lanes(NamedTuple):
    """The lane in which the cluster of each holding is counted."""

    bits: int  # width of a lane, a divisor of 64; a lane holds twice the number of the opponent's holdings
    words: object  # [holding] int64: the word of its cluster
    ones: object  # [holding] uint64: a one in the lane of its cluster


class ClusterBuffers(NamedTuple):
    """Scratch arrays of one sweep."""

    items: object  # [holding] int64
    spare: object  # [holding] int64
    scores: object  # [item, word] uint64: twice the weaker disjoint holdings, plus the ties
    counted: object  # [word] uint64: the holdings passed so far
    below: object  # [part, word] uint64: those of them that contain a part
    opposing: object  # [word] uint64
    places: object  # [2, 1 << DIGIT_BITS] int64


@kernel(allocates=False, forceinline=True)
def add_disjoint(buffers, parts, signs, h, target):
    """Add to target [word] how many of the holdings passed so far share no card with holding h, by cluster."""
    counted, below = buffers.counted, buffers.below
    for word in range(target.shape[0]):
        total = counted[word]
        for k in range(parts.shape[1]):
            opposing = below[parts[h, k], word]
            total = total + opposing if signs[k] > 0 else total - opposing
        target[word] += total


@kernel(allocates=False, forceinline=True)
def add_own(lanes, h, own_sign, target):
    """Correct the count of `add_disjoint` for holding h itself, once it has been passed."""
    if own_sign > 0:
        target[lanes.words[h]] += lanes.ones[h]
    else:
        target[lanes.words[h]] -= lanes.ones[h]


@kernel(allocates=False)
def score_clusters(strengths, holdings, lanes, buffers):
    """Fill buffers.items and buffers.scores for the possible holdings of a board; returns how many there are."""
    items, parts, signs = buffers.items, holdings.parts, holdings.signs
    count = sort_by_strength(strengths, items, buffers.spare, buffers.places)
    buffers.counted[:] = 0
    buffers.below[:] = 0
    buffers.scores[:] = 0
    start = 0
    while start < count:
        level = items[start] >> HOLDING_BITS
        end = start
        while end < count and items[end] >> HOLDING_BITS == level:
            add_disjoint(buffers, parts, signs, np.uint64(items[end] & HOLDING_MASK), buffers.scores[end])
            end += 1
        for i in range(start, end):
            h = np.uint64(items[i] & HOLDING_MASK)
            buffers.counted[lanes.words[h]] += lanes.ones[h]
            for k in range(parts.shape[1]):
                buffers.below[parts[h, k], lanes.words[h]] += lanes.ones[h]
        for i in range(start, end):
            h = np.uint64(items[i] & HOLDING_MASK)
            add_disjoint(buffers, parts, signs, h, buffers.scores[i])
            add_own(lanes, h, holdings.own_sign, buffers.scores[i])
        start = end
    return count


@kernel(allocates=False, forceinline=True)
def add_lanes(words, bits, weight, target, first):
    """Add the lanes of words [word] uint64, times a weight, to target [number] int64, from a first index on."""
    mask = (np.int64(1) << bits) - 1
    count = np.uint64(first + target.shape[0] // 2)
    place = np.uint64(first)
    for word in words:
        rest = np.int64(word)
        for _ in range(64 // bits):
            if place < count:
                target[place] += weight * (rest & mask)
            rest >>= bits
            place += np.uint64(1)


@kernel(allocates=False)
def add_final(items, count, holdings, lanes, buffers, orbits, weight, owned):
    """Add the scores and opponent counts of one complete board to owned [holding, 2 * cluster] int64."""
    cluster_count = owned.shape[1] // 2
    for i in range(count):
        h = np.uint64(items[i] & HOLDING_MASK)
        target = owned[orbits[h]]
        add_lanes(buffers.scores[i], lanes.bits, weight, target, 0)
        buffers.opposing[:] = 0
        add_disjoint(buffers, holdings.parts, holdings.signs, h, buffers.opposing)
        add_own(lanes, h, holdings.own_sign, buffers.opposing)
        add_lanes(buffers.opposing, lanes.bits, weight, target, cluster_count)


@kernel
def add_clusters(final, holdings, lanes, sums):
    """Add the score against each cluster, then the opponents in each, to sums [board, holding, 2 * cluster]."""
    number = holdings.cards.shape[0]
    words = (sums.shape[2] // 2 * lanes.bits + 63) // 64
    buffers = ClusterBuffers(
        np.zeros(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros((number, words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros((holdings.part_count, words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros((2, 1 << DIGIT_BITS), np.int64),
    )
    for f in range(final.owners.shape[0]):
        count = score_clusters(final.strengths[f], holdings, lanes, buffers)
        owned = sums[final.owners[f]]
        add_final(buffers.items, count, holdings, lanes, buffers, final.orbits, final.weights[f], owned)
