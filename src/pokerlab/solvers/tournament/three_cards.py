"""Three hands as one table: how likely players hold them, and in which order they come."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

Places = Sequence[tuple[int, int, int]]  # of three hands in each order, 0 the best; hands that tie share one


def cards_of(orders: np.ndarray, places: Places) -> Any:
    """Any table [z, order, x, y] with what the kernels ask of it."""
    from pokerlab.solvers.tournament._kernels.hand import Cards

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
