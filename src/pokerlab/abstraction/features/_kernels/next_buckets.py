"""Kernels of next_buckets.py: transitions to the next round."""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel


@kernel
def deal_next(hands, deck, added, rows):
    """Every hand with every set of next cards.

    hands [n, cards] uint8; added [deal, next cards] uint8: indices into the cards of the deck outside the hand; rows [n
    * deal, cards + next cards] uint8 is written
    """
    number, size = hands.shape
    left = np.zeros(deck, np.uint8)
    taken = np.zeros(deck, np.bool_)
    place = 0
    for i in range(number):
        taken[:] = False
        for j in range(size):
            taken[hands[i, j]] = True
        count = 0
        for card in range(deck):
            if not taken[card]:
                left[count] = card
                count += 1
        for deal in range(added.shape[0]):
            for j in range(size):
                rows[place, j] = hands[i, j]
            for j in range(added.shape[1]):
                rows[place, size + j] = left[added[deal, j]]
            place += 1


@kernel
def count_buckets(reached, deals, starts, buckets, counts):
    """Sort the buckets that each hand reaches and count equal ones; returns the number of entries.

    reached [n * deals] uint32 is modified; starts [n + 1] int64, buckets and counts [n * deals] uint32 are written
    """
    place = 0
    for i in range(starts.shape[0] - 1):
        starts[i] = place
        own = reached[i * deals : (i + 1) * deals]
        own.sort()
        for j in range(deals):
            if j == 0 or own[j] != own[j - 1]:
                buckets[place] = own[j]
                counts[place] = 0
                place += 1
            counts[place - 1] += 1
    starts[-1] = place
    return place
