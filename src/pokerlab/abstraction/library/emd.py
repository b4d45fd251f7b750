"""k-means of histograms of the final strength under the earth mover's distance (Johanson and others 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.nearest import centre_distances, usable
from pokerlab.abstraction.features.histogram import Histogram
from pokerlab.abstraction.method import Arrays, ClusteringTask, counted_spec
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByHistogram(ByFeature):
    """Cumulative histograms in counts of run-outs: their distance is a sum of absolute differences."""

    spec: str
    count: int
    bins: int
    restarts: int
    metric: str = "emd"

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> Histogram:
        """Histograms, cumulative under EMD and plain under squared distance."""
        return Histogram(self.bins, cumulative=self.metric == "emd")

    def bytes_of(self, feature: Any, work: ClusteringTask) -> int:
        """Counts are in the smallest type that holds them."""
        return self.bins * int(feature.count_type(work.cards, work.round).itemsize)

    def points_of(self, feature: Any, work: ClusteringTask) -> np.ndarray:
        """Counts, in the smallest type that holds them and that clustering accepts."""
        watch = work.watched(f"histograms of round {work.round}")
        return usable(feature.counts(work.cards, work.round, threads=work.threads, watch=watch))

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        return self.rule(arrays).place(usable(self.feature(cards).counts_of(cards, round, hands)))

    def ground(self, arrays: Arrays) -> np.ndarray:
        centres = np.asarray(arrays["centres"], float)
        if self.metric != "emd":
            centres = np.cumsum(centres, axis=1)
        return np.asarray(centre_distances(centres, "emd") / (centres[:, -1].max() * self.bins))


@declared("emd")
def method(
    name: str,
    *,
    count: Annotated[int, whole(1, 10**6)] = 100,
    bins: Annotated[int, whole(1, 1000)] = 50,
    restarts: Annotated[int, whole(1, 100)] = 1,
) -> ByHistogram:
    """Classes around centres of histograms of the final strength."""
    return ByHistogram(counted_spec(name, count), count, bins, restarts)
