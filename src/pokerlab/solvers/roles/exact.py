"""Games of two roles measured by best responses, and solved exactly by linear programs.

In a game of one decision a hand a strategy is a vector and a best response is read off the margins, so the linear
program has one variable a hand. The second role's optimum is often a continuum; `admissible_second` picks the member
that no other dominates, as the one that does best against a first role which acts at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.program.linear_program import minimise
from pokerlab.tree.measure import Measure
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.units import power_of_two


@dataclass(frozen=True, eq=False)
class RoleSolution:
    """A strategy of each role, and the value to the first."""

    value: float
    first: np.ndarray  # [i] probability to act
    second: np.ndarray  # [j]


def measure_roles(form: RoleForm, first: np.ndarray, second: np.ndarray) -> Measure:
    """Value and best responses of a pair of strategies, by seat and in chips."""
    answers = form.counterfactual(0, second), form.counterfactual(1, first)
    value = float((1 - first) @ answers[0][0] + first @ answers[0][1])
    best = form.by_seat(*(float(answer.max(0).sum()) for answer in answers))
    return Measure(values=form.by_seat(value, -value), best_responses=best, zero_sum=True)


def solve_roles(form: RoleForm) -> RoleSolution:
    """An equilibrium by a linear program, to the solver's precision (about 1e-9 of the largest payoff).

    Of hand j the second role leaves the first `quiet[j]` by not acting, less what acting saves it, s[j] >= 0. The
    program finds p with the largest sum of quiet[j] - s[j], and the price of the row of j is q[j]. Rows are divided by
    the chance of their hands, so that numbers are about 1.
    """
    utilities = form.utilities / power_of_two(form.payoffs)
    hands, answers = form.chance.shape
    chances = form.hand_chances[1]
    quiet = utilities[1, 0] - utilities[0, 0]  # [i, j]: how it grows with p[i]
    saved = utilities[:, 0] - utilities[:, 1]  # [a, i, j]: what acting saves the second role, by what the first does
    # s[j] >= sum_i saved[0, i, j] + p[i] (saved[1, i, j] - saved[0, i, j])
    matrix = np.hstack([(saved[1] - saved[0]).T / chances[:, None], -np.eye(answers)])  # [j, i + j]
    solution, prices = _maximise(
        np.concatenate([quiet.sum(1), -chances]),
        matrix,
        -saved[0].sum(0) / chances,
        np.vstack([np.tile([0.0, 1.0], (hands, 1)), np.tile([0.0, np.inf], (answers, 1))]),
    )
    first = np.clip(solution[:hands], 0, 1)
    second = np.clip(np.abs(prices) / chances, 0, 1) if form.second_decides else np.ones(answers)
    return RoleSolution(form.value(first, second), first, second)


def extreme_second(form: RoleForm, value: float, wanted: np.ndarray) -> np.ndarray:
    """Among the second role's equilibrium strategies q, one that maximises wanted @ q. [j]

    Variables: q[j], then m[i], the most that the first role can win with hand i; the sum of m is at most the value.
    """
    unit = power_of_two(form.payoffs)
    utilities = form.utilities / unit
    hands, answers = form.chance.shape
    rows, limits = [], []
    for act in (0, 1):  # m[i] >= sum_j U[act, 0] + q (U[act, 1] - U[act, 0])
        rows.append(np.hstack([utilities[act, 1] - utilities[act, 0], -np.eye(hands)]))
        limits.append(-utilities[act, 0].sum(1))
    rows.append(np.concatenate([np.zeros(answers), np.ones(hands)])[None])
    limits.append(np.array([value / unit + 1e-9]))
    bounds = np.vstack([np.tile([0.0, 1.0], (answers, 1)), np.tile([-np.inf, np.inf], (hands, 1))])
    objective = np.concatenate([wanted / power_of_two(wanted), np.zeros(hands)])
    solution, _ = _maximise(objective, np.vstack(rows), np.concatenate(limits), bounds)
    return np.asarray(np.clip(solution[:answers], 0, 1))


def admissible_second(form: RoleForm, value: float) -> np.ndarray:
    """The second role's equilibrium strategy that wins most from a first role acting at random with every hand.

    Against strictly positive weights on every decision of the first role a dominated strategy cannot be best, so this
    one is admissible. [j]
    """
    return extreme_second(form, value, _against_coins(form))


def loosest_second(form: RoleForm, value: float) -> np.ndarray:
    """The equilibrium strategy at the other end: it wins least from a first role acting at random. [j]"""
    return extreme_second(form, value, -_against_coins(form))


def _against_coins(form: RoleForm) -> np.ndarray:
    """What acting wins the second role against a first role that acts half of the time, up to a constant. [j]"""
    coin = form.utilities.mean(0)  # [b, i, j]
    return np.asarray((coin[0] - coin[1]).sum(0))


def _maximise(
    objective: np.ndarray, matrix: np.ndarray, limits: np.ndarray, bounds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Maximise objective @ x where matrix @ x <= limits and bounds[:, 0] <= x <= bounds[:, 1]: x and the row prices."""
    from scipy.sparse import csr_matrix

    optimum = minimise(
        -objective,
        csr_matrix(matrix),
        row_bounds=(np.full(len(limits), -np.inf), limits),
        column_bounds=(bounds[:, 0].copy(), bounds[:, 1].copy()),
        tolerance=1e-10,
        presolve=False,  # which finds nothing in a program without zeros
    )
    return optimum.point, optimum.prices


class ProgrammedRoles:
    """The linear program as a solver: the first iteration solves the game, and before it all answers are one half."""

    def __init__(self, form: RoleForm) -> None:
        self.form = form
        self.iterations = 0
        self.output = [np.full(count, 0.5) for count in form.chance.shape]  # [hand] of each role

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.iterations > 0

    def answer(self) -> dict[str, np.ndarray]:
        """How often each role acts with each hand."""
        return {"acts0": self.output[0], "acts1": self.output[1]}

    @property
    def nodes_touched(self) -> int:
        """Pairs of hands looked at."""
        return self.iterations * self.form.chance.size

    def advance(self, iterations: int) -> None:
        """Solve, if that is not done."""
        if not self.finished and iterations > 0:
            solution = solve_roles(self.form)
            self.output = [solution.first, solution.second]
            self.iterations = 1

    def measure(self) -> Measure:
        """Value and best responses of the answer."""
        return measure_roles(self.form, self.output[0], self.output[1])

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"iterations": np.array([self.iterations]), "output0": self.output[0], "output1": self.output[1]}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        self.output = [np.array(arrays[f"output{role}"]) for role in (0, 1)]
