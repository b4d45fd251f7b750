"""k-means of win rates now and in the earlier rounds: k-recall win rates (arXiv 2511.12089).

The distance is the sum over rounds of the earth mover's distances between rates, with losing, tying and winning on a
line. If the order of the board is forgotten, only the round before any board can be recalled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.recall_rates import RecallRates
from pokerlab.abstraction.method import Arrays, counted_spec
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByRates(ByFeature):
    """Cumulative rates of some rounds."""

    spec: str
    count: int
    rounds: int
    metric: str = "emd"

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> RecallRates:
        return RecallRates(self.rounds)

    def columns(self, features: np.ndarray) -> np.ndarray:
        """Cumulative rates (loss, loss or tie, 1) of each round: the L1 distance between such points is the EMD."""
        sums = np.cumsum(features.reshape(len(features), -1, 3), axis=2)
        sums[:, :, 2] = 1.0  # exactly, despite rounding
        return np.ascontiguousarray(sums.reshape(len(features), -1), np.float32)


@declared("recall")
def method(
    name: str, *, count: Annotated[int, whole(1, 10**6)] = 100, rounds: Annotated[int, whole(0, 10)] = 1
) -> ByRates:
    """Classes around centres of win rates, including those of this many earlier rounds."""
    return ByRates(counted_spec(name, count), count, rounds)
