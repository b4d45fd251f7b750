"""Kernels that compare all holdings on complete boards.

A holding is a set of private cards. The holdings of a board are sorted by strength and passed from the weakest to the
strongest; running counts give for each how many weaker ones share no card with it. These are counted by inclusion and
exclusion: all weaker holdings, less those with one of its cards, plus those with two of them, and so on. All counts are
integers, so no sum depends on its order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.strength import FLUSH_BITS, RANK_BITS, plain_class
from pokerlab.compiled import kernel

HOLDING_BITS = 32  # an item is the class reversed, then the holding
HOLDING_MASK = (1 << HOLDING_BITS) - 1
MOST_CLASSES = 65535
DIGIT_BITS = 8


class Holdings(NamedTuple):
    """All sets of private cards of a deck."""

    cards: object  # [holding, private] uint8, the lower card first
    bits: object  # [holding] int64: the set of cards
    parts: object  # [holding, part] uint16 or uint32: the proper non-empty subsets of each, by index
    signs: object  # [part] int64: 1 for a part with an even number of cards, -1 for an odd one
    own_sign: int  # int64: the sign of the holding itself
    part_count: int  # number of distinct parts


class HoldingKeys(NamedTuple):
    """What holdings add to the key of a board; see cards/_kernels/strength.py."""

    full: object  # [card] uint8: the card of the full deck
    keys: object  # [holding] uint64
    ranks: object  # [holding] uint64: ranks of each suit, sixteen bits per suit
    tables: object  # StrengthTables of private and public cards together


class Final(NamedTuple):
    """Complete boards, each of which completes a board of the round that is measured."""

    strengths: object  # [final, holding] uint16: the class, larger is weaker, 0 if the board blocks the holding
    owners: object  # [final] int64: the board of the round that it completes
    weights: object  # [final] int64: how many run-outs it represents
    orbits: object  # [holding] int64: the representative of each holding


class SweepBuffers(NamedTuple):
    """Scratch arrays of one sweep."""

    items: object  # [holding] int64
    spare: object  # [holding] int64
    weaker: object  # [item] int64: how many disjoint holdings are weaker
    reached: object  # [item] int64: how many are not stronger
    below: object  # [part] int64
    places: object  # [2, 1 << DIGIT_BITS] int64


@kernel
def sweep_buffers(holdings):
    """Scratch arrays for these holdings."""
    number = holdings.cards.shape[0]
    return SweepBuffers(
        np.zeros(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros(holdings.part_count, np.int64),
        np.zeros((2, 1 << DIGIT_BITS), np.int64),
    )


@kernel
def keyed_strengths(boards, holdings, keyed, out):
    """The class of every holding on each of boards [n, cards] uint8, into out [n, holding] uint16; 0 if blocked."""
    tables, full = keyed.tables, keyed.full
    bits, holding_keys, holding_ranks = holdings.bits, keyed.keys, keyed.ranks
    for i in range(boards.shape[0]):
        key, ranks, blocked = tables.start, np.uint64(0), np.int64(0)
        for j in range(boards.shape[1]):
            card = full[boards[i, j]]
            key += tables.keys[card]
            ranks |= np.uint64(1) << np.uint64((card & 3) << 4 | card >> 2)
            blocked |= np.int64(1) << np.int64(boards[i, j])
        for h in range(bits.shape[0]):
            if bits[h] & blocked:
                out[i, h] = 0
                continue
            whole = key + holding_keys[h]
            best = plain_class(whole, tables)
            if whole & FLUSH_BITS:
                seen = ranks | holding_ranks[h]
                for suit in range(4):
                    best = min(best, tables.flushes[(seen >> np.uint64(16 * suit)) & RANK_BITS])
            out[i, h] = best


@kernel(allocates=False)
def sort_by_strength(strengths, items, spare, places):
    """Fill items with the possible holdings, the weakest first; returns how many.

    strengths [holding] uint16; spare [holding] int64 and places [2, 1 << DIGIT_BITS] int64 are scratch
    """
    count = 0
    for h in range(strengths.shape[0]):
        items[count] = (np.int64(MOST_CLASSES - strengths[h]) << HOLDING_BITS) | h  # the next overwrites a blocked one
        count += strengths[h] > 0
    places[:] = 0
    digit_mask = (1 << DIGIT_BITS) - 1
    for i in range(count):
        places[0, (items[i] >> HOLDING_BITS) & digit_mask] += 1
        places[1, (items[i] >> (HOLDING_BITS + DIGIT_BITS)) & digit_mask] += 1
    for digit in range(2):  # least significant digit first
        place = 0
        for value in range(1 << DIGIT_BITS):
            size = places[digit, value]
            places[digit, value] = place
            place += size
        source, target = (items, spare) if digit == 0 else (spare, items)
        for i in range(count):
            value = (source[i] >> (HOLDING_BITS + digit * DIGIT_BITS)) & digit_mask
            target[places[digit, value]] = source[i]
            places[digit, value] += 1
    return count


@kernel(allocates=False, forceinline=True)
def disjoint(counted, below, parts, signs, h):
    """How many of the counted holdings share no card with holding h.

    below [part] int64: how many of them hold each part; parts [holding, part] uint16, signs [part] int64
    """
    if parts.shape[1] == 2:  # two private cards, as in hold'em: twice as fast as the loop
        return counted - below[parts[h, 0]] - below[parts[h, 1]]
    for k in range(parts.shape[1]):
        counted += signs[k] * below[parts[h, k]]
    return counted


@kernel(allocates=False)
def sweep(strengths, holdings, buffers):
    """Fill buffers.items, buffers.weaker and buffers.reached for the possible holdings of a board; returns how many."""
    items, below, parts, signs = buffers.items, buffers.below, holdings.parts, holdings.signs
    count = sort_by_strength(strengths, items, buffers.spare, buffers.places)
    below[:] = 0
    start = 0
    while start < count:
        level = items[start] >> HOLDING_BITS
        end = start
        while end < count and items[end] >> HOLDING_BITS == level:
            buffers.weaker[end] = disjoint(start, below, parts, signs, np.uint64(items[end] & HOLDING_MASK))
            end += 1
        for i in range(start, end):
            h = np.uint64(items[i] & HOLDING_MASK)
            for k in range(parts.shape[1]):
                below[parts[h, k]] += 1
        for i in range(start, end):
            h = np.uint64(items[i] & HOLDING_MASK)
            buffers.reached[i] = disjoint(end, below, parts, signs, h) + holdings.own_sign
        start = end
    return count
