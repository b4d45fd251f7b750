"""Kernels of three players' hands, dealt jointly: the table of cards, and where the strategies of a hand lead.

Hands are the 169 classes, or any others. The cards are one table, [z, order, x, y] float32: the probability that
players hold x, y and z and that these rank in that order on the board, with ties as separate orders. It is symmetric,
so that any of the three players can be z.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.triples import sorted_three, triple_row
from pokerlab.compiled import kernel

PUSH, CALL, STEAL, DEFEND, DEFEND_BLIND, OVERCALL = range(6)
NOBODY, BUTTON_STEALS, SMALL_STEALS, BUTTON_SMALL, BUTTON_BIG, SMALL_BIG, ALL = 0, 1, 2, 3, 6, 9, 12


class Cards(NamedTuple):
    """Three hands, and how they compare."""

    orders: object  # [z, order, x, y] float32, sums to 1
    pairs: object  # [3, x, y] float64: x beats y, they tie, y beats x; sums to 1
    compared: object  # [3, order] int64: x to y, x to z, y to z: 0 beats, 1 ties, 2 loses
    turned: object  # [order] int64: of (x, y, z) for the order of (y, z, x) of that number


@kernel
def spread(chances, places, relabelled, orders):
    """Each order of each three hands, wherever they stand.

    chances [triple, order], smallest class first; places [2, class] int64, see `triple_row`; relabelled
    [arrangement, order] int64: the number that an order of (x, y, z) has for the sorted three, by which of x, y, z come
    first, second and third among them, arrangements as itertools.permutations(range(3)); orders [z, order, x, y]
    """
    count, order_count = orders.shape[0], orders.shape[1]
    for z in range(count):
        for x in range(count):
            for y in range(count):
                arrangement, low, middle, high = sorted_three(x, y, z)
                row = triple_row(places, low, middle, high)
                for order in range(order_count):
                    orders[z, order, x, y] = chances[row, relabelled[arrangement, order]]


@kernel(fastmath=True)
def assess(cards, average, leads):
    """The probability that each hand at each decision reaches each terminal node, by staying in or folding there.

    Terminal nodes after staying in and after folding are distinct, so one table holds both. average [6, hand]
    float64, leads [6, hand, 25] float64
    """
    leads[:] = 0
    hands = average.shape[1]
    call, steal = average[CALL].astype(np.float32), average[STEAL].astype(np.float32)
    push = average[PUSH].astype(np.float32)
    pushed = np.empty(hands, np.float32)  # by small blind's hand: with the button's pushes, and with any
    dealt = np.empty(hands, np.float32)
    for z in range(hands):
        defend, blind, over = average[DEFEND, z], average[DEFEND_BLIND, z], average[OVERCALL, z]
        for order in range(cards.compared.shape[1]):
            slab = cards.orders[z, order]
            small, defended = BUTTON_SMALL + cards.compared[0, order], BUTTON_BIG + cards.compared[1, order]
            compared = SMALL_BIG + cards.compared[2, order]
            pushed[:] = 0
            dealt[:] = 0
            unopposed, stolen, called = 0.0, 0.0, 0.0
            for x in range(hands):
                total, calls, steals = np.float32(0), np.float32(0), np.float32(0)
                for y in range(hands):
                    here = slab[x, y]
                    total += here
                    calls += here * call[y]
                    steals += here * steal[y]
                    pushed[y] += push[x] * here
                    dealt[y] += here
                leads[PUSH, x, ALL + order] += over * calls
                leads[PUSH, x, small] += (1 - over) * calls
                leads[PUSH, x, defended] += defend * (total - calls)
                leads[PUSH, x, BUTTON_STEALS] += (1 - defend) * (total - calls)
                leads[PUSH, x, compared] += blind * steals
                leads[PUSH, x, SMALL_STEALS] += (1 - blind) * steals
                leads[PUSH, x, NOBODY] += total - steals
                unopposed += push[x] * (total - calls)
                stolen += (1 - push[x]) * steals
                called += push[x] * calls
            leads[DEFEND, z, defended] += unopposed
            leads[DEFEND, z, BUTTON_STEALS] += unopposed
            leads[DEFEND_BLIND, z, compared] += stolen
            leads[DEFEND_BLIND, z, SMALL_STEALS] += stolen
            leads[OVERCALL, z, ALL + order] += called
            leads[OVERCALL, z, small] += called
            for y in range(hands):
                leads[CALL, y, ALL + order] += over * pushed[y]
                leads[CALL, y, small] += (1 - over) * pushed[y]
                leads[CALL, y, defended] += defend * pushed[y]
                leads[CALL, y, BUTTON_STEALS] += (1 - defend) * pushed[y]
                folded = dealt[y] - pushed[y]
                leads[STEAL, y, compared] += blind * folded
                leads[STEAL, y, SMALL_STEALS] += (1 - blind) * folded
                leads[STEAL, y, NOBODY] += folded
