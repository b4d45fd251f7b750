"""k-means of histograms of the final strength under squared distance: the baseline for the earth mover's distance."""

from __future__ import annotations

from typing import Annotated

from pokerlab.abstraction.library.emd import ByHistogram
from pokerlab.abstraction.method import counted_spec
from pokerlab.settings import declared, whole


@declared("histogram")
def method(
    name: str, *, count: Annotated[int, whole(1, 10**6)] = 100, bins: Annotated[int, whole(1, 1000)] = 50
) -> ByHistogram:
    """Classes around centres of histograms, with all bins equally far from each other."""
    return ByHistogram(counted_spec(name, count), count, bins, 1, "euclidean")
