"""The card sweep: every hand of a complete board against a weighted range, without comparing pairs of hands.

Hands are sorted by strength once and passed from the weakest to the strongest. A running total of weight, and one per
card, give for each hand the weight that it beats, after removing its own two cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

HAND_BITS = 11  # a hand, 0 to 1325, packed with its strength
HAND_MASK = (1 << HAND_BITS) - 1
RADIX_BITS = 7


class OpposingWeights(NamedTuple):
    """The opposing weight of each hand, by hand index; a sweep adds to it."""

    wins: object  # [1326] float64: weight of the hands that it beats
    ties: object  # [1326] float64
    totals: object  # [1326] float64: weight of all that share no card with it


@kernel
def sort_by_strength(strengths, hands, items, spare):
    """Fill items [1326] int32 with the possible ones among hands [n] int16, weakest first; returns how many.

    strengths [1326] uint16 are classes, 0 for an impossible hand. An item is the class, then the hand's index in the
    low bits: equal high parts are ties. spare [1326] int32 is scratch.
    """
    count = 0
    for i in range(hands.shape[0]):
        hand = np.uint32(hands[i])
        items[count] = (np.int32(strengths[hand]) << HAND_BITS) | np.int32(hand)  # the next overwrites a 0
        count += strengths[hand] > 0
    places = np.zeros((2, 1 << RADIX_BITS), np.int64)
    digit_mask = (1 << RADIX_BITS) - 1
    for i in range(count):
        places[0, (items[i] >> HAND_BITS) & digit_mask] += 1
        places[1, items[i] >> (HAND_BITS + RADIX_BITS)] += 1
    for digit in range(2):  # least significant digit first; large classes, the weak hands, to the front
        place = 0
        for value in range(digit_mask, -1, -1):
            size = places[digit, value]
            places[digit, value] = place
            place += size
        source, target = (items, spare) if digit == 0 else (spare, items)
        for i in range(count):
            value = (source[i] >> (HAND_BITS + digit * RADIX_BITS)) & digit_mask
            target[places[digit, value]] = source[i]
            places[digit, value] += 1
    return count


@kernel
def sweep(items, count, combos, weights, opposing):
    """Add to `opposing` the weight of a range that each of the sorted hands beats, ties and faces.

    items [1326] int32 from sort_by_strength, combos [1326, 2] uint8, weights [1326] float64. The weight of a strength
    is summed separately before it is added to the total, so that ties of small weight are not lost in a large sum.
    """
    wins, ties, totals = opposing
    below = 0.0
    below_card = np.zeros(52)
    level_card = np.zeros(52)
    start = 0
    while start < count:
        level = 0.0
        end = start
        while end < count and items[end] >> HAND_BITS == items[start] >> HAND_BITS:
            hand = np.uint32(items[end] & HAND_MASK)
            one, two, weight = combos[hand, 0], combos[hand, 1], weights[hand]
            wins[hand] += below - below_card[one] - below_card[two]
            level += weight
            level_card[one] += weight
            level_card[two] += weight
            end += 1
        for i in range(start, end):
            hand = np.uint32(items[i] & HAND_MASK)
            ties[hand] += level - level_card[combos[hand, 0]] - level_card[combos[hand, 1]] + weights[hand]
        for card in range(52):
            below_card[card] += level_card[card]
            level_card[card] = 0.0
        below += level
        start = end
    for i in range(count):
        hand = np.uint32(items[i] & HAND_MASK)
        totals[hand] += below - below_card[combos[hand, 0]] - below_card[combos[hand, 1]] + weights[hand]
