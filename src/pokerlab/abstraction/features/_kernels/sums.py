"""Kernels that add up what each holding of a board gets over its run-outs.

All write into sums [board, holding, number] int64, at the holding that stands for those that are the same up to names
of suits (see features/run_outs.py).
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.features._kernels.showdown import (
    HOLDING_BITS,
    HOLDING_MASK,
    empty_room,
    sort_by_strength,
    sweep,
)
from pokerlab.compiled import kernel


@kernel
def add_strengths(final, holdings, sums):
    """Add the score, twice the wins and the ties, and where there is room for it its square."""
    room = empty_room(holdings)
    with_square = sums.shape[2] > 1
    for f in range(final.owners.shape[0]):
        count = sweep(final.strengths[f], holdings, room)
        weight, owned = final.weights[f], sums[final.owners[f]]
        for i in range(count):
            h = room.items[i] & HOLDING_MASK
            score = room.weaker[h] + room.reached[h]
            owned[final.orbits[h], 0] += weight * score
            if with_square:
                owned[final.orbits[h], 1] += weight * score * score


@kernel
def add_histograms(final, holdings, most, sums):
    """Count the scores, of which `most` is the highest, into as many equal parts as sums has numbers."""
    room = empty_room(holdings)
    bins = sums.shape[2]
    bin_of = np.minimum(np.arange(most + 1) * bins // most, bins - 1)
    for f in range(final.owners.shape[0]):
        count = sweep(final.strengths[f], holdings, room)
        weight, owned = final.weights[f], sums[final.owners[f]]
        for i in range(count):
            h = room.items[i] & HOLDING_MASK
            owned[final.orbits[h], bin_of[room.weaker[h] + room.reached[h]]] += weight


@kernel
def add_rates(final, holdings, sums):
    """Add wins and ties."""
    room = empty_room(holdings)
    for f in range(final.owners.shape[0]):
        count = sweep(final.strengths[f], holdings, room)
        weight, owned = final.weights[f], sums[final.owners[f]]
        for i in range(count):
            h = room.items[i] & HOLDING_MASK
            owned[final.orbits[h], 0] += weight * room.weaker[h]
            owned[final.orbits[h], 1] += weight * (room.reached[h] - room.weaker[h])


@kernel
def add_clusters(final, holdings, clusters, sums):
    """Add the score against each cluster of opponent's holdings, and then how many of each are met.

    clusters [holding] int64; sums [board, holding, 2 * cluster]
    """
    room = empty_room(holdings)
    number, cluster_count = clusters.shape[0], sums.shape[2] // 2
    weaker = np.zeros((number, cluster_count), np.int32)
    below = np.zeros((holdings.part_count, cluster_count), np.int32)
    for f in range(final.owners.shape[0]):
        weight, owned = final.weights[f], sums[final.owners[f]]
        count = sort_by_strength(final.strengths[f], room.items, room.spare)
        below[:] = 0
        start = 0
        while start < count:
            start = pass_level(room.items, start, count, holdings, clusters, weaker, below)
            # `weaker` of this level now holds scores
        for i in range(count):
            h = room.items[i] & HOLDING_MASK
            target = owned[final.orbits[h]]
            for c in range(cluster_count):
                target[c] += weight * weaker[h, c]
            for k in range(holdings.parts.shape[1]):
                met, sign = below[holdings.parts[h, k]], holdings.signs[k] * weight
                for c in range(cluster_count):
                    target[cluster_count + c] += sign * met[c]
            target[cluster_count + clusters[h]] += weight * holdings.own_sign


@kernel(allocates=False)
def pass_level(items, start, count, holdings, clusters, scores, below):
    """Score the holdings of one strength by cluster, and count them among those below; returns where the next begin.

    scores [holding, cluster] int32; below [part, cluster] int32, added to
    """
    parts, signs = holdings.parts, holdings.signs
    cluster_count = scores.shape[1]
    end = start
    while end < count and items[end] >> HOLDING_BITS == items[start] >> HOLDING_BITS:
        end += 1
    for turn in range(2):  # before the level is counted, and after
        for i in range(start, end):
            h = items[i] & HOLDING_MASK
            if turn == 0:
                for c in range(cluster_count):
                    scores[h, c] = 0
            for k in range(parts.shape[1]):
                part, sign = below[parts[h, k]], np.int32(signs[k])
                for c in range(cluster_count):
                    scores[h, c] += sign * part[c]
            if turn == 1:
                scores[h, clusters[h]] += holdings.own_sign
        if turn == 0:
            for i in range(start, end):
                h = items[i] & HOLDING_MASK
                for k in range(parts.shape[1]):
                    below[parts[h, k], clusters[h]] += 1
    return end


@kernel
def gather(boards, holdings, orbits, sizes, sums, rows, values):
    """One row of cards and of sums for each kind of holding of each board; returns how many.

    boards [board, cards] uint8, orbits [holding] int64, sizes [holding] int64 how many each stands for, sums
    [board, holding, number]; rows [m, private + cards] uint8 and values [m, number] int64 are written, the sums divided
    by the size, which leaves no rest.
    """
    private = holdings.cards.shape[1]
    place = 0
    for i in range(boards.shape[0]):
        blocked = np.int64(0)
        for card in boards[i]:
            blocked |= np.int64(1) << np.int64(card)
        for h in range(orbits.shape[0]):
            if orbits[h] == h and not holdings.bits[h] & blocked:
                for j in range(private):
                    rows[place, j] = holdings.cards[h, j]
                for j in range(boards.shape[1]):
                    rows[place, private + j] = boards[i, j]
                for k in range(sums.shape[2]):
                    values[place, k] = sums[i, h, k] // sizes[h]
                place += 1
    return place


@kernel
def scatter(indices, values, out):
    """Write values [m, number] into the rows of out that indices [m] name."""
    for i in range(indices.shape[0]):
        for k in range(values.shape[1]):
            out[indices[i], k] = values[i, k]
