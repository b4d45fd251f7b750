"""Nested percentiles: shares by E[HS^2], and within each by E[HS] (Johanson 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import Clusters, Rule
from pokerlab.abstraction.clustering.percentiles import NestedThresholds, nested
from pokerlab.abstraction.features.strength import Strength
from pokerlab.abstraction.method import Arrays, ClusteringTask, Method, is_array, is_partition
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByNested(ByFeature):
    """Percentiles within percentiles."""

    spec: str
    outer: int
    inner: int

    @property
    def count(self) -> int:  # type: ignore[override]
        """Shares times classes within."""
        return self.outer * self.inner

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> Strength:
        return Strength(squared=True)

    def columns(self, features: np.ndarray) -> np.ndarray:
        """E[HS^2], then E[HS]."""
        return np.ascontiguousarray(features[:, ::-1])

    def fit(self, points: np.ndarray, weights: np.ndarray | None, work: ClusteringTask) -> Clusters:
        return nested(points, weights, (self.outer, self.inner), watch=work.watch)

    def rule(self, arrays: Arrays) -> Rule:
        return NestedThresholds(**{name: np.asarray(array) for name, array in arrays.items()})

    def ground(self, arrays: Arrays) -> np.ndarray:
        """Not supported: classes are intervals, without centres."""
        return Method.ground(self, arrays)

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        """Whether shares have consecutive classes, and each class a start."""
        outer = arrays.get("outer_starts", np.zeros(0)).size
        if not is_array(arrays, "outer_starts", (outer,)) or not is_array(arrays, "inner_starts", (count,)):
            return False
        return is_partition(arrays, "offsets", outer, count)


@declared("nested")
def method(
    name: str, *, count: Annotated[int, whole(1, 10**5)] = 5, inner: Annotated[int, whole(1, 10**5)] = 2
) -> ByNested:
    """`count` shares by E[HS^2], and `inner` classes in each by E[HS]; written nested:5x2."""
    return ByNested(f"nested:{count}x{inner}", count, inner)
