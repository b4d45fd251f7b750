"""The vectors of lanes.py as small arrays: the same functions without a compiler. Slow, and right with any Numba."""

from __future__ import annotations

import threading

import numpy as np

from pokerlab.tree.public._kernels.widths import BLOCK, WIDTH


def _stretch(array, at, count):
    """Some neighbouring numbers of a flat array, all of them inside it."""
    if not 0 <= at <= len(array) - count:
        raise IndexError("index is out of bounds")
    return array[at : at + count]


def take(array, at):
    """The numbers of a block from a flat array, from `at` on."""
    return _stretch(array, at, BLOCK).copy()


def take_row(array, at):
    """The numbers of a row from a flat array, from `at` on."""
    return _stretch(array, at, WIDTH).copy()


def put(array, at, lanes):
    """Write all numbers to a flat array, from `at` on; rounded where it holds whole numbers."""
    _stretch(array, at, len(lanes))[:] = np.rint(lanes) if holds_whole_numbers(array) else lanes


def fill(array, number):
    """A block of the same number, of the kind of number that the array holds."""
    return np.full(BLOCK, number, np.float32 if array.dtype.kind in "iu" else array.dtype)


def fill_row(array, number):
    """A row of the same number, of the kind of number that the array holds."""
    return np.full(WIDTH, number, np.float32 if array.dtype.kind in "iu" else array.dtype)


def as_kind(array, lanes):
    """The same numbers as the kind of number that the array holds."""
    return lanes.astype(array.dtype)


def fused(factor, other, added):
    """factor * other + added."""
    return factor * other + added


def largest(one, other):
    """The larger of two, lane by lane."""
    return np.maximum(one, other)


def where_positive(tested, then, otherwise):
    """`then` in the lanes where `tested` is above zero, else `otherwise`."""
    return np.where(tested > 0, then, otherwise)


def any_positive(lanes):
    """Whether any lane is above zero."""
    return bool((lanes > 0).any())


def powers_of_two(lanes):
    """Two to the power of whole numbers from -1000 to 1000, which are float64."""
    return np.ldexp(1.0, lanes.astype(np.int64))


def peak(lanes):
    """The largest lane."""
    return lanes.max()


def holds_whole_numbers(array):
    """Whether an array holds int16; known when compiled, so that only one way is compiled."""
    return array.dtype.kind in "iu"


def prefetch(array, at):
    """Ask for the numbers of a block ahead of their use."""


_counting = threading.Lock()


def draw_number(counter):
    """0, 1, 2 ... to threads that share a counter ([1] int64), each number to one of them."""
    with _counting:
        counter[0] += 1
        return int(counter[0]) - 1


def put_transposed(rows, step, row_index, first, offset, lanes, at, stride):
    """Read a square, rows `step` long numbered by row_index[first:], from `offset` on; write its columns as rows
    `stride` apart."""
    starts = [int(row) * step + offset for row in _stretch(row_index, first, WIDTH)]
    square = np.stack([_stretch(rows, start, WIDTH) for start in starts])
    for k in range(WIDTH):
        _stretch(lanes, at + k * stride, WIDTH)[:] = square[:, k]
