"""Potential-aware classes: k-means of distributions over the next round's classes, under the earth mover's distance.

Ganzfried and Sandholm 2014; see clustering/transport.py for how the distance is computed, and its accuracy. Not for the
last round, which has no next round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.distributions import Distributions
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.transport import transport
from pokerlab.abstraction.features.next_buckets import NextBuckets
from pokerlab.abstraction.method import Arrays, Grouped, Method, Work, is_array
from pokerlab.errors import BadSetting
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByPotential(Method):
    """Distributions over the next round's classes."""

    spec: str
    asked: int
    is_rule = False  # a hand's class depends on the next round's table

    def grouped(self, work: Work) -> Grouped:
        """Cluster all hands by the next round's classes."""
        cards, round = work.cards, work.round
        if work.following is None or not cards.is_dealt(round + 1):
            raise BadSetting(f"{self.spec} looks ahead to the next cards, and none come after round {round}")
        method, following = work.following
        watch = work.watched(f"next classes of round {round}")
        found = NextBuckets(following.table).every(cards, round, threads=work.threads, watch=watch)
        points = Distributions(found.starts, found.buckets, found.counts, following.count)
        clusters = transport(
            points,
            work.weights(),
            self.asked,
            ground=method.ground(following),
            settings=KMeansSettings(seed=work.seed, threads=work.threads),
            watch=work.watch,
        )
        assert clusters.labels is not None
        arrays = {"centres": clusters.centres}
        return Grouped(clusters.count, clusters.labels, arrays, clusters.distortion, clusters.skipped)

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """Not supported: see is_rule."""
        raise BadSetting(f"the class of a hand by {self.spec} is known from tables alone")

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        """Whether there is a centre for each class."""
        numbers = arrays.get("centres", np.zeros(0)).size // count
        return numbers > 0 and is_array(arrays, "centres", (count, numbers))

    def ground(self, found: Grouped) -> np.ndarray:
        """Distances between centres: sums of absolute differences."""
        centres = np.asarray(found.arrays["centres"], float)
        return np.array([np.abs(centres - one).sum(axis=1) for one in centres])


@declared("potential")
def method(name: str, *, count: Annotated[int, whole(1, 10**6)] = 100) -> ByPotential:
    """Classes of hands with similar distributions over the next round's classes."""
    return ByPotential(f"potential:{count}", count)
