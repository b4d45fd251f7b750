"""Lloyd's algorithm: centres move to the middle of their points, points to the nearest centre, until little changes.

Before anything else moves, an empty cluster takes the point that contributes most to the distortion as its centre,
which lowers the distortion too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.abstraction.clustering.nearest import METRICS, grouped, search_buffers, tiles_of
from pokerlab.abstraction.clustering.sample import WeightedPoints
from pokerlab.abstraction.clustering.seeding import Start, seed_centres
from pokerlab.errors import BadSetting
from pokerlab.events import Watch
from pokerlab.parallel import ThreadTeam

if TYPE_CHECKING:
    from pokerlab.abstraction.clustering._kernels.lloyd import Members

MIDDLES = ("mean", "median")
_BLOCK = 1 << 13  # points summed as one block, so that sums do not depend on the threads


@dataclass(frozen=True)
class KMeansSettings:
    """Settings of k-means."""

    middle: str = "mean"  # centre of a cluster: the mean, or under `emd` the median of each coordinate
    restarts: int = 1  # number of starts; the best is used
    rounds: int = 100  # maximum number of iterations
    tolerance: float = 1e-4  # stop when an iteration lowers the distortion by no more than this share
    sample: int = 300_000  # most points that are fitted
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        if self.middle not in MIDDLES:
            raise BadSetting(f"the middle of a cluster is its {' or its '.join(MIDDLES)}, not {self.middle!r}")
        if min(self.restarts, self.rounds, self.sample, self.threads) < 1:
            raise BadSetting("restarts, rounds, sample and threads must each be at least 1")
        if self.seed < 0 or not self.tolerance >= 0:
            raise BadSetting("seed and tolerance must not be negative")


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted centres."""

    centres: np.ndarray  # [centre, dims] float32
    falling: tuple[float, ...]  # the weighted mean distance after each iteration
    skipped: float  # share of the distances that bounds made unnecessary, seeding included


def fit(
    fitted: WeightedPoints,
    count: int,
    settings: KMeansSettings,
    *,
    metric: str,
    rng: np.random.Generator,
    team: ThreadTeam,
    watch: Watch,
) -> Fit:
    """Fit centres from one random start; there are more distinct points than centres."""
    start = seed_centres(fitted, count, metric=metric, rng=rng, team=team, watch=watch)
    search = _Search(fitted, start, metric=metric, middle=settings.middle, team=team)
    weight = float(fitted.weights.sum())
    centres, falling = start.centres, [float(fitted.weights @ start.distances) / weight]
    looks, done = start.looks, 0
    for done in range(1, settings.rounds + 1):
        watch.at("moving centres", done / settings.rounds)
        empty = np.flatnonzero(np.bincount(search.state.labels, minlength=count) == 0)
        moved = search.reseeded(centres, empty) if len(empty) else search.middles(centres)
        total, changed = search.move(centres, moved)
        if not total / weight < falling[-1]:
            break
        centres = moved
        falling.append(total / weight)
        if not len(empty) and (changed == 0 or falling[-2] - falling[-1] <= settings.tolerance * falling[-2]):
            break
    looks += search.looks
    possible = len(fitted.points) * count * (1 + done)
    return Fit(centres[:, : fitted.points.shape[1]], tuple(falling), 1.0 - looks / possible)


