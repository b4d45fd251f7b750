"""A tableau of linear equations that is pivoted exactly, in integers, or in floats.

Integer pivoting (Edmonds; Bareiss 1968): all numbers are multiples of one over the last pivot, so that dividing by the
pivot before never leaves a remainder. Ties in the ratio test are broken lexicographically, as if the right-hand sides
were perturbed by ever smaller amounts: degenerate programs do not cycle, and the perturbed ones have the same bases.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

TINY = 1e-10  # what counts as zero in floats; payoffs are scaled to about 1


@dataclass(eq=False)
class Tableau:
    """Rows `entries` / `scale` of equations solved for one variable each.

    The columns that are the identity at the start are `identity`, in the order of the rows: they become the inverse of
    the basis, which is what the lexicographic rule compares.
    """

    entries: np.ndarray  # [row, variable + 1]: Python integers or float64; the last column is the right-hand side
    basis: list[int]  # [row]: the variable that a row is solved for
    identity: list[int]  # [row]
    scale: Any = 1  # the pivot of the last step; 1 in floats

    @property
    def exact(self) -> bool:
        """Whether it computes in integers."""
        return self.entries.dtype == object

    def copy(self) -> Tableau:
        """The same in arrays of its own."""
        return Tableau(self.entries.copy(), list(self.basis), self.identity, self.scale)

    def value(self, row: int) -> Any:
        """The value of the variable of a row, as a fraction or a float."""
        number = self.entries[row, -1]
        return Fraction(int(number), int(self.scale)) if self.exact else float(number)

    def values(self, count: int) -> list[Any]:
        """The values of the first `count` variables."""
        values: list[Any] = [Fraction(0) if self.exact else 0.0] * count
        for row, variable in enumerate(self.basis):
            if variable < count:
                values[variable] = self.value(row)
        return values

    def leaving(self, column: int, *, last: int | None = None) -> int | None:
        """The row whose variable leaves when that of a column enters; None if it can grow without bound.

        Of rows with equal ratios, that of the variable `last` leaves if it is among them, else the lexicographic
        minimum of the rows.
        """
        entering = self.entries[:, column]
        rows = [int(row) for row in np.flatnonzero(entering > (0 if self.exact else TINY))]
        if not rows:
            return None
        for compared in (-1, *self.identity):
            rows = self._least(rows, column, compared)
            if len(rows) == 1:
                break
            if compared == -1 and last is not None:
                wanted = [row for row in rows if self.basis[row] == last]
                if wanted:
                    return wanted[0]
        return rows[0]

    def _least(self, rows: list[int], column: int, compared: int) -> list[int]:
        """Of some rows, those with the smallest ratio of one column to another."""
        entries = self.entries
        if not self.exact:
            ratios = entries[rows, compared] / entries[rows, column]
            least = ratios.min()
            close = ratios <= least + TINY * max(1.0, abs(least))
            return [row for row, tied in zip(rows, close.tolist(), strict=True) if tied]
        best = [rows[0]]
        for row in rows[1:]:
            mine = entries[row, compared] * entries[best[0], column]
            theirs = entries[best[0], compared] * entries[row, column]
            if mine < theirs:
                best = [row]
            elif mine == theirs:
                best.append(row)
        return best

    def pivot(self, row: int, column: int) -> int:
        """Solve a row for the variable of a column; returns the variable that it was solved for."""
        entries, pivot = self.entries, self.entries[row, column]
        is_other = np.arange(len(entries)) != row
        if self.exact:
            others = np.flatnonzero(is_other)
            changed = entries[others] * pivot - np.outer(entries[others, column], entries[row])
            entries[others] = changed // self.scale
            self.scale = pivot
            if pivot < 0:  # numbers stay multiples of a positive scale
                entries *= -1
                self.scale = -pivot
        else:
            entries[row] /= pivot
            others = np.flatnonzero(is_other & (entries[:, column] != 0))
            entries[others] -= np.outer(entries[others, column], entries[row])
            entries[others, column] = 0.0
        left, self.basis[row] = self.basis[row], column
        return left


def with_slacks(matrix: np.ndarray, bounds: np.ndarray, *, first: bool = False) -> Tableau:
    """The tableau of matrix · x + slacks = bounds: variables x then slacks, or slacks `first`. Bounds must be >= 0."""
    rows, columns = matrix.shape
    identity = np.zeros((rows, rows), matrix.dtype)
    identity[np.arange(rows), np.arange(rows)] = 1
    parts = [identity, matrix] if first else [matrix, identity]
    slacks = list(range(rows)) if first else list(range(columns, columns + rows))
    return Tableau(np.hstack([*parts, bounds[:, None]]), list(slacks), slacks)


def integers(matrix: np.ndarray) -> np.ndarray:
    """A matrix of whole numbers as Python integers, which do not overflow."""
    return np.array([[int(number) for number in row] for row in matrix.tolist()], object).reshape(matrix.shape)


@dataclass(frozen=True, eq=False)
class ExactOptimum:
    """The optimum of an exact linear program."""

    value: Fraction
    point: list[Fraction]


def maximise(cost: np.ndarray, matrix: np.ndarray, bounds: np.ndarray) -> ExactOptimum:
    """Maximise cost · x over x >= 0 with matrix · x <= bounds, where bounds >= 0, in integers (simplex method).

    The variable with the most negative cost enters; the lexicographic rule excludes cycles.

    >>> found = maximise(np.array([3, 2]), np.array([[1, 1], [1, 0]]), np.array([4, 2]))
    >>> found.value, found.point
    (Fraction(10, 1), [Fraction(2, 1), Fraction(2, 1)])
    """
    rows, columns = matrix.shape
    whole = integers(np.vstack([matrix, -cost[None, :]]))
    tableau = with_slacks(whole, integers(np.r_[bounds, 0][:, None])[:, 0])
    entries, top = tableau.entries, rows  # the last row is the cost, whose own variable never leaves
    program = Tableau(entries[:rows], tableau.basis[:rows], tableau.identity[:rows])
    while True:
        candidates = entries[top, :-2]
        column = int(np.argmin(candidates))
        if candidates[column] >= 0:
            break
        row = program.leaving(column)
        assert row is not None, "the program is unbounded"
        entries[top] = (entries[top] * entries[row, column] - entries[top, column] * entries[row]) // program.scale
        program.pivot(row, column)
    return ExactOptimum(Fraction(int(entries[top, -1]), int(program.scale)), program.values(columns))


def point_of(matrix: np.ndarray, bounds: np.ndarray) -> list[Fraction] | None:
    """Some x >= 0 with matrix · x = bounds, where bounds >= 0; None if there is none. In integers."""
    found = maximise(matrix.sum(axis=0), matrix, bounds)
    return found.point if found.value == sum(int(bound) for bound in bounds) else None
