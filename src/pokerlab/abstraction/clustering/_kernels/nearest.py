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


class Room(NamedTuple):
    """Scratch arrays of one searching thread."""

    point: object  # [coordinate] float32
    found: object  # [LANES] float32
    bounds: object  # [tile] float32


@kernel(allocates=False)
def fetch(points, place, point):
    """Copy a point of any type."""
    for axis in range(points.shape[1]):
        point[axis] = np.float32(points[place, axis])


@kernel(allocates=False)
def distances_to(point, values, tile, metric, found):
    """Distances from a point to the centres of a tile."""
    for lane in range(LANES):
        found[lane] = NONE
    if metric == ABSOLUTE:
        add_absolute(point, values, tile, found)
    else:
        add_squared(point, values, tile, found)


@kernel(inline="always", allocates=False)
def add_absolute(point, values, tile, found):
    """Add the absolute differences of a point and the centres of a tile."""
    for axis in range(0, point.shape[0], 4):
        one, two, three, four = point[axis], point[axis + 1], point[axis + 2], point[axis + 3]
        for lane in range(LANES):
            first, second = one - values[tile, axis, lane], two - values[tile, axis + 1, lane]
            third, fourth = three - values[tile, axis + 2, lane], four - values[tile, axis + 3, lane]
            found[lane] += (abs(first) + abs(second)) + (abs(third) + abs(fourth))


@kernel(inline="always", allocates=False)
def add_squared(point, values, tile, found):
    """Add the squared differences of a point and the centres of a tile."""
    for axis in range(0, point.shape[0], 4):
        one, two, three, four = point[axis], point[axis + 1], point[axis + 2], point[axis + 3]
        for lane in range(LANES):
            first, second = one - values[tile, axis, lane], two - values[tile, axis + 1, lane]
            third, fourth = three - values[tile, axis + 2, lane], four - values[tile, axis + 3, lane]
            found[lane] += (first * first + second * second) + (third * third + fourth * fourth)


@kernel(allocates=False)
def distance(one, other, metric):
    """The distance between two rows, bit for bit as `distances_to` computes it."""
    total = NONE
    for axis in range(0, one.shape[0], 4):
        first, second = one[axis] - other[axis], one[axis + 1] - other[axis + 1]
        third, fourth = one[axis + 2] - other[axis + 2], one[axis + 3] - other[axis + 3]
        if metric == ABSOLUTE:
            total += (abs(first) + abs(second)) + (abs(third) + abs(fourth))
        else:
            total += (first * first + second * second) + (third * third + fourth * fourth)
    return total


@kernel(inline="always", allocates=False)
def outside(number, low, high):
    """How far a number is outside an interval."""
    below, above = low - number, number - high
    beyond = below if below > above else above
    return beyond if beyond > NONE else NONE


@kernel(allocates=False)
def distances_to_boxes(point, low, high, metric, bounds):
    """Distances from a point to the bounding boxes of all tiles."""
    for tile in range(bounds.shape[0]):
        bounds[tile] = NONE
    if metric == ABSOLUTE:
        add_absolute_outside(point, low, high, bounds)
    else:
        add_squared_outside(point, low, high, bounds)


@kernel(inline="always", allocates=False)
def add_absolute_outside(point, low, high, bounds):
    """Add how far a point is outside the bounding boxes of tiles."""
    for axis in range(0, point.shape[0], 4):
        one, two, three, four = point[axis], point[axis + 1], point[axis + 2], point[axis + 3]
        for tile in range(bounds.shape[0]):
            first = outside(one, low[axis, tile], high[axis, tile])
            second = outside(two, low[axis + 1, tile], high[axis + 1, tile])
            third = outside(three, low[axis + 2, tile], high[axis + 2, tile])
            fourth = outside(four, low[axis + 3, tile], high[axis + 3, tile])
            bounds[tile] += (first + second) + (third + fourth)


@kernel(inline="always", allocates=False)
def add_squared_outside(point, low, high, bounds):
    """Add the squares of how far a point is outside the bounding boxes of tiles."""
    for axis in range(0, point.shape[0], 4):
        one, two, three, four = point[axis], point[axis + 1], point[axis + 2], point[axis + 3]
        for tile in range(bounds.shape[0]):
            first = outside(one, low[axis, tile], high[axis, tile])
            second = outside(two, low[axis + 1, tile], high[axis + 1, tile])
            third = outside(three, low[axis + 2, tile], high[axis + 2, tile])
            fourth = outside(four, low[axis + 3, tile], high[axis + 3, tile])
            bounds[tile] += (first * first + second * second) + (third * third + fourth * fourth)


@kernel(allocates=False)
def nearest_in(tile, tiles, found, best, where):
    """The nearest centre, given a tile's distances; ties go to the lowest index."""
    for lane in range(LANES):
        number = tiles.numbers[tile, lane]
        if found[lane] < best or (found[lane] == best and number < where):
            best, where = found[lane], number
    return best, where


@kernel(allocates=False)
def visit(tile, tiles, metric, room, best, where):
    """The nearest centre after searching a tile: its distance and index; ties go to the lowest index."""
    found = room.found
    distances_to(room.point, tiles.values, tile, metric, found)
    hit = False
    for lane in range(LANES):
        hit |= found[lane] <= best
    return nearest_in(tile, tiles, found, best, where) if hit else (best, where)


@kernel(allocates=False)
def assign(points, tiles, metric, room, labels, distances):
    """Label each point with its nearest centre; returns how many tiles were searched.

    The search starts at the tile of the previous point, which is often the right one, and at the one with the least
    bound; the order affects only the time.
    """
    visited, last = 0, 0
    count = tiles.values.shape[0]
    for place in range(points.shape[0]):
        fetch(points, place, room.point)
        distances_to_boxes(room.point, tiles.low, tiles.high, metric, room.bounds)
        least = 0
        for tile in range(1, count):
            if room.bounds[tile] < room.bounds[least]:
                least = tile
        best, where = visit(last, tiles, metric, room, INFINITE, NO_CENTRE)
        visited += 1
        first, latest = last, where
        if least != first and room.bounds[least] <= best:
            best, where = visit(least, tiles, metric, room, best, where)
            visited += 1
            if where != latest:
                last, latest = least, where
        for tile in range(count):
            if tile != first and tile != least and room.bounds[tile] <= best:
                best, where = visit(tile, tiles, metric, room, best, where)
                visited += 1
                if where != latest:
                    last, latest = tile, where
        labels[place], distances[place] = where, best
    return visited
