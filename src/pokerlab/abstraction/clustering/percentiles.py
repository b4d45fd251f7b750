"""Weighted percentiles of one number: clusters with equal shares of the hands, as nearly as ties allow.

Equal numbers are never split. Shares are filled from the lowest number up, each with its part of what remains, so there
are as many clusters as requested, or as there are distinct numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.clustering.clusters import Clusters, check_count, checked_weights, label_type
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

_BLOCK = 1 << 20  # numbers assigned per batch


@dataclass(frozen=True, eq=False)
class Thresholds:
    """The rule of percentiles: a number belongs to the last cluster that starts at or below it, or to the first."""

    starts: np.ndarray  # [cluster]: the least number of each, of the type of the fitted numbers

    def place(self, points: np.ndarray, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each number.  # [n] or [n, 1] -> [n]"""
        values = like(numbers(points), self.starts)
        labels = np.empty(len(values), label_type(len(self.starts)))
        for at in range(0, len(values), _BLOCK):
            part = slice(at, at + _BLOCK)
            labels[part] = np.searchsorted(self.starts[1:], values[part], side="right")
            watch.at("placing by percentiles", min(1.0, (at + _BLOCK) / len(values)))
        return labels


def percentiles(
    values: np.ndarray,  # [n] or [n, 1]
    weights: np.ndarray | None,  # [n]: how many hands each number represents
    count: int,
    *,
    watch: Watch = SILENT,
) -> Clusters:
    """Clusters of equal weight by one number.

    >>> found = percentiles(np.array([5.0, 1.0, 1.0, 3.0]), np.array([1, 1, 1, 3]), 2)
    >>> found.labels.tolist(), found.centres.tolist(), found.place([2.9, 3.0]).tolist()
    ([1, 0, 0, 1], [[1.0], [3.5]], [0, 1])
    """
    check_count(count)
    given = numbers(values)
    counts = checked_weights(weights, len(given))
    watch.at("sorting", 0.0)
    rule = Thresholds(share_starts(given, counts, count))
    labels = rule.place(given, watch=watch)
    centres, distortion = moments(given[:, None], counts, labels, len(rule.starts))
    return Clusters("percentiles", len(rule.starts), centres, labels, distortion, 1.0, rule)


def numbers(values: np.ndarray) -> np.ndarray:
    """One number per point; BadSetting otherwise.  # [n] or [n, 1] -> [n]"""
    given = np.asarray(values)
    if given.ndim == 2 and given.shape[1] == 1:
        given = given[:, 0]
    if given.ndim != 1 or given.dtype.kind not in "uif":
        raise BadSetting(f"percentiles are of one number a point, not of {given.dtype} of shape {given.shape}")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise BadSetting("percentiles are of finite numbers")
    return given


def like(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Numbers rounded to the type of the thresholds."""
    return values.astype(starts.dtype, copy=False) if starts.dtype.kind == "f" else values


def share_starts(values: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """The least number of each of this many equal shares, or of each distinct number.  # [share]"""
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    first = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
    reached = np.cumsum(np.add.reduceat(weights[order], first, dtype=np.float64))
    has_weight = np.diff(reached, prepend=0.0) > 0
    first, reached = first[has_weight], reached[has_weight]
    shares = min(count, len(first))
    starts = np.zeros(shares, np.int64)
    for share in range(1, shares):
        begin, left = starts[share - 1], shares - share + 1
        before = reached[begin - 1] if begin else 0.0
        starts[share] = _end(reached, before + (reached[-1] - before) / left, begin + 1, len(first) - left + 1)
    return ascending[first[starts]]


def _end(reached: np.ndarray, wanted: float, earliest: int, latest: int) -> int:
    """How many distinct numbers bring the weight nearest to the target, within limits."""
    above = int(np.searchsorted(reached, wanted))  # the number that brings the sum to the target or above
    below = reached[above - 1] if above else 0.0
    end = above + (reached[above] - wanted <= wanted - below)
    return min(max(int(end), earliest), latest)


def moments(points: np.ndarray, weights: np.ndarray, labels: np.ndarray, count: int) -> tuple[np.ndarray, float]:
    """The weighted mean of each cluster, and the weighted mean squared distance to it.  # [cluster, dims] float64"""
    from pokerlab.abstraction.clustering._kernels.thresholds import add_moments

    middle = points[:1].astype(np.float64) if len(points) else 0.0
    sums, squares, totals = np.zeros((count, points.shape[1])), np.zeros(count), np.zeros(count)
    for at in range(0, len(points), _BLOCK):
        part = slice(at, at + _BLOCK)  # shifted by a typical value to avoid cancellation
        add_moments(points[part] - middle, weights[part], labels[part], sums, squares, totals)
    centres = sums / totals[:, None]
    within = float((squares - totals * (centres**2).sum(axis=1)).sum())
    return centres + middle, max(within, 0.0) / float(totals.sum())
