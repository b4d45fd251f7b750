"""Nested percentiles: shares by one number, for example E[HS^2], and within each share by another, E[HS].

Johanson, "Robust strategies and counter-strategies", 2007: E[HS^2] favours hands that may become strong; E[HS] then
separates them from made hands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.clustering.clusters import Clusters, check_count, checked_weights, label_type
from pokerlab.abstraction.clustering.percentiles import Thresholds, like, moments, share_starts
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

_BLOCK = 1 << 20  # points assigned per batch


@dataclass(frozen=True, eq=False)
class NestedThresholds:
    """The rule of nested percentiles: the share of the first number, then the cluster of the second within it."""

    outer_starts: np.ndarray  # [share]: the least first number of each
    inner_starts: np.ndarray  # [cluster]: the least second number of each
    offsets: np.ndarray  # [share + 1] int64: the first cluster of each share

    def place(self, points: np.ndarray, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each pair of numbers.  # [n, 2] -> [n]"""
        from pokerlab.abstraction.clustering._kernels.thresholds import place_nested

        given = _pairs(points)
        labels = np.empty(len(given), label_type(len(self.inner_starts)))
        for at in range(0, len(given), _BLOCK):
            part = np.ascontiguousarray(like(given[at : at + _BLOCK], self.outer_starts))
            place_nested(part, self.outer_starts, self.inner_starts, self.offsets, labels[at : at + _BLOCK])
            watch.at("placing by percentiles", min(1.0, (at + _BLOCK) / len(given)))
        return labels


def nested(
    points: np.ndarray,  # [n, 2]: the outer number, and the inner one
    weights: np.ndarray | None,  # [n]: how many hands each point represents
    counts: tuple[int, int],  # shares of the first number, and clusters within each
    *,
    watch: Watch = SILENT,
) -> Clusters:
    """Clusters of equal weight by one number and within each of those by another.

    >>> points = np.array([[0.1, 0.5], [0.1, 0.2], [0.9, 0.7], [0.9, 0.8]])
    >>> nested(points, None, (2, 2)).labels.tolist()
    [1, 0, 2, 3]
    """
    for count in counts:
        check_count(count)
    given = _pairs(points)
    weighing = checked_weights(weights, len(given))
    watch.at("sorting", 0.0)
    outer = Thresholds(share_starts(given[:, 0], weighing, counts[0]))
    shares = outer.place(given[:, 0], watch=watch)
    order = np.argsort(shares, kind="stable")
    ends = np.cumsum(np.bincount(shares, minlength=len(outer.starts)))
    inner = []
    for share, end in enumerate(ends):
        rows = order[ends[share - 1] if share else 0 : end]
        inner.append(share_starts(given[rows, 1], weighing[rows], counts[1]))
        watch.at("sorting within shares", (share + 1) / len(ends))
    offsets = np.cumsum([0, *map(len, inner)])
    rule = NestedThresholds(outer.starts, np.concatenate(inner), offsets)
    labels = rule.place(given, watch=watch)
    centres, distortion = moments(given, weighing, labels, len(rule.inner_starts))
    return Clusters("nested", len(rule.inner_starts), centres, labels, distortion, 1.0, rule)


def _pairs(points: np.ndarray) -> np.ndarray:
    given = np.asarray(points)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "uif":
        raise BadSetting(
            f"nested percentiles are of two numbers a point, [n, 2], not of {given.dtype} of shape {given.shape}"
        )
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise BadSetting("percentiles are of finite numbers")
    return given
