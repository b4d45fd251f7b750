"""Kernels of all-ins of three hands: the frequency of each of the 13 orders of three hands, ties included."""

import numpy as np

from pokerlab.compiled import kernel


@kernel
def count_orders(
    strengths,  # [board, 1326] uint16: smaller is stronger, 0 if a card is taken
    weights,  # [board] int64: the weight of each board
    hands,  # [3, 12] int64: the hands of three classes, each padded with -1
    cards,  # [1326, 2] uint8: the cards of each hand
    order_of,  # [27] int64: the index of the order by the three comparisons, see `multiway.ORDER_OF`
    counts,  # [13] int64, added to
):
    """Count the orders of all disjoint triples of hands of three classes, over some boards."""
    for i in hands[0]:
        for j in hands[1]:
            if i < 0 or j < 0 or share_card(cards[i], cards[j]):
                continue
            for k in hands[2]:
                if k < 0 or share_card(cards[i], cards[k]) or share_card(cards[j], cards[k]):
                    continue
                for board in range(strengths.shape[0]):
                    a, b, c = strengths[board, i], strengths[board, j], strengths[board, k]
                    if a and b and c:
                        code = 9 * compared(a, b) + 3 * compared(a, c) + compared(b, c)
                        counts[order_of[code]] += weights[board]


@kernel(allocates=False)
def share_card(first, second):
    """Whether two hands, two cards each, share a card."""
    return first[0] == second[0] or first[0] == second[1] or first[1] == second[0] or first[1] == second[1]


@kernel(allocates=False)
def compared(first, second):
    """0 if the first strength class beats the second, 1 for a tie, 2 if it loses."""
    return np.int64(first >= second) + np.int64(first > second)
