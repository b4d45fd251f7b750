"""Kernels that count five-card hands by class: first by ranks alone, then corrected for flushes.

The number of sets of free cards with a multiset of ranks is a product of binomials, one per rank. For five distinct
ranks, each suit has one set that is a flush, unless one of its cards is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

RANKS, SUITS, HAND = 13, 4, 5


class RankTables(NamedTuple):
    """Hands as ranks. `p` is the class of a hand that is not a flush, `r` of one that is."""

    class_count: int
    ranks: object  # [hand, 5] int64: the distinct ranks of every possible multiset of five ranks, strongest first ...
    counts: object  # [hand, 5] int64: ... and the multiplicity of each, 0 for padding
    classes: object  # [hand] int64: p of each
    runs: object  # [run + 1] int64: the first hand of each run, whose hands differ in one rank, each in the next lower
    varying: object  # [run] int64: the place of that rank, the last of those that compare
    sets: object  # [set] int64: every set of five ranks as 13 bits, by true class of the flush, strongest first
    flushes: object  # [set] int64: r of each as a flush
    plains: object  # [set] int64: p of each
    plain_of: object  # [8192] int64: p of a set of five ranks
    flush_of: object  # [8192] int64: r of a set of five ranks as a flush
    choose: object  # [5, 6] int64: binomials


@kernel(allocates=False)
def free_suits(ranks, suit_ranks):
    """How many suits may hold these ranks (13 bits); suit_ranks [4] int64 are the ranks that we hold in each."""
    count = 0
    for suit in range(SUITS):
        count += suit_ranks[suit] & ranks == 0
    return count


@kernel(allocates=False)
def count_plain(cards, tables, counts):
    """Fill counts [7463] int64 with the number of hands of each class without the cards [n] uint8, suits aside."""
    counts[:] = 0
    held = np.uint64(0)  # three bits per rank
    for card in cards:
        held += np.uint64(1) << np.uint64(3 * (card >> 2))
    ranks, numbers, choose = tables.ranks, tables.counts, tables.choose
    for hand in range(ranks.shape[0]):
        ways = 1
        for place in range(HAND):
            taken = np.int64(held >> np.uint64(3 * ranks[hand, place])) & 7
            ways *= choose[SUITS - taken, numbers[hand, place]]
        counts[tables.classes[hand]] += ways


@kernel(allocates=False)
def suit_ranks(cards, suits):
    """Fill suits [4] int64 with the ranks of cards [n] uint8 in each suit, 13 bits."""
    suits[:] = 0
    for card in cards:
        suits[card & 3] |= 1 << (card >> 2)


@kernel
def count_opposing(cards, tables, counts):
    """Fill counts [7463] int64 with the number of hands of each class without the cards [n] uint8."""
    count_plain(cards, tables, counts)
    suits = np.zeros(SUITS, np.int64)
    suit_ranks(cards, suits)
    for number in range(tables.sets.shape[0]):
        free = free_suits(tables.sets[number], suits)
        counts[tables.plains[number]] -= free
        counts[tables.flushes[number]] += free


@kernel
def count_by_rows(hands, classes, tables, ahead, tied):
    """How many opposing hands are weaker than each row of hands [n, 5] uint8, of classes [n], and how many equal.

    Into ahead [n] and tied [n] int32. Rows with equal ranks, in the same order, should be adjacent: suits aside they
    face the same hands.
    """
    weaker = np.zeros(tables.class_count + 1, np.int64)
    equal = np.zeros(tables.class_count + 1, np.int64)
    suits = np.zeros(SUITS, np.int64)
    for row in range(hands.shape[0]):
        same = row > 0
        for place in range(HAND):
            same = same and hands[row, place] >> 2 == hands[row - 1, place] >> 2
        if not same:
            count_plain(hands[row], tables, equal)
            for number in range(equal.shape[0] - 2, -1, -1):
                weaker[number] = weaker[number + 1] + equal[number + 1]
        own = classes[row]
        won, shared = weaker[own], equal[own]
        suit_ranks(hands[row], suits)
        for number in range(tables.sets.shape[0]):
            free = free_suits(tables.sets[number], suits)
            flush, plain = tables.flushes[number], tables.plains[number]
            won += free * ((flush > own) - (plain > own))
            shared += free * ((flush == own) - (plain == own))
        ahead[row] = won
        tied[row] = shared


@kernel
def weighted_strength(cards, best, weights, tables, counts):
    """The share of opposing hands that are behind the hand of class `best`, ties one half, weighted by class.

    weights [7463] float64; counts [7463] int64 is scratch. One half if the total weight is 0.
    """
    count_opposing(cards, tables, counts)
    won = total = 0.0
    for number in range(1, counts.shape[0]):
        weight = counts[number] * weights[number]
        total += weight
        won += weight if number > best else (weight / 2 if number == best else 0.0)
    return won / total if total > 0 else 0.5
