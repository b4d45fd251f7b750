"""Potential-aware classes: k-means of distributions over the next round's classes, under the earth mover's distance.

Ganzfried and Sandholm 2014; see clustering/transport.py for how the distance is computed, and its accuracy. Not for the
last round, which has no next round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.buckets import RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.nearest import centre_distances
from pokerlab.abstraction.clustering.transport import transport
from pokerlab.abstraction.features.next_buckets import next_buckets
from pokerlab.abstraction.method import Arrays, ClusteringTask, Method, is_array, open_method
from pokerlab.errors import BadSetting
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByPotential(Method):
    """Distributions over the next round's classes."""

    spec: str
    count: int
    is_rule = False  # a hand's class depends on the next round's table

    def make_buckets(self, work: ClusteringTask) -> RoundBuckets:
        cards, round, following = work.cards, work.round, work.following
        if following is None or not cards.is_dealt(round + 1):
            raise BadSetting(f"{self.spec} looks ahead to the next cards, and none come after round {round}")
        watch = work.watched(f"next classes of round {round}")
        clusters = transport(
            next_buckets(following, cards, round, threads=work.threads, watch=watch),
            work.weights(),
            self.count,
            ground=open_method(following.method).ground(following.arrays),
            settings=KMeansSettings(seed=work.seed, threads=work.threads),
            watch=work.watch,
        )
        arrays = {"centres": clusters.centres}
        return RoundBuckets(self.spec, clusters.count, clusters.labels, None, arrays, float(clusters.distortion))

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        dims = arrays.get("centres", np.zeros(0)).size // count
        return dims > 0 and is_array(arrays, "centres", (count, dims))

    def ground(self, arrays: Arrays) -> np.ndarray:
        return centre_distances(arrays["centres"], "emd")


@declared("potential")
def method(name: str, *, count: Annotated[int, whole(1, 10**6)] = 100) -> ByPotential:
    """Classes of hands with similar distributions over the next round's classes."""
    return ByPotential(f"potential:{count}", count)
