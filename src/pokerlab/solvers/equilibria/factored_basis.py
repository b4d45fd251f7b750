"""A basis of sparse columns, factorised: complementary pivoting in floats on problems of thousands of rows.

A tableau costs rows times columns per pivot and loses digits with each. Here the basis is factorised every
REFACTORISE pivots, with an update per pivot in between (product form of the inverse; Dantzig and Orchard-Hays 1954), so
that a pivot costs one sparse solve. The right-hand side is perturbed by small random amounts, which breaks all ties as
the lexicographic rule does; the last basis is solved for the right-hand side as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.events import SILENT, Watch

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

REFACTORISE = 64  # pivots between factorisations
PERTURBATION = 1e-7  # of the right-hand side, whose largest numbers are 1
TINY = 1e-9  # what counts as zero in an entering column
MOST_PIVOTS = 100  # per row


class FactoredBasis:
    """The basis that solves `columns` x = `bounds`, with the values of its variables."""

    def __init__(self, columns: csc_matrix, bounds: np.ndarray, basis: np.ndarray) -> None:
        self.columns, self.bounds, self.basis = columns, bounds, basis
        self._factorise()

    def _factorise(self) -> None:
        from scipy.sparse.linalg import splu

        self._factors = splu(self.columns[:, self.basis])
        self._updates: list[tuple[int, np.ndarray]] = []  # (row, column in the basis before)
        self.values = self.solve(self.bounds)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution of basis x = right."""
        solution: np.ndarray = self._factors.solve(right)
        for row, update in self._updates:
            pivot = solution[row] / update[row]
            solution -= pivot * update
            solution[row] = pivot
        return solution

    def entering(self, variable: int) -> np.ndarray:
        """The column of a variable in this basis."""
        column = np.zeros(len(self.bounds))
        own = slice(self.columns.indptr[variable], self.columns.indptr[variable + 1])
        column[self.columns.indices[own]] = self.columns.data[own]
        return self.solve(column)

    def leaving(self, column: np.ndarray) -> int | None:
        """The row whose variable reaches zero first when an entering column grows; None if none does."""
        rows = np.flatnonzero(column > TINY)
        if not len(rows):
            return None
        return int(rows[np.argmin(self.values[rows] / column[rows])])

    def pivot(self, row: int, variable: int, column: np.ndarray) -> int:
        """Let a variable enter in a row; returns the variable that leaves."""
        step = self.values[row] / column[row]
        self.values -= step * column
        self.values[row] = step
        left, self.basis[row] = int(self.basis[row]), variable
        self._updates.append((row, column))
        if len(self._updates) >= REFACTORISE:
            self._factorise()
        return left

    def solution(self, bounds: np.ndarray) -> np.ndarray:
        """All variables, if the basis is solved for another right-hand side."""
        self._factorise()
        values = np.zeros(self.columns.shape[1])
        values[self.basis] = self.solve(bounds)
        return values


def solve_sparse_complementarity(
    matrix: csc_matrix, bounds: np.ndarray, cover: np.ndarray, *, seed: int, watch: Watch = SILENT
) -> tuple[np.ndarray, int]:
    """Some z >= 0 with matrix z + bounds >= 0, complementary, and the pivots of Lemke's path from a covering vector."""
    from scipy.sparse import csc_matrix, hstack, identity

    count, artificial = len(bounds), 2 * len(bounds)
    columns = csc_matrix(hstack([identity(count), -matrix, csc_matrix(-cover[:, None])]))
    perturbed = bounds + PERTURBATION * np.random.default_rng(seed).uniform(1.0, 2.0, count)
    basis = FactoredBasis(columns, perturbed, np.arange(count))
    negative = np.flatnonzero(perturbed < 0)
    row: int | None = int(negative[np.argmin(perturbed[negative] / cover[negative])])
    entering, pivots = artificial, 0
    while True:
        column = basis.entering(entering)
        if pivots:
            row = basis.leaving(column)
        if row is None or pivots > MOST_PIVOTS * count:
            raise PokerlabError("rounding errors stop Lemke's path; solve approximates an equilibrium")
        left, pivots = basis.pivot(row, entering, column), pivots + 1
        if left == artificial:
            return basis.solution(bounds)[count:artificial], pivots
        entering = left + count if left < count else left - count
        if pivots % 500 == 0:
            watch.at(f"{pivots:,} pivots", pivots, None)
