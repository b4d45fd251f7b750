"""Linear programs to any precision, using floats: solve, compute the residual exactly, scale it up, repeat.

Gleixner, Steffy and Wolter, "Iterative refinement for linear programming", 2016. A floating-point solver is right to
about nine digits of the largest number. The residual (rows not quite satisfied, prices not quite right) is computed in
integers of a fixed unit; it defines a program with the same rows, whose solution is added. Each round gains about eight
digits and starts from the previous basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.solvers.convex.program.linear_program import program_in_highs
from pokerlab.solvers.convex.program.whole_numbers import Exact, floats, solve_basis, whole

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FAR = 1e9  # a bound or cost beyond this, in units of the residual, is out of reach
MOST_ROUNDS = 100
_BITS_A_DIGIT = 3.33
_BITS_A_ROUND = 36  # the most by which the scale grows
_BITS_TO_SPARE = 72  # beyond the requested digits
_TOLERANCE = 1e-9  # of the floating-point program


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
    met: np.ndarray,
    free: np.ndarray,
    digits: int,
    basis: Any = None,
    entries: Sequence[Fraction] | None = None,
) -> ExactOptimum:
    """Minimise the cost, to that many digits, over points whose rows equal `met`; columns are at least 0 unless `free`.

    `basis` is the optimal basis of a similar program, and may be optimal for this one too. `entries` are the exact
    entries of the rows, if the floats are rounded.
    """
    program = _ExactProgram(cost, rows, met, free, digits, entries)
    return (basis is not None and program.from_basis(basis)) or program.by_rounds(basis)


class _ExactProgram:
    """A program, in integers of 2^-bits as well as in floats."""

    def __init__(
        self,
        cost: np.ndarray,
        rows: csr_matrix,
        met: np.ndarray,
        free: np.ndarray,
        digits: int,
        entries: Sequence[Fraction] | None = None,
    ) -> None:
        self.bits = int(digits * _BITS_A_DIGIT) + _BITS_TO_SPARE
        self.digits, self.rows, self.free = digits, rows, free
        self.costs, self.wanted = whole(cost, self.bits), whole(met, self.bits)
        self.exact = Exact(rows, self.bits, entries)

    def by_rounds(self, basis: Any) -> ExactOptimum:
        """Solve in floats, starting from a basis, then repeatedly for the residual."""
        bits, program = self.bits, _FloatProgram(self.rows, self.free, basis)
        point, prices = np.zeros(len(self.costs), object), np.zeros(len(self.wanted), object)
        left, reduced = self.wanted, self.costs
        scales = [0, 0]  # powers of two, of the point and of the prices
        for rounds in range(1, MOST_ROUNDS + 1):
            found = program.solve(
                floats(reduced, bits - scales[1]), floats(left, bits - scales[0]), -floats(point, bits - scales[0])
            )
            point = np.where(found.at_bound, 0, point + whole(found.point, bits - scales[0]))
            prices = prices + whole(found.prices, bits - scales[1])
            left, reduced, misses = self.left_over(point, prices)
            if self.is_solved(point, reduced, misses):
                return ExactOptimum(point, prices, bits, rounds, program.basis())
            scales = [
                min(scale + _BITS_A_ROUND, bits - max(miss.bit_length(), _BITS_TO_SPARE))
                for scale, miss in zip(scales, misses, strict=True)
            ]
            for side, beyond in enumerate(found.beyond):
                if beyond:  # the solution lies beyond the bounds of this scale
                    scales[side] = max(scales[side] - 3 * _BITS_A_ROUND, 0)
        raise PokerlabError(
            f"the linear program was not solved to {self.digits} digits in {MOST_ROUNDS} rounds; with a larger tremble "
            "it needs fewer digits"
        )

    def from_basis(self, basis: Any) -> ExactOptimum | None:
        """The point and prices that a basis determines if they are optimal, else None."""
        found = solve_basis(self.rows, basis, self.exact, self.costs, self.wanted)
        if found is None:
            return None
        point, prices, rounds = found
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
        options = {"solver": "simplex", "presolve": "on"} | tolerances
        self._highs = program_in_highs(np.zeros(len(free)), rows, row_bounds, column_bounds, options)
        if basis is not None:
            self._highs.setBasis(basis)
            self._highs.setOptionValue("presolve", "off")

    def basis(self) -> Any:
        """Which columns and rows are basic."""
        return self._highs.getBasis()

    def solve(self, cost: np.ndarray, met: np.ndarray, lower: np.ndarray) -> _Step:
        """The optimum with these costs, for rows that equal `met` and columns of at least `lower`."""
        import highspy

        highs, columns, every = self._highs, len(cost), self._every_column
        # Bounds are finite, since rounding could cause an unbounded ray, and never huge, since floats lose precision.
        bounds = np.where(self._free, -FAR, np.maximum(lower, -FAR))
        highs.changeColsCost(columns, every, np.clip(cost, -FAR, FAR))
        highs.changeColsBounds(columns, every, bounds, np.full(columns, FAR))
        highs.changeRowsBounds(len(met), self._every_row, met, met)
        highs.run()
        highs.setOptionValue("presolve", "off")  # later solves are warm-started
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:  # the last basis may be a dead end
            highs.clearSolver()
            highs.run()
        status = highs.getModelStatus()
        if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnknown):
            raise PokerlabError(
                f"the linear program was not solved ({highs.modelStatusToString(status)}); with a larger tremble its "
                "numbers lie nearer together"
            )
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
