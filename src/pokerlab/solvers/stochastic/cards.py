"""Three hands as one table: the probability that players hold them, and the order in which they rank."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDERS, SECOND_PLACE, multiway_table
from pokerlab.tree.pushes.evaluator import rearranged

DEALS = 1326 * 1225 * 1128  # of three hands to three seats

Orders = Sequence[tuple[int, int, int]]  # ranks of three hands in each order, 0 the best; ties share one


def cards_of(table: np.ndarray, orders: Orders) -> Any:
    """Any table [z, order, x, y] in the format of the kernels."""
    from pokerlab.solvers.stochastic._kernels.hand import Cards

    seats = (0, 1), (0, 2), (1, 2)
    compared = np.array([[np.sign(ranks[a] - ranks[b]) + 1 for ranks in orders] for a, b in seats], np.int64)
    pairs = np.zeros((3, *table.shape[2:]))
    for order in range(len(orders)):
        pairs[compared[0, order]] += table[:, order].sum(0, dtype=np.float64)
    turned = np.array([orders.index((y, z, x)) for x, y, z in orders])
    return Cards(np.ascontiguousarray(table, np.float32), pairs, compared, turned)


@cache
def three_cards() -> Any:
    """The 169 classes of hold'em hands, all orders of three of them over all boards; 250 MB."""
    from pokerlab.solvers.stochastic._kernels.hand import spread

    table = multiway_table()
    chances = np.asarray(table.chances) * (table.hands / DEALS).astype(np.float32)[:, None]
    spread_table = np.empty((CLASS_COUNT, len(ORDERS), CLASS_COUNT, CLASS_COUNT), np.float32)
    spread(chances, np.stack([FIRST_PLACE, SECOND_PLACE]), rearranged(ORDERS), spread_table)
    return cards_of(spread_table, ORDERS)
