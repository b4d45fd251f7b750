"""Exact means over draws, for every hand and every set of discards.

Every hand has a value. Let S(A) be the sum of values over the hands that contain a set A of cards, for every set of up
to as many cards as a hand has. A player who holds K and discards D draws from all other cards: the sum over the draws
is S(K) less the hands that contain a card of D, so by inclusion and exclusion the sum over subsets T of D of (-1)^|T|
S(K with T).
"""

from __future__ import annotations

from pokerlab.cards._kernels.canonical import bit_count
from pokerlab.compiled import kernel


@kernel(allocates=False)
def subset_number(cards, mask, choose, starts):
    """The index of the cards of a mask among all sets, smaller sets first.  starts [size]"""
    number, place = 0, 0
    for index in range(cards.shape[0]):
        if mask >> index & 1:
            number += choose[cards[index], place]
            place += 1
    return starts[place] + number


@kernel(allocates=False)
def sum_subsets(hands, values, choose, starts, sums):
    """Add every hand's values to all of its subsets.  hands [hand, position], values [hand, n], sums [set, n]"""
    masks = 1 << hands.shape[1]
    for hand in range(hands.shape[0]):
        for mask in range(masks):
            number = subset_number(hands[hand], mask, choose, starts)
            for column in range(values.shape[1]):
                sums[number, column] += values[hand, column]


@kernel(allocates=False)
def draw_means(hands, draws, choose, starts, sums, means):
    """The mean of each value over the draws: means [hand, mask, n]; draws [count]: draws of that many cards."""
    masks = 1 << hands.shape[1]
    for hand in range(hands.shape[0]):
        for thrown in range(masks):
            held_mask, count = masks - 1 - thrown, bit_count(thrown)
            for column in range(sums.shape[1]):
                means[hand, thrown, column] = 0.0
            part = thrown
            while True:
                sign = -1.0 if bit_count(part) & 1 else 1.0
                number = subset_number(hands[hand], held_mask | part, choose, starts)
                for column in range(sums.shape[1]):
                    means[hand, thrown, column] += sign * sums[number, column]
                if part == 0:
                    break
                part = (part - 1) & thrown
            for column in range(sums.shape[1]):
                means[hand, thrown, column] /= draws[count]


@kernel(allocates=False)
def spread_hands(hands, thrown, weights, draws, choose, starts, sums):
    """The transpose: turn the weights of hands before the draw into coefficients of sets.

    The probability of a hand after the draw is the sum of the coefficients of all its subsets. thrown [hand] mask,
    weights [hand], sums [set]
    """
    every = (1 << hands.shape[1]) - 1
    for hand in range(hands.shape[0]):
        part, share = thrown[hand], weights[hand] / draws[bit_count(thrown[hand])]
        while True:
            number = subset_number(hands[hand], every - thrown[hand] | part, choose, starts)
            sums[number] += -share if bit_count(part) & 1 else share
            if part == 0:
                break
            part = (part - 1) & thrown[hand]


@kernel(allocates=False)
def gather_subsets(hands, choose, starts, sums, totals):
    """The sum over all subsets of each hand: found [hand]."""
    for hand in range(hands.shape[0]):
        total = 0.0
        for mask in range(1 << hands.shape[1]):
            total += sums[subset_number(hands[hand], mask, choose, starts)]
        totals[hand] = total
