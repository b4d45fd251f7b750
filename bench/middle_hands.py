"""Kernels that count the orders of three hands over boards, with each hand of a class in turn in the middle.

On a board, given the middle hand, the other hands rank above it, level with it (ties) or below it. The products of
these counts by class give the orders of three hands. They include pairs of other hands that share a card; those are
counted card by card and subtracted. The hands with one card fall into 26 slots by class: 13 by the rank of the other
card if suited, 13 if offsuit, at most three hands per slot. So most of the work is comparing, multiplying and adding
rows of 32 small numbers.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

SLOTS = 32  # 26 and 6 unused
WIDTH = 176  # 169 classes and 7 unused
WORDS = 7  # of four slots each
PARTNER = (2, 2, 0, 1)  # the other factor of each product: below, below, above, beside
FULL = 220  # rows after which 16-bit sums of up to 144 per row are flushed


class Middle(NamedTuple):
    """Slots of hands, and the sums for one class in the middle."""

    spots: object  # [52, 52] int64: 32 * which of three + slot, of the hand of a card and another
    slot_class: object  # [13, 32] int64: the class of a rank's slot, -1 if unused
    class_slots: object  # [169, 4] int64: both ranks of a class and the slot of the class in each
    products: object  # [4, 169, 176] int16: above x below, beside x below, beside x above, beside x beside
    shared: object  # [4, 13, 26, 7] uint64: the same for hands that share a card of a rank, four slots per word
    sums: object  # [4, 169, 169] int64, added to


class Row(NamedTuple):
    """Counts around one middle hand: above it, then beside it, then below it."""

    line: object  # [52, 96] uint8: ranks of the hands of each card
    slots: object  # [3, 52, 32] int16
    classes: object  # [3, 176] int16
    words: object  # [3, 52, 8] uint64: the slots again, four per word, the first lowest (a view of the same memory)
    lost: object  # [104] uint8: what `blank` removed


@kernel
def spread_places(
    places,  # [board, 1326] uint8: 1 is the strongest, 0 if a card is taken
    spots,  # [52, 52] int64
    out,  # [board, 52, 96] uint8, written
):
    """Arrange the ranks of hands by card and slot."""
    out[:] = 0
    for board in range(places.shape[0]):
        hand = 0
        for high in range(52):
            for low in range(high):
                out[board, high, spots[high, low]] = places[board, hand]
                out[board, low, spots[low, high]] = places[board, hand]
                hand += 1


@kernel
def add_middle(
    spread,  # [board, 52, 96] uint8 from spread_places
    places,  # [board, 1326] uint8
    hands,  # [n] int64: the hands of the class in the middle
    cards,  # [1326, 2] uint8
    weight,  # int64: the weight of each board
    middle,  # Middle
    row,  # Row: scratch
):
    """Add the products for the hands of one class in the middle over some boards."""
    filled = 0
    for board in range(spread.shape[0]):
        copied = False
        for hand in hands:
            place = places[board, hand]
            if place == 0:
                continue
            if not copied:
                row.line[:] = spread[board]
                copied = True
            first, second = np.int64(cards[hand, 0]), np.int64(cards[hand, 1])
            blank(first, second, middle.spots, row)
            compare(place, first, second, row)
            count_classes(middle.slot_class, row)
            multiply(middle, row)
            restore(first, second, middle.spots, row)
            filled += 1
            if filled == FULL:
                empty(weight, middle)
                filled = 0
    empty(weight, middle)


@kernel(allocates=False)
def blank(first, second, spots, row):
    """Remove the hands that share a card with the middle hand."""
    for card in range(52):
        row.lost[card] = row.line[card, spots[card, first]]
        row.line[card, spots[card, first]] = 0
    for card in range(52):
        row.lost[52 + card] = row.line[card, spots[card, second]]
        row.line[card, spots[card, second]] = 0


@kernel(allocates=False)
def restore(first, second, spots, row):
    """Restore what `blank` removed."""
    for card in range(52):
        row.line[card, spots[card, second]] = row.lost[52 + card]
    for card in range(52):
        row.line[card, spots[card, first]] = row.lost[card]


@kernel(allocates=False)
def compare(place, first, second, row):
    """How many hands of each card and slot rank above, beside and below the middle hand."""
    stronger = np.uint8(place - 1)
    for card in range(52):
        above, beside, below = row.slots[0, card], row.slots[1, card], row.slots[2, card]
        if card == first or card == second:  # noqa: SIM109
            above[:] = 0
            beside[:] = 0
            below[:] = 0
            continue
        line = row.line[card]
        for slot in range(32):
            a, b, c = line[slot], line[32 + slot], line[64 + slot]
            above[slot] = (
                np.int16(np.uint8(a - np.uint8(1)) < stronger)
                + np.int16(np.uint8(b - np.uint8(1)) < stronger)
                + np.int16(np.uint8(c - np.uint8(1)) < stronger)
            )
            beside[slot] = np.int16(a == place) + np.int16(b == place) + np.int16(c == place)
            below[slot] = np.int16(a > place) + np.int16(b > place) + np.int16(c > place)


@kernel(allocates=False)
def count_classes(slot_class, row):
    """Sum slots to classes: a hand is counted at the card of its higher rank, and a pair at both of its cards."""
    for side in range(3):
        classes = row.classes[side]
        for rank in range(13):
            one, two = row.slots[side, 4 * rank], row.slots[side, 4 * rank + 1]
            three, four = row.slots[side, 4 * rank + 2], row.slots[side, 4 * rank + 3]
            for other in range(rank):
                number = slot_class[rank, other]
                classes[number] = one[other] + two[other] + three[other] + four[other]
                slot = 13 + other
                number = slot_class[rank, slot]
                classes[number] = one[slot] + two[slot] + three[slot] + four[slot]
            slot = 13 + rank
            classes[slot_class[rank, slot]] = (one[slot] + two[slot] + three[slot] + four[slot]) >> 1


@kernel(allocates=False)
def multiply(middle, row):
    """Add the products of this row."""
    multiply_classes(row.classes, middle.products)
    multiply_slots(row.slots, row.words, middle.shared)
    for number in range(169):
        if row.classes[1, number]:
            multiply_ties(number, middle, row)


@kernel(allocates=False)
def multiply_classes(classes, products):
    """Above x below."""
    for number in range(169):
        times = classes[0, number]
        if times:
            for k in range(WIDTH):
                products[0, number, k] = np.int16(products[0, number, k] + np.int16(times * classes[2, k]))


@kernel(allocates=False)
def multiply_slots(slots, words, shared):
    """Above x below for hands that share a card; slot counts are so small that four multiply as one word."""
    for card in range(52):
        rank = card >> 2
        a, b, c, d = words[2, card, 0], words[2, card, 1], words[2, card, 2], words[2, card, 3]
        e, f, g = words[2, card, 4], words[2, card, 5], words[2, card, 6]
        for slot in range(26):
            times = np.uint64(slots[0, card, slot])
            if times:
                into = shared[0, rank, slot]
                into[0] += times * a
                into[1] += times * b
                into[2] += times * c
                into[3] += times * d
                into[4] += times * e
                into[5] += times * f
                into[6] += times * g


@kernel(allocates=False)
def multiply_ties(number, middle, row):
    """Add the products of the hands of one class that tie with the middle hand."""
    products, shared, classes, words = middle.products, middle.shared, row.classes, row.words
    times = classes[1, number]
    for kind in range(1, 4):
        side = PARTNER[kind]
        for k in range(WIDTH):
            products[kind, number, k] = np.int16(products[kind, number, k] + np.int16(times * classes[side, k]))
    products[3, number, number] += times  # a hand shares both cards with itself, so it is subtracted twice
    for end in range(2):
        rank, slot = middle.class_slots[number, 2 * end], middle.class_slots[number, 2 * end + 1]
        if end == 1 and rank == middle.class_slots[number, 0]:
            break  # a pair
        for card in range(4 * rank, 4 * rank + 4):
            own = np.uint64(row.slots[1, card, slot])
            if own:
                for word in range(WORDS):
                    shared[1, rank, slot, word] += own * words[2, card, word]
                    shared[2, rank, slot, word] += own * words[0, card, word]
                    shared[3, rank, slot, word] += own * words[1, card, word]


@kernel(allocates=False)
def empty(weight, middle):
    """Move the 16-bit sums into the large ones, subtracting hands that share a card."""
    for kind in range(4):
        for j in range(169):
            row, into = middle.products[kind, j], middle.sums[kind, j]
            for k in range(169):
                into[k] += weight * row[k]
            row[:] = 0
        for rank in range(13):
            for slot in range(26):
                j = middle.slot_class[rank, slot]
                for k in range(26 if j >= 0 else 0):
                    number = middle.slot_class[rank, k]
                    count = middle.shared[kind, rank, slot, k >> 2] >> np.uint64(16 * (k & 3)) & np.uint64(0xFFFF)
                    if number >= 0:
                        middle.sums[kind, j, number] -= weight * np.int64(count)
                middle.shared[kind, rank, slot] = 0
