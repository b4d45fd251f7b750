"""Means over what is drawn, for every hand and every exchange, exactly.

A number is given for every hand. Let S(A) be its sum over the hands that contain a set A of cards, which is worked out
for every set of up to as many cards as a hand has. Who keeps K and throws D away draws from all cards but these: the
sum over what may come is S(K) less the hands that contain a card of D, so by inclusion and exclusion it is the sum over
subsets T of D of (-1)^|T| S(K with T).
"""

from __future__ import annotations

from pokerlab.compiled import kernel


@kernel(allocates=False)
def subset_number(cards, mask, choose, starts):
    """The number of the cards of a mask among all sets: those of fewer cards come first.  starts [size]"""
    number, place = 0, 0
    for index in range(cards.shape[0]):
        if mask >> index & 1:
            number += choose[cards[index], place]
            place += 1
    return starts[place] + number


@kernel(allocates=False)
def is_odd(mask):
    """Whether a set has an odd number of members."""
    odd = 0
    while mask:
        mask &= mask - 1
        odd ^= 1
    return odd


@kernel(allocates=False)
def sum_subsets(hands, values, choose, starts, sums):
    """Add every hand's values to those of all of its subsets.  hands [hand, place], values [hand, n], sums [set, n]"""
    masks = 1 << hands.shape[1]
    for hand in range(hands.shape[0]):
        for mask in range(masks):
            number = subset_number(hands[hand], mask, choose, starts)
            for column in range(values.shape[1]):
                sums[number, column] += values[hand, column]


@kernel(allocates=False)
def discarded(mask):
    """How many members a set has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel(allocates=False)
def exchange_means(hands, ways, choose, starts, sums, found):
    """The mean of each number over what may come: found [hand, mask, n]; ways [count] draws of so many cards."""
    masks = 1 << hands.shape[1]
    for hand in range(hands.shape[0]):
        for thrown in range(masks):
            kept, count = masks - 1 - thrown, discarded(thrown)
            for column in range(sums.shape[1]):
                found[hand, thrown, column] = 0.0
            part = thrown
            while True:
                sign = -1.0 if is_odd(part) else 1.0
                number = subset_number(hands[hand], kept | part, choose, starts)
                for column in range(sums.shape[1]):
                    found[hand, thrown, column] += sign * sums[number, column]
                if part == 0:
                    break
                part = (part - 1) & thrown
            for column in range(sums.shape[1]):
                found[hand, thrown, column] /= ways[count]


@kernel(allocates=False)
def spread_hands(hands, thrown, weights, ways, choose, starts, sums):
    """The other way round: each hand's weight as coefficients of sets, such that a hand after the exchange is as likely
    as the coefficients of all its subsets add up to.  thrown [hand] mask, weights [hand], sums [set]
    """
    every = (1 << hands.shape[1]) - 1
    for hand in range(hands.shape[0]):
        part, share = thrown[hand], weights[hand] / ways[discarded(thrown[hand])]
        while True:
            number = subset_number(hands[hand], every - thrown[hand] | part, choose, starts)
            sums[number] += -share if is_odd(part) else share
            if part == 0:
                break
            part = (part - 1) & thrown[hand]


@kernel(allocates=False)
def gather_subsets(hands, choose, starts, sums, found):
    """The sum over all subsets of each hand: found [hand]."""
    for hand in range(hands.shape[0]):
        total = 0.0
        for mask in range(1 << hands.shape[1]):
            total += sums[subset_number(hands[hand], mask, choose, starts)]
        found[hand] = total
