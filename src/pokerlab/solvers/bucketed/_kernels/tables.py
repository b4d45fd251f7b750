"""The arrays of the bucketed kernels, and what all of them share: random words, sampling, payoffs.

Random words are hashes of their purpose: a walk has a key, made of the seed, the iteration and the player, and each
decision uses the hash of that key and its number. So the order in which a kernel visits decisions does not matter, a
run can be interrupted anywhere, and kernels with different traversal orders give the same result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel

ACTOR, ROUND, FIRST, CHILDREN, SLOT, FIRST_POT, LAST_POT, WORD = range(8)  # columns of nodes
BITS = np.uint64(27)  # of a random word that samples: times the sum of 127 regrets below 2 ** 30, it fits in a word
TO_BITS, TO_LOW = np.uint64(37), np.uint64(5)  # offsets of the bits in the upper and the lower half of a word
HALF_BITS = np.uint64((1 << 27) - 1)
MOST_REGRET = np.int64(1 << 30)
FULL = np.uint32(1 << 31)  # a count at which averages are halved


class Tables(NamedTuple):
    """The betting, in units of the solver."""

    nodes: object  # [node, 8] int32: the columns above; the actor of an end is below 0
    put: object  # [node, player] int32: units put in
    share: object  # [pot, winners] int32: units for each winner, by the number of winners; [pot, 0] is 0
    seats: object  # [pot] int32: bits of the seats that can win it; after folds, the one that is left
    base: object  # [round] int64: where the numbers of a round begin
    rows: object  # [round] int64: numbers of a bucket


class Sums(NamedTuple):
    """The learned arrays: the numbers of all infosets, in the form's layout."""

    regret: object  # [number] int32
    average: object  # [number] uint32: how often an action was sampled


class Span(NamedTuple):
    """The iterations `first` to `last` (exclusive); each of `members` threads does its batches."""

    first: int
    last: int
    member: int
    members: int
    seed: np.uint64


@kernel(allocates=False, forceinline=True)
def offset_of(node, bucket, tables):
    """The offset of a decision's numbers.  bucket [round, player]"""
    nodes = tables.nodes
    round_index = nodes[node, ROUND]
    return (
        tables.base[round_index]
        + tables.rows[round_index] * bucket[round_index, nodes[node, ACTOR]]
        + nodes[node, SLOT]
    )


@kernel(allocates=False, forceinline=True)
def walk_key(seed, iteration, players, player):
    """The key of all random words of a walk."""
    return mixed(seed + STRIDE * np.uint64(iteration * players + player + 1))


@kernel(allocates=False, forceinline=True)
def deal_key(seed, batch):
    """The random state that deals a batch."""
    return mixed(mixed(~seed) + STRIDE * np.uint64(batch + 1))


@kernel(allocates=False, forceinline=True)
def word(key, decision):
    """The random bits of a decision, given by its number; two decisions share a word."""
    both = mixed(key + STRIDE * np.uint64((decision >> 1) + 1))
    return (both >> TO_LOW) & HALF_BITS if decision & 1 else both >> TO_BITS


@kernel(allocates=False, forceinline=True)
def sample(regret, offset, moves, bits):
    """Sample an action in proportion to positive regret, uniformly if there is none."""
    total = np.int64(0)
    for index in range(offset, offset + moves):
        total += max(np.int64(regret[index]), np.int64(0))
    if total == 0:
        return np.int64((bits * np.uint64(moves)) >> BITS)
    goal = np.int64((bits * np.uint64(total)) >> BITS)
    chosen, sofar = np.int64(0), np.int64(0)
    for index in range(offset, offset + moves - 1):
        sofar += max(np.int64(regret[index]), np.int64(0))
        chosen += np.int64(sofar <= goal)
    return chosen


@kernel(allocates=False, forceinline=True)
def added(regret, gained):
    """Add to a regret, clamped to +-MOST_REGRET."""
    return np.int32(min(max(np.int64(regret) + gained, -MOST_REGRET), MOST_REGRET))


@kernel(allocates=False, forceinline=True)
def payoff(node, player, strength, tables):
    """The payoff of a terminal node to a player.  strength [player], smaller is stronger"""
    won = -np.int64(tables.put[node, player])
    mine = strength[player]
    for pot in range(tables.nodes[node, FIRST_POT], tables.nodes[node, LAST_POT]):
        seats = tables.seats[pot]
        if (seats >> player) & 1:
            winners = 0
            for seat in range(tables.put.shape[1]):
                if (seats >> seat) & 1:
                    if strength[seat] < mine:
                        winners = 0
                        break
                    winners += np.int64(strength[seat] == mine)
            won += tables.share[pot, winners]
    return won


@kernel(allocates=False)
def discount(regret, average, keep):
    """Multiply all sums: positive regret, negative regret and averages by keep [3], rounded to the nearest."""
    for index in range(regret.shape[0]):
        old = regret[index]
        if old != 0:
            regret[index] = np.int32(np.rint(old * (keep[0] if old > 0 else keep[1])))
        if average[index] != 0:
            average[index] = np.uint32(np.rint(average[index] * keep[2]))


@kernel(allocates=False)
def halve_full_counts(nodes, base, rows, buckets, average):
    """Halve the averages of infosets in which one is FULL.  base, rows, buckets [round]"""
    for node in range(nodes.shape[0]):
        if nodes[node, ACTOR] < 0:
            continue
        round_index = nodes[node, ROUND]
        for bucket in range(buckets[round_index]):
            first = base[round_index] + rows[round_index] * bucket + nodes[node, SLOT]
            last = first + nodes[node, CHILDREN]
            full = False
            for index in range(first, last):
                full |= average[index] >= FULL
            if full:
                for index in range(first, last):
                    average[index] >>= np.uint32(1)
