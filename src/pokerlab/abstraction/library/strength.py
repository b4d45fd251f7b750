"""Percentiles of hand strength: classes of equal weight by E[HS], or with `squared` by E[HS^2]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import Clusters, Rule
from pokerlab.abstraction.clustering.percentiles import Thresholds, percentiles
from pokerlab.abstraction.features.strength import Strength
from pokerlab.abstraction.method import Arrays, ClusteringTask, is_array
from pokerlab.settings import Flag, declared, whole


@dataclass(frozen=True)
class ByStrength(ByFeature):
    """Percentiles of one number."""

    spec: str
    count: int
    squared: bool = False

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> Strength:
        return Strength(squared=self.squared)

    def columns(self, features: np.ndarray) -> np.ndarray:
        """The last number: E[HS], or its square."""
        return np.ascontiguousarray(features[:, -1])

    def fit(self, points: np.ndarray, weights: np.ndarray | None, work: ClusteringTask) -> Clusters:
        return percentiles(points, weights, self.count, watch=work.watch)

    def rule(self, arrays: Arrays) -> Rule:
        return Thresholds(np.asarray(arrays["starts"]))

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        return is_array(arrays, "starts", (count,)) and bool((np.diff(arrays["starts"]) > 0).all())

    def ground(self, arrays: Arrays) -> np.ndarray:
        """Differences of strength between the starts of shares."""
        starts = np.asarray(arrays["starts"], float)
        return np.asarray(np.abs(starts[:, None] - starts))


@declared("strength")
def method(name: str, *, count: Annotated[int, whole(1, 10**6)] = 10, squared: Flag = False) -> ByStrength:
    """Classes of equal weight by the share of opponents' hands beaten, averaged over run-outs."""
    return ByStrength(f"strength:{count}{'(squared=true)' if squared else ''}", count, squared)
