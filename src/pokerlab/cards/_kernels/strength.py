"""Kernels of hand strength.

A set of cards is summed into one 64-bit key, one addition a card:
  bits 0-16   base-5 count of each of the upper seven ranks (8..A)
  bits 17-30  base-5 count of each of the lower six ranks (2..7)
  bits 31-46  count of cards of each suit, four bits each, offset so that the top bit says "flush"
Two small tables turn the two counts into a place in the table of classes: base[upper] + low[lower] numbers all rank
multisets of one size without gaps. Flushes, a few hands in a hundred, are looked up by the set of ranks in the suit.
"""

import numpy as np

from pokerlab.compiled import kernel

UPPER_MASK = np.uint64(0x1FFFF)
LOWER_MASK = np.uint64(0x3FFF)
LOWER_SHIFT = np.uint64(17)
SUIT_SHIFT = np.uint64(31)
FLUSH_BITS = np.uint64(0x8888) << SUIT_SHIFT


@kernel
def plain_class(key, base, low, classes):
    """Class of a key, flushes aside."""
    return classes[base[key & UPPER_MASK] + low[(key >> LOWER_SHIFT) & LOWER_MASK]]


@kernel
def flush_class(row, flushes):
    """Best flush class among the cards of a row, 65535 where no suit has enough cards."""
    masks = np.zeros(4, np.uint16)
    for card in row:
        masks[card & 3] |= np.uint16(1) << np.uint16(card >> 2)
    best = np.uint16(65535)
    for suit in range(4):
        best = min(best, flushes[masks[suit]])
    return best


@kernel
def strength_rows(
    cards,  # [n, size] uint8, full-deck cards
    keys,  # [52] uint64
    start,  # uint64, suit offsets
    base,  # [5**7] int32, of this hand size
    low,  # [5**6] uint16
    classes,  # [multisets] uint16
    flushes,  # [8192] uint16 by rank set
    out,  # [n] uint16
):
    """Class of each row of cards; smaller is stronger."""
    size = cards.shape[1]
    if size == 7:
        for i in range(cards.shape[0]):
            key = start + keys[cards[i, 0]] + keys[cards[i, 1]] + keys[cards[i, 2]] + keys[cards[i, 3]]
            key += keys[cards[i, 4]] + keys[cards[i, 5]] + keys[cards[i, 6]]
            best = classes[base[key & UPPER_MASK] + low[(key >> LOWER_SHIFT) & LOWER_MASK]]
            if key & FLUSH_BITS:
                best = min(best, flush_class(cards[i], flushes))
            out[i] = best
        return
    for i in range(cards.shape[0]):
        key = start
        for j in range(size):
            key += keys[cards[i, j]]
        best = classes[base[key & UPPER_MASK] + low[(key >> LOWER_SHIFT) & LOWER_MASK]]
        if key & FLUSH_BITS:
            best = min(best, flush_class(cards[i], flushes))
        out[i] = best
