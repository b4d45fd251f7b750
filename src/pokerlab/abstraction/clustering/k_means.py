"""k-means under squared Euclidean distance, and under the one-dimensional earth mover's distance of histograms.

Lloyd's algorithm from a k-means++ start, the best of several restarts. `emd` takes cumulative histograms
(`cumulative`): the earth mover's distance is then exactly the sum of absolute differences, in counts times bins, and
the mean of histograms is the mean of such rows. A mean does not minimise a sum of absolute differences; if an iteration
with means would raise the distortion, only those centres move whose own points are nearer to the mean. The median
(`middle="median"`) does minimise it: 14 % less distortion on turn hands of hold'em in 1,000 clusters, at slightly more
time. The distortion never rises.

With more points than `sample`, a sample drawn by weight is fitted and all points are then assigned to its centres.
Centres are numbered from weak to strong by the sum of coordinates, descending under `emd`, where weak hands have large
sums.

The same seed gives the same clusters, whatever the number of threads and the order of the points (unless sampled).
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.clustering.clusters import Clusters, check_count, checked_weights
from pokerlab.abstraction.clustering.lloyd import Fit, KMeansSettings, fit
from pokerlab.abstraction.clustering.nearest import METRICS, Nearest, Rows, usable
from pokerlab.abstraction.clustering.sample import WeightedPoints, fitted_on
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.parallel import ThreadTeam

_RESEEDED_MOST = 20  # times that empty clusters are refilled before they are dropped


DEFAULTS = KMeansSettings()


def k_means(
    points: np.ndarray,  # [n, dims]; float32, uint8 and uint16 are used as they are, other types become float32
    weights: np.ndarray | None,  # [n]: how many hands each point represents
    count: int,
    *,
    metric: str = "euclidean",
    settings: KMeansSettings = DEFAULTS,
    watch: Watch = SILENT,
) -> Clusters:
    """Clusters around this many centres, or one per distinct point if there are no more of those.

    >>> clusters = k_means(np.array([[1], [2], [9], [10]]), None, 2)
    >>> clusters.labels.tolist(), clusters.centres.tolist(), clusters.distortion
    ([0, 0, 1, 1], [[1.5], [9.5]], 0.25)
    """
    check_count(count)
    if metric not in METRICS:
        raise BadSetting(f"there is no metric {metric!r}; choose one of {', '.join(METRICS)}")
    if settings.middle == "median" and metric != "emd":
        raise BadSetting(f"the median is the middle of a cluster under emd, not under {metric}")
    rows = usable(points)
    if metric == "emd" and len(rows):
        last = rows[:, -1]  # the earth mover's distance is undefined between histograms of different totals
        if float(last.max()) - float(last.min()) > 1e-4 * abs(float(last.max())):
            raise BadSetting(
                f"histograms must hold the same amount each, and these hold {last.min():g} to {last.max():g}; "
                "`emd` takes rows of `cumulative(histograms)`"
            )
    hands = checked_weights(weights, len(rows))
    fitted = fitted_on(rows, hands, most=max(settings.sample, count), seed=settings.seed)
    return clusters_of(rows, hands, fitted, count, metric=metric, settings=settings, watch=watch)


def clusters_of(
    rows: np.ndarray | Rows,
    weights: np.ndarray,
    fitted: WeightedPoints,
    count: int,
    *,
    metric: str,
    settings: KMeansSettings,
    watch: Watch,
) -> Clusters:
    """Fit centres to distinct points, and assign all rows to them."""
    best: Fit | None = None  # None if each point is a centre
    if len(fitted.points) <= count:
        rule = Nearest(metric, _ordered(fitted.points.astype(np.float32), metric))
    else:
        team = ThreadTeam(settings.threads)
        rngs = (np.random.default_rng([settings.seed, restart]) for restart in range(settings.restarts))
        fits = (fit(fitted, count, settings, metric=metric, rng=rng, team=team, watch=watch) for rng in rngs)
        best = min(fits, key=lambda one: one.falling[-1])
        rule = _without_empty(fitted, best.centres, metric=metric, threads=settings.threads)
    assigned = rule.assign(rows, weights, threads=settings.threads, watch=watch)
    skipped, falling = (assigned.skipped, ()) if best is None else (best.skipped, best.falling)
    return Clusters(len(rule.centres), rule.centres, assigned.labels, assigned.distortion, skipped, rule, falling)


def _ordered(centres: np.ndarray, metric: str) -> np.ndarray:
    """Centres from weak to strong; equal sums are ordered by coordinates."""
    sums = centres.sum(axis=1, dtype=np.float64)
    keys = [*centres.T[::-1], -sums if metric == "emd" else sums]
    return np.ascontiguousarray(centres[np.lexsort(keys)])


def _without_empty(fitted: WeightedPoints, centres: np.ndarray, *, metric: str, threads: int) -> Nearest:
    """The rule of ordered centres. Reordering breaks ties differently, which may empty a cluster: it is refilled."""
    for _ in range(_RESEEDED_MOST):
        rule = Nearest(metric, _ordered(centres, metric))
        assigned = rule.assign(fitted.points, threads=threads)
        if assigned.used.all():
            return rule
        centres = rule.centres.copy()
        apart = np.abs(fitted.points - centres[assigned.labels]).sum(axis=1, dtype=np.float64) * fitted.weights
        empty = np.flatnonzero(~assigned.used)
        farthest = np.argsort(-apart, kind="stable")[: len(empty)]
        centres[empty] = fitted.points[farthest]
    return Nearest(metric, rule.centres[assigned.used])


def cumulative(histograms: np.ndarray) -> np.ndarray:
    """Cumulative histograms: counts with a common total as integers, others as shares in float32.

    >>> cumulative(np.array([[1, 0, 2], [0, 3, 0]])).tolist(), cumulative(np.array([[1, 3], [1, 1]])).tolist()
    ([[1, 1, 3], [0, 3, 3]], [[0.25, 1.0], [0.5, 1.0]])
    """
    rows = np.asarray(histograms)
    if rows.ndim != 2 or rows.shape[1] < 1 or rows.dtype.kind not in "uif":
        raise BadSetting(f"histograms must be an array of numbers [n, bins], got {rows.dtype} of shape {rows.shape}")
    if rows.size and not rows.min() >= 0:
        raise BadSetting("a histogram must not hold negative amounts")
    whole = rows.dtype.kind in "ui"
    sums = np.cumsum(rows, axis=1, dtype=np.int64 if whole else np.float64)
    totals = sums[:, -1]
    if len(totals) and not (totals.min() > 0 and np.isfinite(totals.max())):
        raise BadSetting("a histogram must hold something")
    if whole and len(totals) and totals.min() == totals.max() <= np.iinfo(np.uint16).max:
        return sums.astype(np.uint8 if totals[0] <= np.iinfo(np.uint8).max else np.uint16)
    shares = (sums / totals[:, None]).astype(np.float32)
    shares[:, -1] = 1
    return shares
