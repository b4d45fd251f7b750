"""The nearest centre of each point, with most centres skipped.

Centres near each other share a tile with interleaved coordinates, so that LANES distances are computed at once. The
distance from a point to the bounding box of a tile costs as much as the distance to one centre; if it exceeds the best
distance so far, the tile is skipped. Each term of the bound is at most the matching term of the distance, both are
added in the same order, and rounding is monotone. So the bound also holds for the rounded values, and no centre that
could be nearest, or tie, is skipped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

LANES = 32
SQUARED, ABSOLUTE = 0, 1  # the sum of squares, or of absolute values, of the differences
NO_CENTRE = np.int32(2147483647)
NONE, INFINITE = np.float32(0), np.float32(np.inf)


class Tiles(NamedTuple):
    """Centres in tiles. Coordinates are padded with zeros to a multiple of four."""

    values: object  # [tile, coordinate, LANES] float32; infinite in unused lanes
    numbers: object  # [tile, LANES] int32: which centre, NO_CENTRE in unused lanes
    low: object  # [coordinate, tile] float32: the bounding box of each tile
    high: object  # [coordinate, tile] float32


class SearchBuffers(NamedTuple):
    """Scratch arrays of one searching thread."""

    point: object  # [coordinate] float32
    lanes: object  # [LANES] float32: distances to the centres of a tile
    bounds: object  # [tile] float32


@kernel(allocates=False)
def fetch(points, place, point):
    """Copy a point of any type."""
    for axis in range(points.shape[1]):
        point[axis] = np.float32(points[place, axis])


@kernel(inline="always", allocates=False)
def term(difference, metric):
    """What the difference of a coordinate adds to a distance."""
    return abs(difference) if metric == ABSOLUTE else difference * difference


@kernel(allocates=False)
def distances_to(point, values, tile, metric, out):
    """Distances from a point to the centres of a tile, into out [LANES]."""
    for lane in range(LANES):
        out[lane] = NONE
    if metric == ABSOLUTE:  # two calls, so that each is compiled for its metric
        add_terms(point, values, tile, ABSOLUTE, out)
    else:
        add_terms(point, values, tile, SQUARED, out)


@kernel(inline="always", allocates=False)
def add_terms(point, values, tile, metric, out):
    """Add the terms of a point and the centres of a tile."""
    for axis in range(0, point.shape[0], 4):
        a, b, c, d = point[axis], point[axis + 1], point[axis + 2], point[axis + 3]
        for lane in range(LANES):
            first, second = term(a - values[tile, axis, lane], metric), term(b - values[tile, axis + 1, lane], metric)
            third = term(c - values[tile, axis + 2, lane], metric)
            out[lane] += (first + second) + (third + term(d - values[tile, axis + 3, lane], metric))


@kernel(allocates=False)
def distance(one, other, metric):
    """The distance between two rows, bit for bit as `distances_to` computes it."""
    total = NONE
    for axis in range(0, one.shape[0], 4):
        first, second = term(one[axis] - other[axis], metric), term(one[axis + 1] - other[axis + 1], metric)
        third, fourth = term(one[axis + 2] - other[axis + 2], metric), term(one[axis + 3] - other[axis + 3], metric)
        total += (first + second) + (third + fourth)
    return total


@kernel(inline="always", allocates=False)
def term_outside(number, low, high, metric):
    """What a coordinate adds to the distance from a box: how far it is outside an interval, or its square."""
    below, above = low - number, number - high
    beyond = below if below > above else above
    beyond = beyond if beyond > NONE else NONE
    return beyond if metric == ABSOLUTE else beyond * beyond


@kernel(allocates=False)
def distances_to_boxes(point, low, high, metric, bounds):
    """Distances from a point to the bounding boxes of all tiles."""
    for tile in range(bounds.shape[0]):
        bounds[tile] = NONE
    if metric == ABSOLUTE:
        add_terms_outside(point, low, high, ABSOLUTE, bounds)
    else:
        add_terms_outside(point, low, high, SQUARED, bounds)


@kernel(inline="always", allocates=False)
def add_terms_outside(point, low, high, metric, bounds):
    """Add the terms of a point and the bounding boxes of tiles."""
    for axis in range(0, point.shape[0], 4):
        a, b, c, d = point[axis], point[axis + 1], point[axis + 2], point[axis + 3]
        for tile in range(bounds.shape[0]):
            first = term_outside(a, low[axis, tile], high[axis, tile], metric)
            second = term_outside(b, low[axis + 1, tile], high[axis + 1, tile], metric)
            third = term_outside(c, low[axis + 2, tile], high[axis + 2, tile], metric)
            fourth = term_outside(d, low[axis + 3, tile], high[axis + 3, tile], metric)
            bounds[tile] += (first + second) + (third + fourth)


@kernel(allocates=False)
def nearest_in(tile, tiles, lanes, best, where):
    """The nearest centre, given a tile's distances; ties go to the lowest index."""
    for lane in range(LANES):
        number = tiles.numbers[tile, lane]
        if lanes[lane] < best or (lanes[lane] == best and number < where):
            best, where = lanes[lane], number
    return best, where


@kernel(allocates=False)
def visit(tile, tiles, metric, buffers, best, where):
    """The nearest centre after searching a tile: its distance and index; ties go to the lowest index."""
    lanes = buffers.lanes
    distances_to(buffers.point, tiles.values, tile, metric, lanes)
    hit = False
    for lane in range(LANES):
        hit |= lanes[lane] <= best
    return nearest_in(tile, tiles, lanes, best, where) if hit else (best, where)


@kernel(allocates=False)
def assign(points, tiles, metric, buffers, labels, distances):
    """Label each point with its nearest centre; returns how many tiles were searched.

    The search starts at the tile of the previous point, which is often the right one, and at the one with the least
    bound; the order affects only the time.
    """
    visited, last = 0, 0
    count = tiles.values.shape[0]
    for place in range(points.shape[0]):
        fetch(points, place, buffers.point)
        distances_to_boxes(buffers.point, tiles.low, tiles.high, metric, buffers.bounds)
        least = 0
        for tile in range(1, count):
            if buffers.bounds[tile] < buffers.bounds[least]:
                least = tile
        best, where = visit(last, tiles, metric, buffers, INFINITE, NO_CENTRE)
        visited += 1
        first, latest = last, where
        if least != first and buffers.bounds[least] <= best:
            best, where = visit(least, tiles, metric, buffers, best, where)
            visited += 1
            if where != latest:
                last, latest = least, where
        for tile in range(count):
            if tile != first and tile != least and buffers.bounds[tile] <= best:
                best, where = visit(tile, tiles, metric, buffers, best, where)
                visited += 1
                if where != latest:
                    last, latest = tile, where
        labels[place], distances[place] = where, best
    return visited
