"""Weighted percentiles of one number: clusters with equal shares of the hands, as nearly as ties allow.

Equal numbers are never split. Shares are filled from the lowest number up, each with its part of what remains, so there
are as many clusters as requested, or as there are distinct numbers.

Nested percentiles are shares by one number, for example E[HS^2], and within each share by another, E[HS]. Johanson,
"Robust strategies and counter-strategies", 2007: E[HS^2] favours hands that may become strong; E[HS] then separates
them from made hands.
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
        values = _like(_numbers(points), self.starts)
        labels = np.empty(len(values), label_type(len(self.starts)))
        for at in range(0, len(values), _BLOCK):
            part = slice(at, at + _BLOCK)
            labels[part] = np.searchsorted(self.starts[1:], values[part], side="right")
            watch.at("placing by percentiles", min(1.0, (at + _BLOCK) / len(values)))
        return labels


@dataclass(frozen=True, eq=False)
class NestedThresholds:
    """The rule of nested percentiles: the share of the first number, then the cluster of the second within it."""

    outer_starts: np.ndarray  # [share]: the least first number of each
    inner_starts: np.ndarray  # [cluster]: the least second number of each
    offsets: np.ndarray  # [share + 1] int64: the first cluster of each share

    def place(self, points: np.ndarray, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each pair of numbers.  # [n, 2] -> [n]"""
        from pokerlab.abstraction.clustering._kernels.rows import place_nested

        pairs = _numbers(points, 2)
        labels = np.empty(len(pairs), label_type(len(self.inner_starts)))
        for at in range(0, len(pairs), _BLOCK):
            part = np.ascontiguousarray(_like(pairs[at : at + _BLOCK], self.outer_starts))
            place_nested(part, self.outer_starts, self.inner_starts, self.offsets, labels[at : at + _BLOCK])
            watch.at("placing by percentiles", min(1.0, (at + _BLOCK) / len(pairs)))
        return labels


