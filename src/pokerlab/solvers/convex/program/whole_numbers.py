"""Vectors of fixed-point numbers in units of 2^-bits, as Python integers of any length: sums without rounding.

Linear equations are solved in floats and corrected by their exact residuals, as often as needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST_CORRECTIONS = 200
NEGLIGIBLE = 1 << 40  # units of 2^-bits
_BITS_A_CORRECTION = 8  # at least; with less progress the equations are singular to float precision


def whole(values: np.ndarray, bits: int) -> np.ndarray:
    """Floats as Python integers in units of 2^-bits; exact if the unit is small enough.

    >>> whole(np.array([0.75, -3.0]), 2).tolist(), whole(np.array([12.0]), -2).tolist()
    ([3, -12], [3])
    """
    ratios = [value.as_integer_ratio() for value in np.asarray(values, np.float64).tolist()]
    up, down = max(bits, 0), max(-bits, 0)
    return np.array([(above << up) // (below << down) for above, below in ratios], object)


def fractions(values: Sequence[Fraction], bits: int) -> np.ndarray:
    """Fractions as Python integers in units of 2^-bits, rounded.

    >>> fractions([Fraction(1, 3), Fraction(-3, 4)], 4).tolist()
    [5, -12]
    """
    return np.array([round(value * (1 << bits)) for value in values], object)


def floats(values: np.ndarray, bits: int) -> np.ndarray:
    """Integers in units of 2^-bits as floats.

    >>> floats(np.array([3, -12], object), 2)
    array([ 0.75, -3.  ])
    """
    unit = 1 << max(bits, 0)
    return np.array([value / unit if bits >= 0 else float(value << -bits) for value in values], np.float64)


class Exact:
    """A sparse matrix times integer vectors, all in units of 2^-bits.

    `entries` are the exact entries of the matrix, row by row, if its floats are rounded.
    """

    def __init__(self, rows: csr_matrix, bits: int, entries: Sequence[Fraction] | None = None) -> None:
        self.bits = bits
        places = type(rows)((np.arange(1, len(rows.data) + 1), rows.indices, rows.indptr), shape=rows.shape)
        self._rows, self._columns = rows, places.T.tocsr()
        self._by_row = whole(rows.data, bits) if entries is None else fractions(entries, bits)
        self._by_column = self._by_row[self._columns.data - 1]

    def times(self, point: np.ndarray) -> np.ndarray:
        """The product of each row with a point."""
        return self._product(self._rows, self._by_row, point)

    def across(self, prices: np.ndarray) -> np.ndarray:
        """The product of each column with prices."""
        return self._product(self._columns, self._by_column, prices)

    def _product(self, matrix: Any, data: np.ndarray, vector: np.ndarray) -> np.ndarray:
        found = np.zeros(matrix.shape[0], object)
        filled = np.flatnonzero(np.diff(matrix.indptr))
        found[filled] = np.add.reduceat(data * vector[matrix.indices], matrix.indptr[filled])
        return found >> self.bits


def solve_basis(
    rows: csr_matrix, basis: Any, exact: Exact, costs: np.ndarray, wanted: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int] | None:
    """The point and the prices that a HiGHS basis determines, and the number of corrections.

    None if the basis does not belong to these rows, or if its equations are singular to float precision.
    """
    columns, factors = _factors(rows, basis)
    if factors is None:
        return None
    point, prices, bits = np.zeros(rows.shape[1], object), np.zeros(rows.shape[0], object), exact.bits
    before = [1 << 2 * bits] * 2
    for done in range(MOST_CORRECTIONS):
        left, reduced = wanted - exact.times(point), (costs - exact.across(prices))[columns]
        misses = [max([0, *map(abs, one)]) for one in (left, reduced)]
        if max(misses) <= NEGLIGIBLE:
            return point, prices, done
        if any(now > NEGLIGIBLE and now << _BITS_A_CORRECTION > then for now, then in zip(misses, before, strict=True)):
            return None
        before = misses
        units = [min(bits, miss.bit_length()) for miss in misses]  # bits of a unit that scales the residual to about 1
        step = factors.solve(floats(left, units[0]))
        price = factors.solve(np.r_[floats(reduced, units[1]), np.zeros(rows.shape[0] - len(columns))], trans="T")
        if not (np.isfinite(step).all() and np.isfinite(price).all()):
            return None
        point[columns] = point[columns] + whole(step[: len(columns)], units[0])
        prices = prices + whole(price, units[1])
    return None


def _factors(rows: csr_matrix, basis: Any) -> tuple[np.ndarray, Any]:
    """The basic columns and the factorization of their equations; None for the latter if it is singular."""
    import highspy
    from scipy.sparse import csc_matrix, hstack, identity
    from scipy.sparse.linalg import splu

    columns, idle = (
        np.flatnonzero([status == highspy.HighsBasisStatus.kBasic for status in statuses])
        for statuses in (basis.col_status, basis.row_status)  # a row is basic if the others imply it
    )
    if len(columns) + len(idle) != rows.shape[0]:
        return columns, None
    chosen = csc_matrix(hstack([rows[:, columns], identity(rows.shape[0], format="csc")[:, idle]]))
    try:
        return columns, splu(chosen)
    except RuntimeError:  # singular
        return columns, None
