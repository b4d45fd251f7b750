"""k-means++: each new centre is a point drawn in proportion to its weight times its distance to the centres so far.

Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", 2007: squared distances under the Euclidean
metric. Under the earth mover's distance, whose sum is the distortion, the distances are not squared. Most are never
computed: a point nearer to its centre than half the distance from there to the new one stays with it (Raff, "Exact
acceleration of k-means++ and k-means||", 2021).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.clustering.nearest import METRICS, padded
from pokerlab.abstraction.clustering.sample import WeightedPoints
from pokerlab.events import Watch
from pokerlab.parallel import ThreadTeam

_BLOCK = 1 << 13  # points summed as one block, so that sums do not depend on the threads
_REPORT_EVERY = 50


class Start(NamedTuple):
    """Initial centres, with the labels and distances of the points."""

    centres: np.ndarray  # [centre, coordinate] float32, coordinates padded to a multiple of four
    labels: np.ndarray  # [n] int32
    distances: np.ndarray  # [n] float32
    looks: int  # number of distances computed


def seed_centres(
    fitted: WeightedPoints, count: int, *, metric: str, rng: np.random.Generator, team: ThreadTeam, watch: Watch
) -> Start:
    """k-means++ over distinct points, at least as many as centres."""
    from pokerlab.abstraction.clustering._kernels.seeding import add_centre, choose_place, measure_gaps

    points, weights = fitted
    kind, number = METRICS.index(metric), len(points)
    centres = np.zeros((count, padded(points[:1]).shape[1]), np.float32)
    labels, distances = np.zeros(number, np.int32), np.ones(number, np.float32)
    sums, far_enough = np.zeros(-(-number // _BLOCK)), np.zeros(count, np.float32)
    sums[:] = [weights[at : at + _BLOCK].sum() for at in range(0, number, _BLOCK)]
    looks = np.zeros(team.members, np.int64)
    scratch = np.zeros((team.members, centres.shape[1]), np.float32)

    def look(member: int) -> None:
        for block in range(member, len(sums), team.members):
            part = slice(block * _BLOCK, (block + 1) * _BLOCK)
            sums[block], looked = add_centre(
                points[part], weights[part], centres, chosen + 1, kind, far_enough, scratch[member],
                labels[part], distances[part],
            )  # fmt: skip
            looks[member] += looked

    for chosen in range(count):
        wanted = rng.random() * sums.sum()
        block = _block_of(sums, wanted)
        part = slice(block * _BLOCK, (block + 1) * _BLOCK)
        drawn = block * _BLOCK + choose_place(weights[part], distances[part], wanted - sums[:block].sum())
        centres[chosen, : points.shape[1]] = points[drawn]
        measure_gaps(centres, chosen + 1, kind, far_enough)
        team.run(look)
        if chosen % _REPORT_EVERY == 0:
            watch.at("choosing first centres", chosen / count)
    return Start(centres, labels, distances, int(looks.sum()))


def _block_of(sums: np.ndarray, wanted: float) -> int:
    """The block in which a running sum exceeds a number; never an empty one, despite rounding."""
    block = min(int(np.searchsorted(np.cumsum(sums), wanted, side="right")), len(sums) - 1)
    while sums[block] == 0.0 and block > 0:
        block -= 1
    return block if sums[block] > 0.0 else int(np.argmax(sums))