class _Search:
    """Points, their nearest centres, and the bounds that are carried between iterations."""

    def __init__(self, fitted: WeightedPoints, start: Start, *, metric: str, middle: str, team: ThreadTeam) -> None:
        from pokerlab.abstraction.clustering._kernels.lloyd import State, first_bounds

        centres, labels = start.centres, start.labels
        self._fitted, self._metric, self._team = fitted, METRICS.index(metric), team
        self._median = middle == "median"
        self._falls = self._median or metric == "euclidean"  # whether moving to the middle never raises the distortion
        self._groups = grouped(centres)
        self._tile_of = np.zeros(len(centres), np.int32)
        for tile, group in enumerate(self._groups):
            self._tile_of[group] = tile
        self._slack = np.float32((centres.shape[1] + 16) * 2.0**-22)
        self.state = State(labels, start.distances, np.zeros((len(labels), len(self._groups)), np.float32))
        self.looks = 0
        self._blocks = range(0, len(labels), _BLOCK)
        tiles = tiles_of(centres, self._groups)

        def bound(member: int) -> None:
            buffers = search_buffers(tiles)
            for at in self._blocks[member :: team.members]:
                part = slice(at, at + _BLOCK)
                first_bounds(fitted.points[part], tiles, self._metric, self._slack, buffers, self.state.lower[part])

        team.run(bound)

    def middles(self, centres: np.ndarray) -> np.ndarray:
        """The mean or median of each cluster's points; no cluster is empty.  # [centre, coordinate]"""
        from pokerlab.abstraction.clustering._kernels.lloyd import Members, add_members, find_medians

        (points, weights), labels, count = self._fitted, self.state.labels, len(centres)
        order = np.argsort(labels.astype(np.uint16) if count <= 1 << 16 else labels, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=count))])
        cuts = np.searchsorted(starts, np.linspace(0, len(labels), self._team.members + 1))
        cuts[0], cuts[-1] = 0, count
        members, moved = Members(order, starts, cuts), centres.copy()
        sums = np.zeros((len(centres), points.shape[1]))
        find, result = (find_medians, moved) if self._median else (add_members, sums)
        self._team.run(lambda part: find(points, weights, members, part, result))
        if not self._median:
            counts = np.bincount(labels, weights=weights, minlength=count)
            moved[:, : points.shape[1]] = sums / counts[:, None]
        if self._falls:
            return moved
        before, after = self._costs(members, centres), self._costs(members, moved)
        if after.sum() <= before.sum():
            return moved
        return np.where((after < before)[:, None], moved, centres)  # only those nearer to their own points

    def _costs(self, members: Members, centres: np.ndarray) -> np.ndarray:
        """The sum of weight times distance of each cluster.  # [cluster] float64"""
        from pokerlab.abstraction.clustering._kernels.lloyd import add_costs

        costs = np.zeros(len(centres))
        points = np.zeros((self._team.members, centres.shape[1]), np.float32)  # scratch
        self._team.run(lambda part: add_costs(*self._fitted, members, part, centres, self._metric, points[part], costs))
        return costs

    def reseeded(self, centres: np.ndarray, empty: np.ndarray) -> np.ndarray:
        """Centres, with those of empty clusters moved to the points with the largest cost.  # [centre, coordinate]"""
        points, weights = self._fitted
        worst = np.argsort(-(weights * self.state.distances), kind="stable")[: len(empty)]
        moved = centres.copy()
        moved[empty, : points.shape[1]] = points[worst]
        return moved

    def move(self, centres: np.ndarray, moved: np.ndarray) -> tuple[float, int]:
        """Relabel all points after a move; returns the sum of weight times distance, and how many points changed."""
        from pokerlab.abstraction.clustering._kernels.lloyd import Moves, State, reassign
        from pokerlab.abstraction.clustering._kernels.nearest import ABSOLUTE, LANES

        apart = np.abs(moved.astype(np.float64) - centres)
        lengths = apart.sum(axis=1) if self._metric == ABSOLUTE else np.sqrt((apart**2).sum(axis=1))
        drift = np.array([lengths[group].max() for group in self._groups]) * (1 + 1e-6)
        moves = Moves(moved, self._tile_of, drift.astype(np.float32), self._slack)
        tiles = tiles_of(moved, self._groups)
        sums = np.zeros((len(self._blocks), 3))

        def look(member: int) -> None:
            buffers = search_buffers(tiles)
            for block in range(member, len(self._blocks), self._team.members):
                part = slice(self._blocks[block], self._blocks[block] + _BLOCK)
                points, weights = self._fitted.points[part], self._fitted.weights[part]
                state = State(*(array[part] for array in self.state))
                sums[block] = reassign(points, weights, tiles, moves, self._metric, buffers, state)

        self._team.run(look)
        self.looks += len(self._fitted.points) + int(sums[:, 2].sum()) * min(LANES, len(centres))
        return float(sums[:, 0].sum()), int(sums[:, 1].sum())
