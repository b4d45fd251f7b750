"""Kernels of hand strength.

A set of cards is summed into one 64-bit key, one addition per card:
  bits 0-16   base-5 count of each of the upper seven ranks (8..A)
  bits 17-30  base-5 count of each of the lower six ranks (2..7)
  bits 31-46  count of cards of each suit, four bits each, offset so that the top bit says "flush"
Two small tables turn the two counts into an index into the table of classes: base[upper] + low[lower] numbers all rank
multisets of one size without gaps. Flushes, a few percent of hands, are looked up by the set of ranks in the suit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

UPPER_MASK = np.uint64(0x1FFFF)
LOWER_MASK = np.uint64(0x3FFF)
LOWER_SHIFT = np.uint64(17)
SUIT_SHIFT = np.uint64(31)
RANK_BITS = np.uint64(0x1FFF)
BLOCK = 512
FLUSH_BITS = np.uint64(0x8888) << SUIT_SHIFT


class StrengthTables(NamedTuple):
    """An order of hands for sets of one size."""

    keys: object  # [52] uint64: what each card adds to the key
    start: int  # uint64: the key of the empty set, suit offsets included
    base: object  # [2**17] int32, of this size
    low: object  # [2**14] uint16
    classes: object  # [multisets] uint16
    flushes: object  # [8192] uint16 by set of ranks


@kernel(allocates=False, forceinline=True)
def plain_class(key, tables):
    """Class of a key, flushes aside."""
    return tables.classes[tables.base[key & UPPER_MASK] + tables.low[(key >> LOWER_SHIFT) & LOWER_MASK]]


@kernel(allocates=False)
def flush_class(row, flushes):
    """Best flush class among the cards of a row, 65535 if no suit has enough cards."""
    ranks = np.uint64(0)  # sixteen bits per suit
    for card in row:
        ranks |= np.uint64(1) << np.uint64((card & 3) << 4 | card >> 2)
    best = np.uint16(65535)
    for suit in range(4):
        best = min(best, flushes[(ranks >> np.uint64(16 * suit)) & RANK_BITS])
    return best


@kernel(allocates=False)
def sum_keys(cards, keys, start, out):
    """The key of each row of cards into out; unrolled for the usual sizes, so that it vectorizes over rows."""
    size = cards.shape[1]
    for i in range(cards.shape[0]):
        out[i] = start + keys[cards[i, 0]] + keys[cards[i, 1]] + keys[cards[i, 2]]
    if size == 7:
        for i in range(cards.shape[0]):
            out[i] += keys[cards[i, 3]] + keys[cards[i, 4]] + keys[cards[i, 5]] + keys[cards[i, 6]]
    else:
        for j in range(3, size):
            for i in range(cards.shape[0]):
                out[i] += keys[cards[i, j]]


@kernel
def first_repeat(cards):
    """The first row of cards [n, size] with a duplicate card, or -1."""
    for i in range(cards.shape[0]):
        seen, repeated = np.uint64(0), np.uint64(0)
        for j in range(cards.shape[1]):
            bit = np.uint64(1) << np.uint64(cards[i, j])
            repeated |= seen & bit
            seen |= bit
        if repeated:
            return i
    return -1


@kernel(allocates=False)
def strength_block(rows, tables, keys, best):
    """Class of each row of cards [at most BLOCK, size]; keys [BLOCK] uint64 is scratch."""
    sum_keys(rows, tables.keys, tables.start, keys)
    for i in range(rows.shape[0]):
        best[i] = plain_class(keys[i], tables)
    for i in range(rows.shape[0]):
        if keys[i] & FLUSH_BITS:
            best[i] = min(best[i], flush_class(rows[i], tables.flushes))


@kernel
def strength_rows(cards, tables, out):
    """Class of each row of cards [n, size] uint8, three or more per row, into out [n] uint16; smaller is stronger.

    Block by block, flushes last: no branch in the long loops.
    """
    keys = np.empty(BLOCK, np.uint64)
    for first in range(0, cards.shape[0], BLOCK):
        strength_block(cards[first : first + BLOCK], tables, keys, out[first : first + BLOCK])
