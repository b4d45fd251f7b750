"""What stacks after a hand are worth: chips, or prizes by the independent chip model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.tree.pushes import Worth


def chip_worth(stacks: np.ndarray) -> np.ndarray:
    """Stacks themselves, in big blinds."""
    return stacks


def prize_worth(before: Sequence[float] | np.ndarray, payouts: Sequence[float] | np.ndarray) -> Worth:
    """Expected prizes for prizes from the first place down.

    Players with chips share the places by the chip model of Malmuth and Harville; of players who go out in the same
    hand the one who had more before it finishes ahead, and equal ones share their places.
    """
    chips = np.asarray(before, np.float64)
    prizes = np.zeros(len(chips))
    paid = np.asarray(payouts, np.float64)[: len(chips)]
    prizes[: len(paid)] = paid

    def worth(stacks: np.ndarray) -> np.ndarray:
        from pokerlab.solvers.pushes._kernels.prizes import prize_values

        values = np.empty(stacks.shape)
        prize_values(np.ascontiguousarray(stacks, np.float64), chips, prizes, values)
        return values

    return worth
