"""The nearest of many centres: exact, bit for bit the same for one point and for a hundred million.

Distances are float32 sums in a fixed order, so they do not depend on the block, the thread or the bounds that skip most
of them. Ties go to the centre with the lowest index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.clustering.clusters import label_type
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

if TYPE_CHECKING:
    from pokerlab.abstraction.clustering._kernels.nearest import SearchBuffers, Tiles

METRICS = ("euclidean", "emd")  # in the order of the kernels' constants
BLOCK = 1 << 15  # points per unit of work of a thread
_PADDED = 16  # tiles whose bounds are computed at once


class Rows(Protocol):
    """Points that are computed on demand, a block at a time."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of points and of dimensions."""

    def __getitem__(self, part: slice) -> np.ndarray:
        """Some of them.  # [m, dims] float32"""


@dataclass(frozen=True, eq=False)
class Assignment:
    """Points and their nearest centres."""

    labels: np.ndarray  # [n] uint16 or uint32
    distortion: float  # weighted mean distance (squared, for Euclidean)
    skipped: float  # share of the distances that bounds made unnecessary
    used: np.ndarray  # [centre] bool: whether any point is nearest to it


@dataclass(frozen=True, eq=False)
class Nearest:
    """The rule of k-means: a point belongs to the nearest centre."""

    metric: str
    centres: np.ndarray  # [centre, dims] float32

    def place(self, points: np.ndarray, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The nearest centre of each point.  # [n, dims] float32, uint8 or uint16 -> [n]"""
        return self.assign(points, threads=threads, watch=watch).labels

    def assign(
        self, points: np.ndarray | Rows, weights: np.ndarray | None = None, *, threads: int = 1, watch: Watch = SILENT
    ) -> Assignment:
        """The nearest centres and distances; points may be a memory map, which is read in blocks."""
        from pokerlab.abstraction.clustering._kernels.nearest import assign

        rows = usable(points) if isinstance(points, np.ndarray | list) else points
        number, count = rows.shape[0], len(self.centres)
        if rows.shape[1] != self.centres.shape[1]:
            raise BadSetting(f"points have {rows.shape[1]} dimensions, and centres {self.centres.shape[1]}")
        labels = np.empty(number, label_type(count))
        total = weight = 0.0
        visited, used, tiles = 0, np.zeros(count, np.bool_), self.tiles

        def assign_block(start: int) -> tuple[int, float, float]:
            """Label a block; the tiles visited, the sum of weight times distance, and the weight."""
            part = slice(start, start + BLOCK)
            block = checked(np.ascontiguousarray(rows[part]))
            distances = np.empty(len(block), np.float32)
            buffers, metric = search_buffers(tiles), METRICS.index(self.metric)
            looks = int(assign(block, tiles, metric, buffers, labels[part], distances))
            if weights is None:
                return looks, float(distances.sum(dtype=np.float64)), float(len(block))
            own = weights[part].astype(np.float64)
            return looks, float(own @ distances), float(own.sum())

        for done, part in enumerate(parallel.run(assign_block, range(0, number, BLOCK), workers=threads)):
            visited, total, weight = visited + part[0], total + part[1], weight + part[2]
            watch.at("assigning", min(1.0, (done + 1) * BLOCK / number))
        used[labels] = True
        share = visited / (number * len(tiles.values)) if number else 1.0
        return Assignment(labels, total / weight if weight else 0.0, 1.0 - share, used)

    @cached_property
    def tiles(self) -> Tiles:
        """The centres in the layout of the kernels."""
        return tiles_of(self.centres, grouped(self.centres))


def usable(points: np.ndarray) -> np.ndarray:
    """Points of a type that kernels accept: float32, uint8 and uint16 unchanged, others as float32."""
    rows = np.asanyarray(points)
    if rows.ndim != 2 or rows.shape[1] < 1:
        raise BadSetting(f"points must be an array [n, dims], got shape {rows.shape}")
    if rows.dtype.kind not in "uifb":
        raise BadSetting(f"points must be numbers, got {rows.dtype}")
    return rows if rows.dtype in (np.float32, np.uint8, np.uint16) else rows.astype(np.float32)


def checked(points: np.ndarray) -> np.ndarray:
    """The points; BadSetting if one is not finite."""
    if points.dtype == np.float32 and not np.isfinite(points).all():
        raise BadSetting("points must be finite numbers of the size of float32")
    return points


def centre_distances(centres: np.ndarray, metric: str) -> np.ndarray:
    """Distances between all centres, not squared.  # [centre, dims] -> [centre, centre] float64"""
    rows = np.asarray(centres, float)
    if metric == "emd":
        return np.array([np.abs(rows - row).sum(axis=1) for row in rows])
    return np.array([np.sqrt(((rows - row) ** 2).sum(axis=1)) for row in rows])


def padded(rows: np.ndarray) -> np.ndarray:
    """Rows as float32, padded with zeros to a multiple of four.  # [n, dims] -> [n, coordinate]"""
    wide = np.zeros((len(rows), -(-rows.shape[1] // 4) * 4), np.float32)
    wide[:, : rows.shape[1]] = rows
    return wide


def grouped(centres: np.ndarray) -> list[np.ndarray]:
    """Centres in groups of at most a tile, near each other: recursively halved along the widest axis."""
    from pokerlab.abstraction.clustering._kernels.nearest import LANES

    groups, open_groups = [], [np.arange(len(centres))]
    while open_groups:
        group = open_groups.pop()
        if len(group) <= LANES:
            groups.append(group)
            continue
        own = centres[group]
        axis = int(np.argmax(own.max(axis=0) - own.min(axis=0)))
        ordered = group[np.argsort(own[:, axis], kind="stable")]
        half = -(-(len(group) // 2) // LANES) * LANES
        open_groups += [ordered[half:], ordered[:half]]
    return groups


def tiles_of(centres: np.ndarray, groups: list[np.ndarray]) -> Tiles:
    """A tile of each group of centres."""
    from pokerlab.abstraction.clustering._kernels.nearest import LANES, NO_CENTRE, Tiles

    wide = padded(centres)
    values = np.full((len(groups), wide.shape[1], LANES), np.float32(np.inf))
    numbers = np.full((len(groups), LANES), NO_CENTRE)
    low = np.zeros((wide.shape[1], -(-len(groups) // _PADDED) * _PADDED), np.float32)
    high = np.zeros_like(low)
    for tile, group in enumerate(groups):
        values[tile, :, : len(group)] = wide[group].T
        numbers[tile, : len(group)] = group
        low[:, tile], high[:, tile] = wide[group].min(axis=0), wide[group].max(axis=0)
    return Tiles(values, numbers, low, high)


def search_buffers(tiles: Tiles) -> SearchBuffers:
    """Scratch arrays for one thread's search among tiles."""
    from pokerlab.abstraction.clustering._kernels.nearest import LANES, SearchBuffers

    coordinates, columns = tiles.low.shape
    return SearchBuffers(np.zeros(coordinates, np.float32), np.zeros(LANES, np.float32), np.zeros(columns, np.float32))
