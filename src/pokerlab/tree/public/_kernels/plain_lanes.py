"""The vectors of lanes.py as small arrays, for any Numba: compiled by its public interface, or run as plain Python.

Each function is a loop over a fresh array, so the compiler vectorizes it but pays for an allocation.
Results differ from those of vector_lanes.py by rounding only: `fused` rounds twice.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from pokerlab.tree.public._kernels.widths import BLOCK, WIDTH


def holds_whole_numbers(array):
    """Whether an array holds integers."""
    return array.dtype.kind in "iu"


def _empty(array, count):
    """A new vector of the type to compute with for an array of this type: integers are read as float32."""
    return np.empty(count, np.float32 if holds_whole_numbers(array) else array.dtype)


@overload(holds_whole_numbers)
def _compile_holds_whole_numbers(array):
    whole = isinstance(array.dtype, types.Integer)
    return lambda array: whole


@overload(_empty)
def _compile_empty(array, count):
    if isinstance(array.dtype, types.Integer):
        return lambda array, count: np.empty(count, np.float32)
    return lambda array, count: np.empty(count, array.dtype)


@register_jitable
def _stretch(array, at, count):
    """Adjacent numbers of a flat array, all within bounds."""
    if at < 0 or at > len(array) - count:
        raise IndexError("index is out of bounds")
    return array[at : at + count]


@register_jitable
def _take(array, at, count):
    source, lanes = _stretch(array, at, count), _empty(array, count)
    for k in range(count):
        lanes[k] = source[k]
    return lanes


@register_jitable
def take(array, at):
    """A block of numbers from a flat array, starting at `at`."""
    return _take(array, at, BLOCK)


@register_jitable
def take_row(array, at):
    """A row of numbers from a flat array, starting at `at`."""
    return _take(array, at, WIDTH)


@register_jitable
def put(array, at, lanes):
    """Write all numbers to a flat array, starting at `at`; rounded if it holds integers."""
    target = _stretch(array, at, len(lanes))
    for k in range(len(lanes)):
        target[k] = np.rint(lanes[k]) if holds_whole_numbers(array) else lanes[k]


@register_jitable
def _fill(array, number, count):
    lanes = _empty(array, count)
    lanes[:] = number
    return lanes


@register_jitable
def fill(array, number):
    """A block filled with one number, of the array's type."""
    return _fill(array, number, BLOCK)


@register_jitable
def fill_row(array, number):
    """A row filled with one number, of the array's type."""
    return _fill(array, number, WIDTH)


@register_jitable
def as_kind(array, lanes):
    """The same numbers converted to the array's type."""
    return lanes.astype(array.dtype)


@register_jitable
def fused(factor, other, added):
    """factor * other + added."""
    lanes = np.empty_like(added)
    for k in range(len(lanes)):
        lanes[k] = factor[k] * other[k] + added[k]
    return lanes


@register_jitable
def largest(one, other):
    """The larger of two, lane by lane."""
    lanes = np.empty_like(one)
    for k in range(len(lanes)):
        lanes[k] = max(one[k], other[k])
    return lanes


@register_jitable
def where_positive(tested, then, otherwise):
    """`then` in the lanes where `tested` is above zero, else `otherwise`."""
    lanes = np.empty_like(then)
    for k in range(len(then)):
        lanes[k] = then[k] if tested[k] > 0 else otherwise[k]
    return lanes


@register_jitable
def any_positive(lanes):
    """Whether any lane is above zero."""
    any_lane = False
    for k in range(len(lanes)):
        any_lane |= lanes[k] > 0
    return any_lane


@register_jitable
def powers_of_two(lanes):
    """Two to the power of integers from -1000 to 1000, given as float64."""
    return np.ldexp(1.0, lanes.astype(np.int64))


@register_jitable
def peak(lanes):
    """The largest lane."""
    return lanes.max()


@register_jitable
def prefetch(array, at):
    """Prefetch a block: a hint, ignored here."""


@register_jitable
def draw_number(counter):
    """0, 1, 2 ... to threads that share a counter ([1] int64); here no two threads do (walk.py)."""
    counter[0] += 1
    return counter[0] - 1


@register_jitable
def put_transposed(rows, step, row_index, first, offset, lanes, at, stride):
    """Read a square, rows `step` long numbered by row_index[first:], from `offset` on; write its columns as rows
    `stride` apart."""
    index = _stretch(row_index, first, WIDTH)
    columns = _stretch(lanes, at, (WIDTH - 1) * stride + WIDTH)
    for i in range(WIDTH):
        row = _stretch(rows, np.int64(index[i]) * step + offset, WIDTH)
        for k in range(WIDTH):
            columns[np.uint64(k * stride + i)] = row[k]
