"""Three hands of hold'em as one table, from the table of three-way all-ins."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDERS, SECOND_PLACE, multiway_table
from pokerlab.solvers.tournament.three_cards import cards_of, relabelled

DEALS = 1326 * 1225 * 1128  # of three hands to three seats


@cache
def three_cards() -> Any:
    """The 169 classes of hold'em hands, all orders of three of them over all boards; 250 MB."""
    from pokerlab.solvers.tournament._kernels.spread import spread

    table = multiway_table()
    chances = np.asarray(table.chances) * (table.hands / DEALS).astype(np.float32)[:, None]
    orders = np.empty((CLASS_COUNT, len(ORDERS), CLASS_COUNT, CLASS_COUNT), np.float32)
    spread(chances, np.stack([FIRST_PLACE, SECOND_PLACE]), relabelled(ORDERS), orders)
    return cards_of(orders, ORDERS)
