"""Uniform buckets: intervals of hand strength of equal width, however many hands fall into each.

Billings, Davidson, Schaeffer and Szafron, "The challenge of poker", 2002, and Rubin and Watson, "Computer poker: a
review", 2011, section 4.3, beside percentiles, which are `strength`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.clustering.clusters import Clusters
from pokerlab.abstraction.clustering.percentiles import intervals
from pokerlab.abstraction.library.strength import ByStrength
from pokerlab.abstraction.method import ClusteringTask
from pokerlab.settings import Flag, declared, whole


@dataclass(frozen=True)
class ByInterval(ByStrength):
    """Intervals of one number."""

    def fit(self, points: np.ndarray, weights: np.ndarray | None, work: ClusteringTask) -> Clusters:
        return intervals(points, weights, self.count, watch=work.watch)


@declared("uniform")
def method(name: str, *, count: Annotated[int, whole(1, 10**6)] = 10, squared: Flag = False) -> ByInterval:
    """Classes of equal width by the share of opponents' hands beaten, averaged over run-outs; empty ones are left
    out."""
    return ByInterval(f"uniform:{count}{'(squared=true)' if squared else ''}", count, squared)
