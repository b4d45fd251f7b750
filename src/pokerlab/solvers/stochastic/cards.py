"""Three hands as one table: the probability that players hold them, and the order in which they rank."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDERS, SECOND_PLACE, multiway_table

DEALS = 1326 * 1225 * 1128  # of three hands to three seats

Places = Sequence[tuple[int, int, int]]  # ranks of three hands in each order, 0 the best; ties share one


def cards_of(orders: np.ndarray, places: Places) -> Any:
    """Any table [z, order, x, y] in the format of the kernels."""
    from pokerlab.solvers.stochastic._kernels.hand import Cards

    compared = np.array(
        [[np.sign(one[a] - one[b]) + 1 for one in places] for a, b in ((0, 1), (0, 2), (1, 2))], np.int64
    )
    pairs = np.zeros((3, *orders.shape[2:]))
    for order in range(len(places)):
        pairs[compared[0, order]] += orders[:, order].sum(0, dtype=np.float64)
    turned = np.array([places.index((y, z, x)) for x, y, z in places])
    return Cards(np.ascontiguousarray(orders, np.float32), pairs, compared, turned)


def relabelled(places: Places) -> np.ndarray:
    """The number of an order when its three hands are rearranged: [arrangement, order], as `arrangements` has them."""
    return np.array(
        [[places.index(tuple(one[seat] for seat in seats)) for one in places] for seats in permutations(range(3))]
    )


@cache
def three_cards() -> Any:
    """The 169 classes of hold'em hands, all orders of three of them over all boards; 250 MB."""
    from pokerlab.solvers.stochastic._kernels.spread import spread

    table = multiway_table()
    chances = np.asarray(table.chances) * (table.hands / DEALS).astype(np.float32)[:, None]
    orders = np.empty((CLASS_COUNT, len(ORDERS), CLASS_COUNT, CLASS_COUNT), np.float32)
    spread(chances, np.stack([FIRST_PLACE, SECOND_PLACE]), relabelled(ORDERS), orders)
    return cards_of(orders, ORDERS)
