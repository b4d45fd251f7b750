"""k-means of expected values after a short warm-up solve: WEVA (Li and Huang 2026, arXiv 2605.10900).

Run a few iterations of CFR on the unabstracted game; take for every hand its expected value at every decision of the
round, to the player to act, with decisions deep in the betting weighted less; then run k-means++. The paper's abstract
gives that much. What we had of the paper did not define the depth weights: here they are powers of `decay`. Values are
chips, averaged over the opponent's hands that reach the decision, or 0 if none do.

Solvers compute the values, and the abstraction package may not import them: the caller passes the values in
(`making.make(plan, values=...)`, see solvers/bucketed/warm_up.py). The game must be small enough to traverse deal by
deal, as Leduc and Rhode Island are; hold'em is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.by_feature import ByPoints
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import Clusters
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.method import Arrays, Grouped, Work
from pokerlab.errors import BadSetting
from pokerlab.settings import declared, number, whole


@dataclass(frozen=True)
class ByValues(ByPoints):
    """Points with one coordinate per decision of the round."""

    spec: str
    asked: int
    iterations: int
    decay: float
    is_rule = False  # a hand's values are known only after a solve

    def held(self, work: Work) -> np.ndarray:
        """Values, each times the weight of its decision."""
        if work.values is None:
            raise BadSetting(
                f"{self.spec} compares what hands win after a warm-up solve of a game, and none was given with the "
                "cards: make such buckets with `pokerlab abstract`, or give `values` to `make`"
            )
        work.watch.at(f"values of round {work.round}", 0.0)
        found = work.values(work.cards, work.round, self.iterations)
        return np.ascontiguousarray(found.values * self.decay**found.depth, np.float32)

    def fitted(self, points: np.ndarray, weights: np.ndarray | None, work: Work) -> Clusters:
        """K-means clusters."""
        settings = KMeansSettings(seed=work.seed, threads=work.threads)
        return k_means(points, weights, self.asked, settings=settings, watch=work.watch)

    def grouped(self, work: Work) -> Grouped:
        """Cluster all hands."""
        clusters = self.fitted(self.held(work), work.weights(), work)
        assert clusters.labels is not None
        arrays = {"centres": clusters.centres}
        return Grouped(clusters.count, clusters.labels, arrays, clusters.distortion, clusters.skipped)

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """Not supported: see is_rule."""
        raise BadSetting(f"the class of a hand by {self.spec} is known from tables alone")

    def ground(self, found: Grouped) -> np.ndarray:
        """Distances between centres."""
        centres = np.asarray(found.arrays["centres"], float)
        return np.array([np.sqrt(((centres - one) ** 2).sum(axis=1)) for one in centres])


@declared("values")
def method(
    name: str,
    *,
    count: Annotated[int, whole(1, 10**6)] = 100,
    iterations: Annotated[int, whole(1, 10**5)] = 10,
    decay: Annotated[float, number(0, 1)] = 0.5,
) -> ByValues:
    """Classes around centres of expected values after this many warm-up iterations; for small games."""
    settings = {"iterations": (iterations, 10), "decay": (decay, 0.5)}
    changed = ", ".join(f"{name}={value}" for name, (value, usual) in settings.items() if value != usual)
    return ByValues(f"values:{count}{f'({changed})' if changed else ''}", count, iterations, float(decay))
