"""The result of every clustering method: labels, centres, and a rule that assigns further points consistently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch


class Rule(Protocol):
    """Assigns points to clusters; the result is the same for a point alone as among millions."""

    def place(self, points: Any, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each point.  # [n] uint16 or uint32"""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Points in clusters, numbered from weak to strong if the method knows an order."""

    count: int  # number of clusters: fewer than requested if there are fewer distinct points; none is empty
    centres: np.ndarray  # [cluster, dims]: the weighted mean of each
    labels: np.ndarray  # [n] uint16 or uint32: the cluster of each point
    distortion: float  # weighted mean distance (squared, for Euclidean) of points to their centres
    skipped: float  # share of point-centre distances that bounds made unnecessary
    rule: Rule
    falling: tuple[float, ...] = ()  # the distortion of the fitted points after each iteration of k-means

    def place(self, points: Any, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each point, one of the clustered points or another.  # [n] uint16 or uint32"""
        return self.rule.place(points, threads=threads, watch=watch)


def label_type(count: int) -> type[np.uint16] | type[np.uint32]:
    """The smaller of the two label types that holds this many clusters."""
    return np.uint16 if count <= 1 << 16 else np.uint32


def check_count(count: int) -> None:
    """Raise BadSetting for an invalid number of clusters."""
    if count < 1:
        raise BadSetting(f"the number of clusters must be at least 1, not {count}")


def checked_weights(weights: np.ndarray | None, count: int) -> np.ndarray:
    """One weight per point, default 1; BadSetting for invalid weights.  # [n]"""
    if count == 0:
        raise BadSetting("there is nothing to cluster: no points")
    array = np.ones(count, np.float32) if weights is None else np.asarray(weights)
    if array.shape != (count,):
        raise BadSetting(f"{count} points need weights of shape ({count},), got {array.shape}")
    if array.dtype.kind not in "uif":
        raise BadSetting(f"weights must be numbers, got {array.dtype}")
    if not (array.min() >= 0 and np.isfinite(array.max())):  # NaN fails both
        raise BadSetting("weights must be finite and not negative")
    if not array.any():
        raise BadSetting("there is nothing to cluster: no point has a weight above 0")
    return array
