"""Kernels of the suit-canonical index.

Each suit of a hand is packed into one number, its key: the high bits hold how many of its cards were dealt in each
round (the shape, in mixed radix), the low bits which ranks they are among all rank sets of that shape. One table lookup
per card adds to both. A hand up to suit isomorphism is then the sorted list of its keys: the shapes, read along a trie,
give the block of indices, and the rank parts give the offset in the block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

SHAPE_SHIFT = 40
PLACE_MASK = (1 << SHAPE_SHIFT) - 1
NO_BAD_ROW = -1


class IndexTables(NamedTuple):
    """The index of one sequence of rounds. A shape is a suit's cards in each round, a block the shapes of all suits."""

    size: int  # number of indices
    ranks: int
    suits: int
    ends: object  # [round] int64: cards dealt by the end of each round
    swaps: object  # [swap, 2] uint32: compare-exchanges that sort the cards of each round
    rises: object  # [dealt] int64: what a card adds to the shape of its suit, times ranks
    step_starts: object  # [dealt] int64: where in steps the round of each card starts
    steps: object  # [sum over rounds of shapes * ranks] int64: what a card adds to the key of its suit
    trie: object  # [node, shape] int32: the next node; after all suits but one the node is a block
    offsets: object  # [block] int64: first index
    factors: object  # [block, suit] int64
    repeats: object  # [block, suit] int64: how many earlier suits have the same shape
    shapes: object  # [block, suit] int64
    histories: object  # [shape] int64: number of rank sets of a shape
    digits: object  # [shape, round] int64: cards of the suit in each round
    binomials: object  # [ranks + 1, ranks + 1] int64


