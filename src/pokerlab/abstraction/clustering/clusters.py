"""What every method of clustering gives: labels, centres, and a rule that places further points alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch


class Rule(Protocol):
    """Says which cluster a point belongs to; one point alone or among millions, the answer is the same."""

    def place(self, points: Any, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each point.  # [n] uint16 or uint32"""
        ...


@dataclass(frozen=True, eq=False)
class Clusters:
    """Points put into clusters, numbered from weak to strong where the method knows an order."""

    method: str
    count: int  # of clusters: fewer than were asked for where there are fewer distinct points; none is empty
    centres: np.ndarray  # [cluster, dims]: the weighted mean of each
    labels: np.ndarray | None  # [n] uint16 or uint32: the cluster of each point
    distortion: float  # weighted mean over the points of the distance (squared, for Euclidean) to the own centre
    skipped: float  # share of the distances between points and centres that bounds made unnecessary
    rule: Rule
    falling: tuple[float, ...] = ()  # the distortion of the points fitted after each round of k-means

    def place(self, points: Any, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each point, of those that were clustered or of others.  # [n] uint16 or uint32"""
        return self.rule.place(points, threads=threads, watch=watch)


def label_type(count: int) -> type[np.uint16] | type[np.uint32]:
    """The smallest of the two types of labels that numbers so many clusters."""
    return np.uint16 if count <= 1 << 16 else np.uint32


def check_count(count: int) -> None:
    """BadSetting for a number of clusters that is none."""
    if count < 1:
        raise BadSetting(f"points are put into at least 1 cluster, not {count}")


def checked_weights(weights: np.ndarray | None, number: int) -> np.ndarray:
    """One weight a point, all 1 where none are given; BadSetting for what cannot be weights.  # [n]"""
    if number == 0:
        raise BadSetting("there is nothing to cluster: no point is given")
    if weights is None:
        return np.ones(number, np.float32)
    given = np.asarray(weights)
    if given.shape != (number,):
        raise BadSetting(f"{number} points need weights of shape ({number},), not {given.shape}")
    if given.dtype.kind not in "uif":
        raise BadSetting(f"weights are numbers, not {given.dtype}")
    if not (given.min() >= 0 and np.isfinite(given.max())):  # a NaN fails both
        raise BadSetting("weights must be finite and not negative")
    if not given.any():
        raise BadSetting("there is nothing to cluster: no point has a weight above 0")
    return given
