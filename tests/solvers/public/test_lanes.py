"""Vectors of kernels do what the same operations do on arrays, compiled or not."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from pokerlab.compiled import PLAIN_LANES
from pokerlab.tree.public._kernels.lanes import (
    BLOCK,
    WIDTH,
    any_positive,
    fill,
    fill_row,
    fused,
    largest,
    peak,
    powers_of_two,
    put,
    put_transposed,
    take,
    take_row,
    where_positive,
)


@numba.njit(_nrt=PLAIN_LANES, error_model="numpy")
def arithmetic(one, other, out):
    a, b = take(one, 0), take(other, 0)
    put(out, 0, fused(a, b, a - b))
    put(out, BLOCK, where_positive(a, a / b, b * fill(out, 2.0)))
    put(out, 2 * BLOCK, largest(a, b) + a)
    put(out, 3 * BLOCK, take_row(one, 3) * fill_row(one, 0.5))
    return any_positive(a), peak(a)


@numba.njit(_nrt=PLAIN_LANES, error_model="numpy")
def transpose(rows, step, index, offset, out, stride):
    put_transposed(rows, step, index, 2, offset, out, 5, stride)


@pytest.mark.uncompiled
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shift", [0.0, -10.0])
def test_arithmetic(kind: type, shift: float) -> None:
    rng = np.random.default_rng(1)
    a, b = ((rng.normal(size=BLOCK + 8) + shift).astype(kind) for _ in range(2))
    out = np.zeros(4 * BLOCK, kind)
    positive, top = arithmetic(a, b, out)
    x, y = a[:BLOCK], b[:BLOCK]
    assert out[:BLOCK] == pytest.approx(x * y + (x - y), rel=1e-5, abs=1e-5)
    assert out[BLOCK : 2 * BLOCK] == pytest.approx(np.where(x > 0, x / y, 2 * y), rel=1e-5)
    assert out[2 * BLOCK : 3 * BLOCK] == pytest.approx(np.maximum(x, y) + x, rel=1e-5, abs=1e-6)
    assert out[3 * BLOCK :][:WIDTH] == pytest.approx(a[3 : 3 + WIDTH] / 2)
    assert positive == (x > 0).any()
    assert top == x.max()


@numba.njit(_nrt=PLAIN_LANES, error_model="numpy")
def raise_two(numbers, out):
    put(out, 0, powers_of_two(take(numbers, 0)))


@pytest.mark.uncompiled
@pytest.mark.parametrize("first", [-1000, -87, -16, 0, 969])
def test_powers_of_two(first: int) -> None:
    numbers, out = np.arange(first, first + BLOCK, dtype=np.float64), np.zeros(BLOCK)
    raise_two(numbers, out)
    assert out.tolist() == [2.0**number for number in numbers]


@pytest.mark.uncompiled
def test_whole_numbers_are_rounded() -> None:
    values = np.linspace(-9.7, 9.7, BLOCK).astype(np.float32)
    out = np.zeros(4 * BLOCK, np.int16)
    arithmetic(values, np.ones(BLOCK, np.float32), out)
    assert np.array_equal(out[:BLOCK], np.rint(values * 1 + (values - 1)))


@pytest.mark.uncompiled
def test_squares_are_transposed() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(40, 25)).astype(np.float32)
    index = rng.integers(0, 40, WIDTH + 2).astype(np.int16)
    stride = 20
    out = np.zeros(5 + stride * WIDTH, np.float32)
    transpose(rows.reshape(-1), 25, index, 4, out, stride)
    square = rows[index[2:], 4 : 4 + WIDTH]
    found = out[5:].reshape(WIDTH, stride)[:, :WIDTH]
    assert np.array_equal(found, square.T)


@numba.njit(_nrt=PLAIN_LANES, error_model="numpy")
def move(source, at, out, to):
    put(out, to, take(source, at))


@numba.njit(_nrt=PLAIN_LANES, error_model="numpy")
def move_row(source, at, out, to):
    put(out, to, take_row(source, at))


CHECKED = bool(numba.config.BOUNDSCHECK or PLAIN_LANES)


@pytest.mark.uncompiled
@pytest.mark.skipif(not CHECKED, reason="indices are checked under NUMBA_BOUNDSCHECK=1 and in plain lanes only")
def test_a_place_outside_of_an_array_raises() -> None:
    """By one, at both ends, of what is read, of what is written, and of the rows of a square."""
    source, out = np.ones(3 * BLOCK, np.float32), np.zeros(2 * BLOCK, np.float32)
    for kernel, width in ((move, BLOCK), (move_row, WIDTH)):
        kernel(source, len(source) - width, out, len(out) - width)
        for at, to in ((-1, 0), (len(source) - width + 1, 0), (0, -1), (0, len(out) - width + 1)):
            with pytest.raises(IndexError):
                kernel(source, at, out, to)
    rows, index = np.ones(25 * 40, np.float32), np.arange(WIDTH + 2, dtype=np.int16)
    square = np.zeros(5 + 20 * WIDTH, np.float32)
    transpose(rows, 25, index, 25 - WIDTH, square, 20)
    for wrong in (
        (rows[: 25 * (WIDTH + 2) - 1], 25, index, 25 - WIDTH, square, 20),  # a row that ends outside
        (rows, 25, index[:-1], 0, square, 20),  # too few rows are numbered
        (rows, 25, index - 3, 0, square, 20),  # a row before the first
        (rows, 25, index, 0, square[: 5 + 20 * (WIDTH - 1) + WIDTH - 1], 20),  # the last column ends outside
    ):
        with pytest.raises(IndexError):
            transpose(*wrong)