@kernel(allocates=False)
def bit_count(bits):
    """The number of set bits of a non-negative integer; compiled to one instruction."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@kernel(allocates=False)
def multisets(place, repeat):
    """Binomial(place + repeat, repeat + 1): the number of multisets of repeat + 1 numbers below `place`."""
    count = place
    for step in range(1, repeat + 1):
        count = count * (place + step) // (step + 1)
    return count


@kernel(allocates=False)
def sort_ascending(numbers, start, end):
    """Sort a few numbers in place, without branches on their values."""
    for last in range(end - 1, start, -1):
        for i in range(start, last):
            left, right = numbers[i], numbers[i + 1]
            numbers[i] = min(left, right)
            numbers[i + 1] = max(left, right)


@kernel
def index_rows(cards, tables, out):
    """Index of each row of cards [n, at least dealt] uint8 into out [n] int64; returns the first bad row or NO_BAD_ROW.

    A bad row has a repeated or unknown card. The state of all suits is packed into single integers, a lane of bits per
    suit: writing memory at an address that depends on the cards, and reading it soon after, would halve the speed.
    Small indices are unsigned for the same reason.
    """
    ranks, suits = tables.ranks, tables.suits
    swaps, rises, step_starts, steps = tables.swaps, tables.rises, tables.step_starts, tables.steps
    trie, offsets, factors, repeats = tables.trie, tables.offsets, tables.factors, tables.repeats
    dealt = rises.shape[0]
    deck = np.uint32(ranks * suits)
    lane = 62 // suits
    lane_mask = (np.int64(1) << lane) - 1
    rank_of = np.zeros(256, np.uint32)
    suit_of = np.zeros(256, np.uint32)
    bit_of = np.zeros(256, np.int64)
    below = np.zeros(256, np.int64)  # bits of the lower ranks of the suit
    for card in range(ranks * suits):
        rank_of[card] = card // suits
        suit_of[card] = card % suits
        bit_of[card] = np.int64(1) << (card % suits * ranks + card // suits)
        below[card] = bit_of[card] - (np.int64(1) << (card % suits * ranks))
    row = np.zeros(dealt, np.uint32)
    keys = np.zeros(suits, np.int64)
    for i in range(cards.shape[0]):
        bad = False
        for j in range(dealt):
            row[j] = cards[i, j]
            bad |= cards[i, j] >= deck
        for j in range(swaps.shape[0]):
            left, right = row[swaps[j, 0]], row[swaps[j, 1]]
            row[swaps[j, 0]] = min(left, right)
            row[swaps[j, 1]] = max(left, right)
        for suit in range(suits):
            keys[suit] = 0
        used = np.int64(0)
        shapes = np.int64(0)
        for j in range(dealt):
            card = row[j]
            suit = suit_of[card]
            bad |= (used & bit_of[card]) != 0
            free = rank_of[card] - bit_count(used & below[card])
            used |= bit_of[card]
            shape = (shapes >> (lane * suit)) & lane_mask
            shapes += rises[j] << (lane * suit)
            keys[suit] += steps[np.uint32(step_starts[j] + shape + free)]
        if bad:
            return i
        sort_ascending(keys, 0, suits)
        node = np.uint32(0)
        for suit in range(suits - 1):
            node = np.uint32(trie[node, np.uint32(keys[suit] >> SHAPE_SHIFT)])
        index = offsets[node]
        for suit in range(suits):
            place = keys[suit] & PLACE_MASK
            repeat = repeats[node, suit]
            number = place if repeat == 0 else (place * (place + 1)) >> 1
            if repeat > 1:
                number = multisets(place, repeat)
            index += factors[node, suit] * number
        out[i] = index
    return NO_BAD_ROW


@kernel(allocates=False)
def keys_of(index, block, tables, keys):
    """Write the key of each suit [suit], ascending, of an index in a block; the inverse of the end of `index_rows`."""
    factors, repeats = tables.factors, tables.repeats
    rest = index - tables.offsets[block]
    value = rest
    suits = keys.shape[0]
    for suit in range(suits - 1, -1, -1):
        repeat = repeats[block, suit]
        if suit == suits - 1 or repeats[block, suit + 1] == 0:  # the last suit of its shape
            value = rest // factors[block, suit]
            rest -= value * factors[block, suit]
        shape = tables.shapes[block, suit]
        low, high = 0, tables.histories[shape] - 1  # the largest value with multisets(place, repeat) <= value
        if repeat == 0:
            low = high = value
        while low < high:
            middle = (low + high + 1) >> 1
            if multisets(middle, repeat) <= value:
                low = middle
            else:
                high = middle - 1
        value -= multisets(low, repeat)
        keys[suit] = (shape << SHAPE_SHIFT) | low


@kernel(allocates=False)
def block_of(index, offsets):
    """The last block that begins at or before an index; np.searchsorted takes much longer to compile."""
    low, high = 0, offsets.shape[0] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if offsets[middle] <= index:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def unindex_rows(indices, tables, out):
    """The canonical hand of each index [n] int64, in range, into out [n, cards] uint8.

    Within a round the highest card comes first, and the last suit is the longest.
    """
    ends, digits, binomials, ranks = tables.ends, tables.digits, tables.binomials, tables.ranks
    rounds = ends.shape[0]
    suits = tables.suits
    keys = np.zeros(suits, np.int64)
    filled = np.zeros(rounds, np.int64)
    row = np.zeros(ends[-1], np.int64)
    for i in range(indices.shape[0]):
        block = block_of(indices[i], tables.offsets)
        keys_of(indices[i], block, tables, keys)
        filled[0] = 0
        for round_index in range(1, rounds):
            filled[round_index] = ends[round_index - 1]
        for suit in range(suits):
            shape = keys[suit] >> SHAPE_SHIFT
            place = keys[suit] & PLACE_MASK
            used = np.int64(0)
            remaining = ranks
            for round_index in range(rounds):
                size = digits[shape, round_index]
                if size == 0:
                    continue
                count = binomials[remaining, size]
                subset = place % count
                place //= count
                chosen = np.int64(0)
                for member in range(size, 0, -1):
                    free = member - 1  # the largest with binomial(free, member) <= subset
                    while binomials[free + 1, member] <= subset:
                        free += 1
                    subset -= binomials[free, member]
                    rank = nth_free(used, free)
                    chosen |= np.int64(1) << rank
                    row[filled[round_index]] = -(rank * suits + suit)
                    filled[round_index] += 1
                used |= chosen
                remaining -= size
        start = 0
        for round_index in range(rounds):
            sort_ascending(row, start, ends[round_index])
            start = ends[round_index]
        for j in range(row.shape[0]):
            out[i, j] = -row[j]


@kernel(allocates=False)
def nth_free(used, place):
    """The rank of the free rank number `place`, skipping the `used` ranks."""
    rank = 0
    while True:
        if not (used >> rank) & 1:
            if place == 0:
                return rank
            place -= 1
        rank += 1


@kernel
def count_rows(indices, tables, out):
    """How many hands each index [n] represents: the number of assignments of its keys to suits."""
    suits = tables.suits
    keys = np.zeros(suits, np.int64)
    for i in range(indices.shape[0]):
        block = block_of(indices[i], tables.offsets)
        keys_of(indices[i], block, tables, keys)
        count = 1
        run = 0
        for suit in range(suits):
            run = run + 1 if suit > 0 and keys[suit] == keys[suit - 1] else 1
            count = count * (suit + 1) // run
        out[i] = count
