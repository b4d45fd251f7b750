"""What k-means is fitted on: distinct points with their weights, or a sample by weight if there are too many.

Equal points are merged and their weights added, in an order that depends on the points alone. So a fit does not change
when points are permuted, and a weight of three equals a point that occurs three times.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.clustering.nearest import BLOCK, checked

_MOST_MERGED = 4_000_000  # points; with more, a sample is drawn before equal ones are merged
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


class WeightedPoints(NamedTuple):
    """Points and their weights."""

    points: np.ndarray  # [n, dims] float32, uint8 or uint16
    weights: np.ndarray  # [n] float64


def fitted_on(points: np.ndarray, weights: np.ndarray, *, most: int, seed: int) -> WeightedPoints:
    """Distinct points of positive weight: all of them, or a sample of at most this many."""
    if len(points) > max(most, _MOST_MERGED):
        return distinct(sampled(points, weights, most, seed=seed))
    merged = distinct(WeightedPoints(checked(np.ascontiguousarray(points)), weights))
    return merged if len(merged.points) <= most else distinct(sampled(*merged, most, seed=seed))


def distinct(weighted: WeightedPoints) -> WeightedPoints:
    """Merge equal points and drop those without weight; ordered by a hash, so the original order does not matter."""
    from pokerlab.abstraction.clustering._kernels.rows import add_weights, hash_rows, mark_first

    points, weights = weighted
    if not weights.all():
        points, weights = points[weights > 0], weights[weights > 0]
    points = points + points.dtype.type(0)  # turns -0.0 into 0.0
    words = points.view(_WORDS[points.dtype.itemsize])
    hashes = np.empty(len(words), np.uint64)
    hash_rows(words, hashes)
    order = np.argsort(hashes, kind="stable")
    is_first = np.empty(len(words), np.bool_)
    mark_first(words, hashes, order, is_first)
    totals = np.zeros(np.count_nonzero(is_first))
    add_weights(weights, order, is_first, totals)
    return WeightedPoints(points[order[is_first]], totals)


def sampled(points: np.ndarray, weights: np.ndarray, number: int, *, seed: int) -> WeightedPoints:
    """This many points drawn by weight, with repetitions."""
    rows = sampled_rows(weights, number, seed=seed)
    return WeightedPoints(checked(np.ascontiguousarray(points[rows])), np.ones(number))


def sampled_rows(weights: np.ndarray, number: int, *, seed: int) -> np.ndarray:
    """This many row indices, ascending, one from each equal share of the weight.  # [number] int64"""
    from pokerlab.abstraction.clustering._kernels.rows import sample_rows

    jitter = np.random.default_rng([seed, number]).random(number)
    rows = np.empty(number, np.int64)
    total = sum(float(weights[at : at + BLOCK].sum(dtype=np.float64)) for at in range(0, len(weights), BLOCK))
    sample_rows(weights, total, jitter, rows)
    return rows
