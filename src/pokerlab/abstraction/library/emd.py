"""k-means of histograms of the final strength under the earth mover's distance (Johanson and others 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pokerlab.abstraction.by_feature import AroundCentres
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.histogram import Histogram
from pokerlab.abstraction.features.run_outs import RoundBoards
from pokerlab.abstraction.method import Arrays, Grouped, Work
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByHistogram(AroundCentres):
    """Cumulative histograms in counts of run-outs: their distance is a sum of absolute differences."""

    spec: str
    asked: int
    bins: int
    restarts: int
    metric: str = "emd"

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> Histogram:
        """Histograms, cumulative under EMD and plain under squared distance."""
        return Histogram(self.bins, cumulative=self.metric == "emd")

    def bytes_of(self, feature: Any, work: Work) -> int:
        """Counts are in the smallest type that holds them."""
        return self.bins * int(_smallest(work.cards, work.round).itemsize)

    def every(self, feature: Any, work: Work) -> np.ndarray:
        """Counts, in the smallest type that holds them."""
        watch = work.watched(f"histograms of round {work.round}")
        found: np.ndarray = feature.counts(work.cards, work.round, threads=work.threads, watch=watch)
        return _usable(found)

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The classes of some hands."""
        feature = self.feature(cards)
        sums = feature.sums_of(cards, round, hands)
        counts = np.cumsum(sums, axis=1) if feature.cumulative else sums
        return self.rule(arrays).place(_usable(counts.astype(_smallest(cards, round))))

    def ground(self, found: Grouped) -> np.ndarray:
        """Earth mover's distances between centres."""
        centres = np.asarray(found.arrays["centres"], float)
        if self.metric != "emd":
            centres = np.cumsum(centres, axis=1)
        scale = centres[:, -1].max() * self.bins
        return np.asarray(np.array([np.abs(centres - one).sum(axis=1) for one in centres]) / scale)


def _smallest(cards: CardRounds, round: int) -> np.dtype[Any]:
    """The smallest type that holds the number of run-outs."""
    return np.min_scalar_type(RoundBoards(cards, round).run_outs)


def _usable(counts: np.ndarray) -> np.ndarray:
    """Counts in a type that clustering accepts: larger ones as floats."""
    return counts if counts.dtype in (np.uint8, np.uint16) else counts.astype(np.float32)


@declared("emd")
def method(
    name: str,
    *,
    count: Annotated[int, whole(1, 10**6)] = 100,
    bins: Annotated[int, whole(1, 1000)] = 50,
    restarts: Annotated[int, whole(1, 100)] = 1,
) -> ByHistogram:
    """Classes around centres of histograms of the final strength."""
    settings = {"bins": (bins, 50), "restarts": (restarts, 1)}
    changed = ", ".join(f"{name}={value}" for name, (value, usual) in settings.items() if value != usual)
    return ByHistogram(f"emd:{count}{f'({changed})' if changed else ''}", count, bins, restarts)
