"""Clustering the slow way: every distance, every round; sums in the order that the kernels promise."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import eye_array, kron, vstack


def distances(points: np.ndarray, centres: np.ndarray, metric: str) -> np.ndarray:
    """All distances [n, k] in float32: four coordinates at a time, two and two."""
    width = -(-points.shape[1] // 4) * 4
    terms = np.zeros((len(points), len(centres), width), np.float32)
    apart = points.astype(np.float32)[:, None] - centres.astype(np.float32)[None]
    terms[:, :, : points.shape[1]] = np.abs(apart) if metric == "emd" else apart * apart
    total = np.zeros(terms.shape[:2], np.float32)
    for axis in range(0, width, 4):
        one, two, three, four = (terms[:, :, axis + more] for more in range(4))
        total += (one + two) + (three + four)
    return total


def nearest(points: np.ndarray, centres: np.ndarray, metric: str) -> np.ndarray:
    """The nearest centre of each point, the lowest number of several."""
    return distances(points, centres, metric).argmin(axis=1)


def boxes(points: np.ndarray, low: np.ndarray, high: np.ndarray, metric: str) -> np.ndarray:
    """Distances [n, tile] to boxes with corners low and high [tile, dims], in float64."""
    given = points.astype(np.float64)[:, None]
    outside = np.maximum(np.maximum(low[None] - given, given - high[None]), 0)
    return outside.sum(axis=2) if metric == "emd" else (outside**2).sum(axis=2)


def weighted_median(values: np.ndarray, weights: np.ndarray) -> float:
    """The lowest number that at least half of the weight is not above."""
    return min(v for v in values.tolist() if weights[values <= v].sum() >= 0.5 * weights.sum())


def middle(points: np.ndarray, weights: np.ndarray, kind: str) -> np.ndarray:
    """The mean or median of points, one after the other."""
    if kind == "median":
        return np.array([weighted_median(column, weights) for column in points.T], np.float32)
    total = np.zeros(points.shape[1])
    for point, weight in zip(points, weights, strict=True):
        total += weight * point.astype(np.float64)
    return (total / weights.sum()).astype(np.float32)


def lloyd(
    points: np.ndarray,
    weights: np.ndarray,
    centres: np.ndarray,
    *,
    metric: str,
    kind: str,
    rounds: int,
    tolerance: float,
) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Centres, labels and distortions of Lloyd's algorithm; empty clusters get the points that are worst off."""
    apart = distances(points, centres, metric)
    labels, falling = apart.argmin(axis=1), [weights @ apart.min(axis=1).astype(np.float64) / weights.sum()]
    for _ in range(rounds):
        own = apart[np.arange(len(points)), labels].astype(np.float64)
        empty = [number for number in range(len(centres)) if not (labels == number).any()]
        moved = centres.copy()
        if empty:
            moved[empty] = points[np.argsort(-(weights * own), kind="stable")[: len(empty)]]
        else:
            for number in range(len(centres)):
                moved[number] = middle(points[labels == number], weights[labels == number], kind)
        if not empty and metric == "emd" and kind == "mean":
            then = distances(points, moved, metric)[np.arange(len(points)), labels].astype(np.float64)
            before = np.array([(weights * own)[labels == number].sum() for number in range(len(centres))])
            after = np.array([(weights * then)[labels == number].sum() for number in range(len(centres))])
            if after.sum() > before.sum():
                moved[after >= before] = centres[after >= before]
        found = distances(points, moved, metric)
        distortion = weights @ found.min(axis=1).astype(np.float64) / weights.sum()
        if not distortion < falling[-1]:
            break
        changed = (found.argmin(axis=1) != labels).any()
        apart, centres, labels = found, moved, found.argmin(axis=1)
        falling.append(distortion)
        if not empty and (not changed or falling[-2] - falling[-1] <= tolerance * falling[-2]):
            break
    return centres, labels, falling


def shares(values: list[float], weights: list[float], count: int) -> list[float]:
    """The least number of each share: filled from below, each as near as can be to its part of what is left."""
    held: dict[float, float] = {}
    for value, weight in zip(values, weights, strict=True):
        held[value] = held.get(value, 0) + weight
    rest = sorted((value, weight) for value, weight in held.items() if weight > 0)
    starts = []
    for left in range(min(count, len(rest)), 0, -1):
        starts.append(rest[0][0])
        wanted = sum(weight for _, weight in rest) / left
        sums = [abs(sum(weight for _, weight in rest[:taken]) - wanted) for taken in range(len(rest) + 1)]
        allowed = range(1, len(rest) - left + 2)
        taken = max(allowed, key=lambda taken: (-sums[taken], taken))
        rest = rest[taken:]
    return starts


def seed(points: np.ndarray, weights: np.ndarray, count: int, metric: str, units: list[float], block: int) -> list[int]:
    """The points that k-means++ draws with given random numbers; sums are by block, as the kernels'."""
    apart, chosen = np.ones(len(points), np.float32), []
    for unit in units[:count]:
        shares = weights * apart
        sums = np.array([_sum(shares[at : at + block]) for at in range(0, len(points), block)])
        wanted = unit * sums.sum()
        number = next(i for i in range(len(sums)) if np.cumsum(sums)[i] > wanted)
        wanted -= sums[:number].sum()
        reached, at = 0.0, number * block
        while True:
            reached += shares[at]
            if shares[at] > 0 and reached > wanted:
                break
            at += 1
        chosen.append(at)
        apart = distances(points, points[chosen], metric).min(axis=1)
    return chosen


def _sum(values: np.ndarray) -> float:
    total = 0.0
    for value in values.tolist():
        total += value
    return total


def transport_program(supply: np.ndarray, demand: np.ndarray, ground: np.ndarray) -> float:
    """The least cost of moving one distribution into another, where ground [i, j] is the cost of moving 1 from i to j.

    >>> transport_program(np.array([1.0, 0.0]), np.array([0.25, 0.75]), np.array([[0.0, 2.0], [2.0, 0.0]]))
    1.5
    """
    givers, takers = np.flatnonzero(supply), np.flatnonzero(demand)
    costs = ground[np.ix_(givers, takers)].astype(np.float64)
    leaving = kron(eye_array(len(givers)), np.ones((1, len(takers))))
    arriving = kron(np.ones((1, len(givers))), eye_array(len(takers)))
    amounts = np.concatenate([supply[givers] / supply.sum(), demand[takers] / demand.sum()])
    limits = vstack([leaving, arriving]).tocsr()
    solved = linprog(costs.ravel(), A_eq=limits, b_eq=amounts, method="highs")
    assert solved.success, solved.message
    return float(solved.fun)
