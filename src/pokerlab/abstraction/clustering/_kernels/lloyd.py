"""One iteration of Lloyd's algorithm with Yinyang bounds (Ding and others, 2015); the groups of centres are tiles.

For each point and tile we store a lower bound on the distance to the centres of the tile other than the point's own.
After the centres move, it decreases by the largest drift in the tile; a tile is searched only if the bound does not
exceed the distance to the point's own centre. Bounds are lowered by more than the rounding error, so labels are bit for
bit those of an exhaustive search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.clustering._kernels.nearest import (
    ABSOLUTE,
    INFINITE,
    LANES,
    NONE,
    distance,
    distances_to,
    distances_to_boxes,
    fetch,
    nearest_in,
)
from pokerlab.compiled import kernel

SHRINK = np.float32(1) - np.float32(2.0**-21)  # more than the rounding error of one subtraction


class Moves(NamedTuple):
    """Centres after a move, with their tiles."""

    rows: object  # [centre, coordinate] float32
    tile_of: object  # [centre] int32
    drift: object  # [tile] float32: the largest distance that a centre of the tile moved
    slack: object  # float32: relative rounding error of a distance


class Members(NamedTuple):
    """The points of each cluster."""

    order: object  # [n] points by cluster, in their original order within a cluster
    starts: object  # [cluster + 1]: where each begins
    cuts: object  # [part + 1]: clusters of each part, with about equally many points


class State(NamedTuple):
    """The state of each point."""

    labels: object  # [n] int32
    distances: object  # [n] float32: to the own centre
    lower: object  # [n, tile] float32: lower bounds, of distances and not of their squares


@kernel(inline="always", allocates=False)
def length(value, metric):
    """A distance that obeys the triangle inequality."""
    return value if metric == ABSOLUTE else np.sqrt(value)


@kernel(fastmath={"nnan", "nsz"}, allocates=False)
def least(lanes):
    """The least of a tile's distances; they contain no NaN, which saves instructions."""
    low = INFINITE
    for lane in range(LANES):
        low = lanes[lane] if lanes[lane] < low else low
    return low


@kernel(allocates=False)
def first_bounds(points, tiles, metric, slack, buffers, lower):
    """Initial bounds: distances to the bounding boxes of tiles."""
    for place in range(points.shape[0]):
        fetch(points, place, buffers.point)
        distances_to_boxes(buffers.point, tiles.low, tiles.high, metric, buffers.bounds)
        for tile in range(lower.shape[1]):
            lower[place, tile] = length(buffers.bounds[tile], metric) * (np.float32(1) - slack)


@kernel(allocates=False)
def settle(place, tiles, moves, metric, buffers, state):
    """Search the tiles that may hold a centre nearer than the point's own; returns how many were searched."""
    best, where = state.distances[place], state.labels[place]
    near = np.float32(1) - moves.slack
    reach = length(best, metric) * (np.float32(1) + moves.slack)
    looks, lanes = 0, buffers.lanes
    for tile in range(state.lower.shape[1]):
        if state.lower[place, tile] > reach:
            continue
        looks += 1
        distances_to(buffers.point, tiles.values, tile, metric, lanes)
        before, old = best, where
        if least(lanes) <= best:
            best, where = nearest_in(tile, tiles, lanes, best, where)
        if where != old:
            home = moves.tile_of[old]
            state.lower[place, home] = min(state.lower[place, home], length(before, metric) * near)
            reach = length(best, metric) * (np.float32(1) + moves.slack)
        if moves.tile_of[where] == tile:
            for lane in range(LANES):
                if tiles.numbers[tile, lane] == where:
                    lanes[lane] = INFINITE
        state.lower[place, tile] = length(least(lanes), metric) * near
    state.distances[place], state.labels[place] = best, where
    return looks


@kernel(allocates=False)
def reassign(points, weights, tiles, moves, metric, buffers, state):
    """Relabel the points of a block; returns weight times distance, the number of points moved, and tiles searched."""
    total, changed, looks = 0.0, 0, 0
    drift, lower = moves.drift, state.lower
    for place in range(points.shape[0]):
        own = state.labels[place]
        fetch(points, place, buffers.point)
        here = distance(buffers.point, moves.rows[own], metric)
        state.distances[place] = here
        reach = length(here, metric) * (np.float32(1) + moves.slack)
        unsure = False
        for tile in range(lower.shape[1]):
            bound = (lower[place, tile] - drift[tile]) * SHRINK
            bound = bound if bound > NONE else NONE
            lower[place, tile] = bound
            unsure |= bound <= reach
        if unsure:
            looks += settle(place, tiles, moves, metric, buffers, state)
            changed += state.labels[place] != own
        total += weights[place] * state.distances[place]
    return total, changed, looks


@kernel(allocates=False)
def add_members(points, weights, members, part, sums):
    """Sums of the weighted points of each cluster of a part, in their order.  # sums: [cluster, dims] float64"""
    order, starts = members.order, members.starts
    for cluster in range(members.cuts[part], members.cuts[part + 1]):
        for axis in range(points.shape[1]):
            sums[cluster, axis] = 0.0
        for place in range(starts[cluster], starts[cluster + 1]):
            row = order[place]
            weight = weights[row]
            for axis in range(points.shape[1]):
                sums[cluster, axis] += weight * np.float64(points[row, axis])


@kernel
def find_medians(points, weights, members, part, centres):
    """The weighted median of every coordinate of the clusters of a part; the lower of two candidates."""
    order, starts = members.order, members.starts
    for cluster in range(members.cuts[part], members.cuts[part + 1]):
        begin, end = starts[cluster], starts[cluster + 1]
        values = np.empty(end - begin, np.float32)
        half = 0.0
        for place in range(begin, end):
            half += 0.5 * weights[order[place]]
        for axis in range(points.shape[1]):
            for place in range(begin, end):
                values[place - begin] = points[order[place], axis]
            reached = 0.0
            for member in np.argsort(values):
                reached += weights[order[begin + member]]
                if reached >= half:
                    centres[cluster, axis] = values[member]
                    break


@kernel(allocates=False)
def add_costs(points, weights, members, part, centres, metric, point, costs):
    """Weight times distance of the points of a part to their centres.  # point: scratch; costs: [cluster] float64"""
    for cluster in range(members.cuts[part], members.cuts[part + 1]):
        total = 0.0
        for place in range(members.starts[cluster], members.starts[cluster + 1]):
            row = members.order[place]
            fetch(points, row, point)
            total += weights[row] * distance(point, centres[cluster], metric)
        costs[cluster] = total
