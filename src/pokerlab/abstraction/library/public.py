"""Public buckets: boards in clusters by their texture, and within each, classes of equal weight by E[HS].

A class determines the cluster of the board, so players never confuse boards of different clusters. Waugh and others, "A
practical use of imperfect recall", 2009, and Johanson and others, "Evaluating state-space abstractions in
extensive-form games", 2013, bucket the public cards first, by other distances between boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import Clusters, Rule
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.percentiles import GroupedThresholds, grouped
from pokerlab.abstraction.features.board_texture import NUMBERS, StrengthOnBoard
from pokerlab.abstraction.method import Arrays, ClusteringTask, Method, is_array, is_partition
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByPublic(ByFeature):
    """Clusters of boards, then percentiles."""

    spec: str
    boards: int
    inner: int

    @property
    def count(self) -> int:  # type: ignore[override]
        """Clusters of boards times classes within."""
        return self.boards * self.inner

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> StrengthOnBoard:
        return StrengthOnBoard()

    def columns(self, features: np.ndarray) -> np.ndarray:
        """The board's numbers, then E[HS]."""
        return np.ascontiguousarray(features[:, [*range(2, 2 + NUMBERS), 0]])

    def fit(self, points: np.ndarray, weights: np.ndarray | None, work: ClusteringTask) -> Clusters:
        counts = np.ones(len(points)) if weights is None else weights
        textures, which = np.unique(points[:, :NUMBERS], axis=0, return_inverse=True)
        shares = np.bincount(which.reshape(-1), counts, minlength=len(textures))
        settings = KMeansSettings(seed=work.seed, threads=work.threads)
        boards = k_means(textures, shares, min(self.boards, len(textures)), settings=settings, watch=work.watch)
        return grouped(points, weights, np.asarray(boards.centres, np.float32), self.inner, watch=work.watch)

    def rule(self, arrays: Arrays) -> Rule:
        return GroupedThresholds(**{name: np.asarray(array) for name, array in arrays.items()})

    def ground(self, arrays: Arrays) -> np.ndarray:
        """Not supported: classes are intervals, without centres."""
        return Method.ground(self, arrays)

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        """Whether clusters have consecutive classes, and each class a start."""
        groups = arrays.get("centres", np.zeros((0, 0))).shape[0]
        if not is_array(arrays, "centres", (groups, NUMBERS)) or not is_array(arrays, "inner_starts", (count,)):
            return False
        return is_partition(arrays, "offsets", groups, count)


@declared("public")
def method(
    name: str, *, count: Annotated[int, whole(1, 10**4)] = 8, inner: Annotated[int, whole(1, 10**5)] = 10
) -> ByPublic:
    """`count` clusters of boards by texture, and `inner` classes in each by E[HS]; written public:8x10."""
    return ByPublic(f"public:{count}x{inner}", count, inner)