@dataclass(frozen=True, eq=False)
class GroupedThresholds:
    """The rule of percentiles within groups: the nearest centre of all numbers but the last, then the last."""

    centres: np.ndarray  # [group, dims]
    inner_starts: np.ndarray  # [cluster]: the least last number of each
    offsets: np.ndarray  # [group + 1] int64: the first cluster of each group

    def place(self, points: np.ndarray, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The cluster of each point.  # [n, dims + 1] -> [n]"""
        groups = nearest_group(points[:, :-1], self.centres)
        values = _like(points[:, -1], self.inner_starts)
        labels = np.empty(len(points), label_type(len(self.inner_starts)))
        for group in range(len(self.centres)):
            own, first, end = np.flatnonzero(groups == group), int(self.offsets[group]), int(self.offsets[group + 1])
            labels[own] = first + np.searchsorted(self.inner_starts[first + 1 : end], values[own], side="right")
            watch.at("placing by percentiles", (group + 1) / len(self.centres))
        return labels


def nearest_group(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The nearest centre of each point, the first of several.  # [n, dims], [group, dims] -> [n]"""
    best, nearest = np.full(len(points), np.inf), np.zeros(len(points), np.int64)
    for group, centre in enumerate(centres):
        distance = ((points - centre) ** 2).sum(axis=1)
        closer = distance < best
        best[closer], nearest[closer] = distance[closer], group
    return nearest


def percentiles(
    values: np.ndarray,  # [n] or [n, 1]
    weights: np.ndarray | None,  # [n]: how many hands each number represents
    count: int,
    *,
    watch: Watch = SILENT,
) -> Clusters:
    """Clusters of equal weight by one number.

    >>> clusters = percentiles(np.array([5.0, 1.0, 1.0, 3.0]), np.array([1, 1, 1, 3]), 2)
    >>> clusters.labels.tolist(), clusters.centres.tolist(), clusters.place([2.9, 3.0]).tolist()
    ([1, 0, 0, 1], [[1.0], [3.5]], [0, 1])
    """
    check_count(count)
    numbers = _numbers(values)
    counts = checked_weights(weights, len(numbers))
    watch.at("sorting", 0.0)
    rule = Thresholds(_share_starts(numbers, counts, count))
    labels = rule.place(numbers, watch=watch)
    centres, distortion = _moments(numbers[:, None], counts, labels, len(rule.starts))
    return Clusters(len(rule.starts), centres, labels, distortion, 1.0, rule)


def intervals(values: np.ndarray, weights: np.ndarray | None, count: int, *, watch: Watch = SILENT) -> Clusters:
    """Clusters of equal width between 0 and 1; those without a number are left out.

    >>> clusters = intervals(np.array([0.1, 0.3, 0.35, 1.0]), None, 4)
    >>> clusters.labels.tolist(), clusters.rule.starts.tolist()
    ([0, 1, 1, 2], [0.0, 0.25, 0.75])
    """
    check_count(count)
    numbers = _numbers(values)
    counts = checked_weights(weights, len(numbers))
    edges = np.arange(count) / count
    kind = numbers.dtype if numbers.dtype.kind == "f" else np.float64
    filled = np.unique(np.searchsorted(edges[1:], numbers[counts > 0], side="right"))
    rule = Thresholds(edges[filled].astype(kind))
    labels = rule.place(numbers, watch=watch)
    centres, distortion = _moments(numbers[:, None], counts, labels, len(rule.starts))
    return Clusters(len(rule.starts), centres, labels, distortion, 1.0, rule)


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
    pairs = _numbers(points, 2)
    hands = checked_weights(weights, len(pairs))
    watch.at("sorting", 0.0)
    outer = Thresholds(_share_starts(pairs[:, 0], hands, counts[0]))
    shares = outer.place(pairs[:, 0], watch=watch)
    order = np.argsort(shares, kind="stable")
    ends = np.cumsum(np.bincount(shares, minlength=len(outer.starts)))
    inner = []
    for share, rows in enumerate(np.split(order, ends[:-1])):
        inner.append(_share_starts(pairs[rows, 1], hands[rows], counts[1]))
        watch.at("sorting within shares", (share + 1) / len(ends))
    rule = NestedThresholds(outer.starts, np.concatenate(inner), np.cumsum([0, *map(len, inner)]))
    labels = rule.place(pairs, watch=watch)
    centres, distortion = _moments(pairs, hands, labels, len(rule.inner_starts))
    return Clusters(len(rule.inner_starts), centres, labels, distortion, 1.0, rule)


def grouped(
    points: np.ndarray,  # [n, dims + 1]
    weights: np.ndarray | None,  # [n]: how many hands each point represents
    centres: np.ndarray,  # [group, dims]
    count: int,
    *,
    watch: Watch = SILENT,
) -> Clusters:
    """Clusters of equal weight by the last number, within the groups of the nearest centre by the others.

    >>> points = np.array([[0.0, 0.5], [0.1, 0.2], [1.0, 0.7], [0.9, 0.7]])
    >>> grouped(points, None, np.array([[0.0], [1.0]]), 2).labels.tolist()
    [1, 0, 2, 2]
    """
    check_count(count)
    hands = checked_weights(weights, len(points))
    groups = nearest_group(points[:, :-1], centres)
    used = np.flatnonzero(np.bincount(groups, hands, minlength=len(centres)) > 0)
    inner = []
    for position, group in enumerate(used.tolist()):
        own = np.flatnonzero(groups == group)
        inner.append(_share_starts(points[own, -1], hands[own], count))
        watch.at("sorting within groups", (position + 1) / len(used))
    rule = GroupedThresholds(centres[used], np.concatenate(inner), np.cumsum([0, *map(len, inner)]))
    labels = rule.place(points, watch=watch)
    means, distortion = _moments(points, hands, labels, len(rule.inner_starts))
    return Clusters(len(rule.inner_starts), means, labels, distortion, 1.0, rule)


def _numbers(values: np.ndarray, dims: int = 1) -> np.ndarray:
    """One or two finite numbers per point; BadSetting otherwise.  # [n] or [n, 1] -> [n]; [n, 2] -> [n, 2]"""
    array = np.asarray(values)
    if dims == 1 and array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape[1:] != (2,) * (dims == 2) or array.ndim != dims or array.dtype.kind not in "uif":
        how_many = ("one number", "two numbers")[dims - 1]
        raise BadSetting(f"percentiles need {how_many} per point, got {array.dtype} of shape {array.shape}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise BadSetting("percentiles need finite numbers")
    return array


def _like(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Numbers rounded to the type of the thresholds."""
    return values.astype(starts.dtype, copy=False) if starts.dtype.kind == "f" else values


def _share_starts(values: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
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
        target = before + (reached[-1] - before) / left
        above = int(np.searchsorted(reached, target))  # the number that brings the sum to the target or above
        below = reached[above - 1] if above else 0.0
        nearest = above + int(reached[above] - target <= target - below)
        starts[share] = min(max(nearest, begin + 1), len(first) - left + 1)
    return ascending[first[starts]]


def _moments(points: np.ndarray, weights: np.ndarray, labels: np.ndarray, count: int) -> tuple[np.ndarray, float]:
    """The weighted mean of each cluster, and the weighted mean squared distance to it.  # [cluster, dims] float64"""
    from pokerlab.abstraction.clustering._kernels.rows import add_moments

    middle = points[:1].astype(np.float64) if len(points) else 0.0
    sums, squares, totals = np.zeros((count, points.shape[1])), np.zeros(count), np.zeros(count)
    for at in range(0, len(points), _BLOCK):
        part = slice(at, at + _BLOCK)  # shifted by a typical value to avoid cancellation
        add_moments(points[part] - middle, weights[part], labels[part], sums, squares, totals)
    centres = sums / totals[:, None]
    within = float((squares - totals * (centres**2).sum(axis=1)).sum())
    return centres + middle, max(within, 0.0) / float(totals.sum())
