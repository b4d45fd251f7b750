"""Linear programming in the normal form: the matrix game between all reduced strategies of two players.

The textbook program of von Neumann's theorem. The normal form grows exponentially with the game: for small games, and
for games given as a matrix.
"""

from __future__ import annotations

import numpy as np

from pokerlab.settings import checked
from pokerlab.solvers.convex.program.linear_program import DirectSolver, Method, minimise
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.tree.normal import NormalForm
from pokerlab.tree.resources import Resources
from pokerlab.tree.units import far_middle, middle_power


@checked
def algorithm(*, method: Method = "simplex") -> Algorithm:
    """The normal-form linear program."""

    def make(form: NormalForm, seed: int, resources: Resources) -> DirectSolver:
        def solve() -> np.ndarray:
            return form.sequence.plan(form.sequence_profile(list(solve_matrix(form.payoff_table[0], method=method))))

        return DirectSolver(form.sequence, solve)

    return Algorithm("normal-lp", {"normal": make}, {"method": method}, two_player_zero_sum=True)


def solve_matrix(payoff: np.ndarray, *, method: str = "simplex") -> tuple[np.ndarray, np.ndarray]:
    """Optimal mixed strategies of a matrix of payoffs to the row player.  # [row, column] -> [row], [column]

    >>> rows, columns = solve_matrix(np.array([[7.0, 2, 8, 0], [7, 10, 5, 6]]))
    >>> rows.round(6).tolist(), float((rows @ [[7, 2, 8, 0], [7, 10, 5, 6]]).min().round(6))
    ([0.111111, 0.888889], 5.333333)
    """
    from scipy.sparse import csr_matrix

    rows, columns = payoff.shape
    payoff = payoff - far_middle(payoff)
    payoff = payoff / middle_power(payoff)  # the program's tolerances are absolute, and here entries are about 1
    program = np.zeros((columns + 1, rows + 1))  # columns: the mix and its worth
    program[:columns, :rows] = -payoff.T
    program[:columns, rows] = 1.0
    program[columns, :rows] = 1.0
    optimum = minimise(
        np.r_[np.zeros(rows), -1.0],
        csr_matrix(program),
        row_bounds=(np.r_[np.full(columns, -np.inf), 1.0], np.r_[np.zeros(columns), 1.0]),
        column_bounds=(np.r_[np.zeros(rows), -np.inf], np.full(rows + 1, np.inf)),
        method=method,
    )
    mix, reply = np.maximum(optimum.point[:rows], 0.0), np.maximum(-optimum.prices[:columns], 0.0)
    return mix / mix.sum(), reply / reply.sum()
