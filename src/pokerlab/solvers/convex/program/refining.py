"""Linear programs to any precision, using floats: solve, compute the residual exactly, scale it up, repeat.

Gleixner, Steffy and Wolter, "Iterative refinement for linear programming", 2016. A floating-point solver is right to
about nine digits of the largest number. The residual (rows not quite satisfied, prices not quite right) is computed in
integers of a fixed unit; it defines a program with the same rows, whose solution is added. Each round gains about seven
digits and starts from the previous basis.

Integers are fixed-point numbers in units of 2^-bits, Python integers of any length: sums without rounding. The linear
equations of a basis are solved in floats and corrected by their exact residuals, as often as needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.solvers.convex.program.linear_program import program_in_highs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FAR = 1e9  # a bound or cost beyond this, in units of the residual, is out of reach
MOST_ROUNDS = 100
_BITS_A_DIGIT = 3.33
_BITS_A_ROUND = 24, 12  # the most by which the scale grows; if it fails with the first, it is tried with the next
_ITERATIONS = 10  # of the simplex method, times rows and columns: more means that rounding keeps it from an optimum
_BITS_TO_SPARE = 72  # beyond the requested digits
_TOLERANCE = 1e-9  # of the floating-point program
MOST_CORRECTIONS = 200
NEGLIGIBLE = 1 << 40  # units of 2^-bits
_BITS_A_CORRECTION = 8  # at least; with less progress the equations are singular to float precision


@dataclass(frozen=True)
class ExactOptimum:
    """The point and the prices of its rows, as integers in units of 2^-bits."""

    point: np.ndarray  # [column] of Python integers
    prices: np.ndarray  # [row] of Python integers
    bits: int
    rounds: int
    basis: Any  # of HiGHS; a similar program is solved quickly from it


def minimise_exactly(
    cost: np.ndarray,
    rows: csr_matrix,
    *,
    right_side: np.ndarray,
    free: np.ndarray,
    digits: int,
    basis: Any = None,
    entries: Sequence[Fraction] | None = None,
) -> ExactOptimum:
    """Minimise the cost to `digits` digits over points with rows equal to `right_side`, and columns >= 0 unless `free`.

    `basis` is the optimal basis of a similar program, and may be optimal for this one too. `entries` are the exact
    entries of the rows, if the floats are rounded.
    """
    program = _ExactProgram(cost, rows, right_side, free, digits, entries)
    return (basis is not None and program.from_basis(basis)) or program.by_rounds(basis)


class _ExactProgram:
    """A program, in integers of 2^-bits as well as in floats."""

    def __init__(
        self,
        cost: np.ndarray,
        rows: csr_matrix,
        right_side: np.ndarray,
        free: np.ndarray,
        digits: int,
        entries: Sequence[Fraction] | None = None,
    ) -> None:
        self.bits = int(digits * _BITS_A_DIGIT) + _BITS_TO_SPARE
        self.digits, self.rows, self.free = digits, rows, free
        self.costs, self.wanted = whole(cost, self.bits), whole(right_side, self.bits)
        self.exact = Exact(rows, self.bits, entries)

    def by_rounds(self, basis: Any) -> ExactOptimum:
        """Solve in floats, starting from a basis, then repeatedly for the residual.

        If the scale grows too fast, the next correction is beyond the bounds of a round, and no round ends.
        """
        for growth in _BITS_A_ROUND:
            optimum = self._refine(basis, growth)
            if optimum is not None:
                return optimum
        raise PokerlabError(
            f"the linear program was not solved to {self.digits} digits: its numbers span too many orders of "
            "magnitude; use a larger tremble"
        )

    def _refine(self, basis: Any, growth: int) -> ExactOptimum | None:
        """The optimum, by rounds in which the scale grows by at most `growth` bits; None if they fail."""
        bits, program = self.bits, _FloatProgram(self.rows, self.free, basis)
        point, prices = np.zeros(len(self.costs), object), np.zeros(len(self.wanted), object)
        left, reduced = self.wanted, self.costs
        scales = [0, 0]  # powers of two, of the point and of the prices
        for rounds in range(1, MOST_ROUNDS + 1):
            step = program.solve(
                floats(reduced, bits - scales[1]), floats(left, bits - scales[0]), -floats(point, bits - scales[0])
            )
            if step is None:
                return None
            point = np.where(step.at_bound, 0, point + whole(step.point, bits - scales[0]))
            prices = prices + whole(step.prices, bits - scales[1])
            left, reduced, misses = self.left_over(point, prices)
            if self.is_solved(point, reduced, misses):
                return ExactOptimum(point, prices, bits, rounds, program.basis())
            scales = [
                min(scale + growth, bits - max(miss.bit_length(), _BITS_TO_SPARE))
                for scale, miss in zip(scales, misses, strict=True)
            ]
            for side, beyond in enumerate(step.beyond):
                if beyond:  # the solution is beyond the bounds of this scale
                    scales[side] = max(scales[side] - 3 * growth, 0)
        return None

    def from_basis(self, basis: Any) -> ExactOptimum | None:
        """The point and prices that a basis determines if they are optimal, else None."""
        result = solve_basis(self.rows, basis, self.exact, self.costs, self.wanted)
        if result is None:
            return None
        point, prices, rounds = result
        _, reduced, misses = self.left_over(point, prices)
        solved = self.is_solved(point, reduced, misses)
        return ExactOptimum(point, prices, self.bits, rounds, basis) if solved else None

    def left_over(self, point: np.ndarray, prices: np.ndarray) -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
        """Row residuals, reduced costs, and the largest errors of the point and of the prices."""
        left, reduced = self.wanted - self.exact.times(point), self.costs - self.exact.across(prices)
        wrong_point = max(_most(abs(left)), _most(-point[~self.free]))
        wrong_prices = max(_most(-reduced[~self.free]), _most(abs(reduced[self.free])))
        return left, reduced, (wrong_point, wrong_prices)

    def is_solved(self, point: np.ndarray, reduced: np.ndarray, misses: tuple[int, int]) -> bool:
        """Whether it is right to the requested digits, with complementary slackness."""
        in_vain = _most(np.minimum(point, reduced)[~self.free])  # a column that is used but has a positive reduced cost
        return max(*misses, in_vain) <= 1 << _BITS_TO_SPARE


@dataclass(frozen=True)
class _Step:
    """The result of one round, in units of the residual before it."""

    point: np.ndarray  # [column]
    prices: np.ndarray  # [row]
    at_bound: np.ndarray  # [column]: whether a column is at its lower bound
    beyond: tuple[bool, bool]  # whether the point, or the prices, hit the bounds of this round


class _FloatProgram:
    """The program in floats, solved repeatedly from the last basis."""

    def __init__(self, rows: csr_matrix, free: np.ndarray, basis: Any) -> None:
        self._free = free
        self._every_row, self._every_column = (np.arange(count, dtype=np.int32) for count in rows.shape)
        row_bounds = np.zeros(rows.shape[0]), np.zeros(rows.shape[0])
        column_bounds = np.where(free, -np.inf, 0.0), np.full(rows.shape[1], np.inf)
        tolerances = {"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE}
        options = {"solver": "simplex", "presolve": "on", "simplex_iteration_limit": _ITERATIONS * sum(rows.shape)}
        options |= tolerances
        self._highs = program_in_highs(np.zeros(len(free)), rows, row_bounds, column_bounds, options)
        if basis is not None:
            self._highs.setBasis(basis)
            self._highs.setOptionValue("presolve", "off")

    def basis(self) -> Any:
        """Which columns and rows are basic."""
        return self._highs.getBasis()

    def solve(self, cost: np.ndarray, right_side: np.ndarray, lower: np.ndarray) -> _Step | None:
        """The optimum with these costs, for rows equal to `right_side` and columns >= `lower`; None without one."""
        import highspy

        highs, columns, every = self._highs, len(cost), self._every_column
        # Bounds are finite, since rounding could cause an unbounded ray, and never huge, since floats lose precision.
        bounds = np.where(self._free, -FAR, np.maximum(lower, -FAR))
        highs.changeColsCost(columns, every, np.clip(cost, -FAR, FAR))
        highs.changeColsBounds(columns, every, bounds, np.full(columns, FAR))
        highs.changeRowsBounds(len(right_side), self._every_row, right_side, right_side)
        highs.run()
        highs.setOptionValue("presolve", "off")  # later solves are warm-started
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:  # the last basis may be a dead end
            highs.clearSolver()
            highs.run()
        status = highs.getModelStatus()
        if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnknown):
            return None
        solution, basis = highs.getSolution(), highs.getBasis()
        point = np.array(solution.col_value)
        at_lower, basic = (
            np.array([status == kind for status in basis.col_status])
            for kind in (highspy.HighsBasisStatus.kLower, highspy.HighsBasisStatus.kBasic)
        )
        beyond = bool((np.abs(point) >= FAR).any()), bool((np.abs(cost[basic]) > FAR).any())
        return _Step(point, np.array(solution.row_dual), at_lower & (lower > -FAR) & ~self._free, beyond)


def _most(values: np.ndarray) -> int:
    """The largest entry, or 0 if none is positive."""
    return int(max([0, *values]))


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
    """A sparse matrix times integer vectors in units of 2^-bits; `entries` are exact, if the floats are rounded."""

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
        product = np.zeros(matrix.shape[0], object)
        filled = np.flatnonzero(np.diff(matrix.indptr))
        product[filled] = np.add.reduceat(data * vector[matrix.indices], matrix.indptr[filled])
        return product >> self.bits


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
