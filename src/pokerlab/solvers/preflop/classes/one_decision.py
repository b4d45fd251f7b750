"""Games of one decision each: what their solvers share, and exact solutions by linear programs.

A strategy is one vector over the hands, so the linear program has one variable per hand. The second player's optimum is
often a continuum; `admissible_second` picks the member that no other dominates, the one that does best against a first
player who acts at random.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.one_decision import OneDecision
from pokerlab.tree.units import power_of_two


class OneDecisionSolver(ProfileSolver):
    """A solver of a game of one decision each, whose result is how often each hand acts."""

    game: ClassForm
    counted, counts_name = ("iterations",), "iterations"

    @property
    @abstractmethod
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        """The probability of acting [hand] of each player, in the order of deciding."""

    def result(self) -> np.ndarray:
        return self.game.profile_of(self.game.behaviours_of(self.acts))


@dataclass(frozen=True, eq=False)
class OneDecisionSolution:
    """A strategy of each player, and the value to the first."""

    value: float
    first: np.ndarray  # [i] probability of acting
    second: np.ndarray  # [j]


def solve_one_decision(game: OneDecision) -> OneDecisionSolution:
    """An equilibrium by a linear program, to the solver's precision (about 1e-9 of the largest payoff).

    With hand j the second player leaves the first `quiet[j]` by not acting, less what acting saves, s[j] >= 0. The
    program finds p with the largest sum of quiet[j] - s[j], and the price of the row of j is q[j]. Rows are divided by
    the chance of their hands, so that coefficients are about 1.
    """
    utilities = game.utilities / power_of_two(game.payoffs)
    hands, others = game.chance.shape
    chances = game.hand_chances[1]
    quiet = utilities[1, 0] - utilities[0, 0]  # [i, j]: how it grows with p[i]
    saved = utilities[:, 0] - utilities[:, 1]  # [a, i, j]: what acting saves the second, by what the first does
    # s[j] >= sum_i saved[0, i, j] + p[i] (saved[1, i, j] - saved[0, i, j])
    matrix = np.hstack([(saved[1] - saved[0]).T / chances[:, None], -np.eye(others)])  # [j, i + j]
    solution, prices = _maximise(
        np.concatenate([quiet.sum(1), -chances]),
        matrix,
        -saved[0].sum(0) / chances,
        np.vstack([np.tile([0.0, 1.0], (hands, 1)), np.tile([0.0, np.inf], (others, 1))]),
    )
    first = np.clip(solution[:hands], 0, 1)
    second = np.clip(np.abs(prices) / chances, 0, 1) if game.second_decides else np.ones(others)
    return OneDecisionSolution(game.value(first, second), first, second)


def extreme_second(game: OneDecision, value: float, wanted: np.ndarray) -> np.ndarray:
    """Among the second player's equilibrium strategies q, one that maximises wanted @ q. [j]

    Variables: q[j], then m[i], the most that the first player can win with hand i; the sum of m is at most the value.
    """
    unit = power_of_two(game.payoffs)
    utilities = game.utilities / unit
    hands, others = game.chance.shape
    rows, limits = [], []
    for act in (0, 1):  # m[i] >= sum_j U[act, 0] + q (U[act, 1] - U[act, 0])
        rows.append(np.hstack([utilities[act, 1] - utilities[act, 0], -np.eye(hands)]))
        limits.append(-utilities[act, 0].sum(1))
    rows.append(np.concatenate([np.zeros(others), np.ones(hands)])[None])
    limits.append(np.array([value / unit + 1e-9]))
    bounds = np.vstack([np.tile([0.0, 1.0], (others, 1)), np.tile([-np.inf, np.inf], (hands, 1))])
    objective = np.concatenate([wanted / power_of_two(wanted), np.zeros(hands)])
    solution, _ = _maximise(objective, np.vstack(rows), np.concatenate(limits), bounds)
    return np.asarray(np.clip(solution[:others], 0, 1))


def admissible_second(game: OneDecision, value: float) -> np.ndarray:
    """The second player's equilibrium strategy that wins most from a first player who acts at random with every hand.

    Against strictly positive weights on every decision of the first player a dominated strategy cannot be best, so this
    one is admissible. [j]
    """
    return extreme_second(game, value, _against_coins(game))


def loosest_second(game: OneDecision, value: float) -> np.ndarray:
    """The equilibrium strategy at the other end: it wins least from a first player who acts at random. [j]"""
    return extreme_second(game, value, -_against_coins(game))


def _against_coins(game: OneDecision) -> np.ndarray:
    """What acting wins the second player against a first who acts half of the time, up to a constant. [j]"""
    coin = game.utilities.mean(0)  # [b, i, j]
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
