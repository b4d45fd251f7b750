"""One step of k-means++: a new centre, and the points that are nearer to it than to all earlier ones."""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.clustering._kernels.nearest import ABSOLUTE, distance, fetch
from pokerlab.compiled import kernel

SLACK = np.float32(1.001)  # more than the rounding error


@kernel(allocates=False)
def measure_gaps(centres, count, metric, far_enough):
    """For each centre, the distance beyond which its points may be nearer to the last one: half the distance to it.

    By the triangle inequality; for squared distances, a quarter.
    """
    share = np.float32(0.5) if metric == ABSOLUTE else np.float32(0.25)
    for number in range(count - 1):
        far_enough[number] = share * distance(centres[number], centres[count - 1], metric) / SLACK


@kernel(allocates=False)
def add_centre(points, weights, centres, count, metric, far_enough, point, labels, distances):
    """Move points of a block to the last centre if it is nearer; returns weight times distance, and distances computed.

    # centres: [most, coordinate] float32, `count` of them used; point: [coordinate] float32, scratch; labels: [n]
    # int32; distances: [n] float32
    """
    last = count - 1
    total, looks = 0.0, 0
    for place in range(points.shape[0]):
        if count == 1 or distances[place] >= far_enough[labels[place]]:
            fetch(points, place, point)
            apart = distance(point, centres[last], metric)
            looks += 1
            if count == 1 or apart < distances[place]:
                distances[place], labels[place] = apart, last
        total += weights[place] * distances[place]
    return total, looks


@kernel(allocates=False)
def choose_place(weights, distances, wanted):
    """The first index at which the running sum of weight times distance exceeds a number; else the last above 0."""
    reached, last = 0.0, 0
    for place in range(weights.shape[0]):
        share = weights[place] * distances[place]
        if share > 0.0:
            last = place
            reached += share
            if reached > wanted:
                break
    return last
