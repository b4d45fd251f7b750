"""The nearest centre of each point, without looking at most of them.

Centres that are near each other share a tile, whose coordinates lie side by side: LANES distances are found at once.
The least distance from a point to the box around a tile costs as much as the distance to one centre, and where that is
more than the best so far, the tile is left out. Terms of the bound are no larger than terms of the distance, both are
added in the same order, and rounding keeps order; so the bound holds for the numbers as computed, and nothing that
could be nearest, or tie, is ever left out.
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
    """Centres in tiles. Coordinates are filled up with zeros to a multiple of four."""

    values: object  # [tile, coordinate, LANES] float32; infinite in lanes left over
    numbers: object  # [tile, LANES] int32: which centre, NO_CENTRE in lanes left over
    low: object  # [coordinate, tile] float32: the box around each tile
    high: object  # [coordinate, tile] float32


class Room(NamedTuple):
    """What one thread needs to search."""

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
    """The distance between two rows, bit for bit as `distances_to` finds it."""
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
    """How far a number is outside of an interval."""
    below, above = low - number, number - high
    beyond = below if below > above else above
    return beyond if beyond > NONE else NONE


@kernel(allocates=False)
def distances_to_boxes(point, low, high, metric, bounds):
    """Distances from a point to the boxes around all tiles."""
    for tile in range(bounds.shape[0]):
        bounds[tile] = NONE
    if metric == ABSOLUTE:
        add_absolute_outside(point, low, high, bounds)
    else:
        add_squared_outside(point, low, high, bounds)


@kernel(inline="always", allocates=False)
def add_absolute_outside(point, low, high, bounds):
    """Add how far a point is outside of the boxes around tiles."""
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
    """Add the squares of how far a point is outside of the boxes around tiles."""
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
    """The nearest centre, with a tile's distances at hand; of several, the lowest number."""
    for lane in range(LANES):
        number = tiles.numbers[tile, lane]
        if found[lane] < best or (found[lane] == best and number < where):
            best, where = found[lane], number
    return best, where


@kernel(allocates=False)
def visit(tile, tiles, metric, room, best, where):
    """The nearest centre after a look at a tile: its distance and number; of several, the lowest number."""
    found = room.found
    distances_to(room.point, tiles.values, tile, metric, found)
    hit = False
    for lane in range(LANES):
        hit |= found[lane] <= best
    return nearest_in(tile, tiles, found, best, where) if hit else (best, where)


@kernel(allocates=False)
def assign(points, tiles, metric, room, labels, distances):
    """Label each point with its nearest centre; returns how many tiles were looked at.

    The search begins at the tile of the point before, which often is the right one, and at the one with the least
    bound; the order changes the time and not the answer.
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
