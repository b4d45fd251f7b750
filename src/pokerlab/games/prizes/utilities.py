"""The utility of the stacks after a hand: chips, or prizes by the independent chip model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Utility = Callable[[np.ndarray], np.ndarray]  # stacks [n, seat] after a hand to utilities [n, seat]


def chip_utility(stacks: np.ndarray) -> np.ndarray:
    """The stacks themselves."""
    return stacks


def prize_utility(before: Sequence[float] | np.ndarray, payouts: Sequence[float] | np.ndarray) -> Utility:
    """Expected prizes, for prizes from the first place down.

    Players with chips share the places by the model of Malmuth and Harville. Of players eliminated in the same hand,
    the one with the larger stack before it finishes ahead; equal stacks share their places.
    """
    chips = np.asarray(before, np.float64)
    prizes = np.zeros(len(chips))
    paid = np.asarray(payouts, np.float64)[: len(chips)]
    prizes[: len(paid)] = paid

    def utility(stacks: np.ndarray) -> np.ndarray:
        from pokerlab.games.prizes._kernels import prize_values

        values = np.empty(stacks.shape)
        prize_values(np.ascontiguousarray(stacks, np.float64), chips, prizes, values)
        return values

    return utility
