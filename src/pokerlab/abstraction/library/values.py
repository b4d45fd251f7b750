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
from pokerlab.abstraction.method import ClusteringTask, counted_spec
from pokerlab.errors import BadSetting
from pokerlab.settings import declared, number, whole


@dataclass(frozen=True)
class ByValues(ByPoints):
    """Points with one coordinate per decision of the round."""

    spec: str
    count: int
    iterations: int
    decay: float
    is_rule = False  # a hand's values are known only after a solve

    def points(self, work: ClusteringTask) -> np.ndarray:
        """Values, each times the weight of its decision."""
        if work.values is None:
            raise BadSetting(
                f"{self.spec} compares what hands win after a warm-up solve of a game, and none was given with the "
                "cards: make such buckets with `pokerlab abstract`, or give `values` to `make`"
            )
        work.watch.at(f"values of round {work.round}", 0.0)
        hands = work.values(work.cards, work.round, self.iterations)
        return np.ascontiguousarray(hands.values * self.decay**hands.depth, np.float32)


@declared("values")
def method(
    name: str,
    *,
    count: Annotated[int, whole(1, 10**6)] = 100,
    iterations: Annotated[int, whole(1, 10**5)] = 10,
    decay: Annotated[float, number(0, 1)] = 0.5,
) -> ByValues:
    """Classes around centres of expected values after this many warm-up iterations; for small games."""
    return ByValues(counted_spec(name, count), count, iterations, float(decay))
