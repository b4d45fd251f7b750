"""Linear programming: an exact equilibrium of a two-player zero-sum game, in the sequence or the classes form.

Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees", 1994. One program
gives both strategies: the first player's plan is the primal solution, the second player's the dual prices of its rows.
HiGHS solves it by the simplex method, an interior-point method, or PDLP (first-order, for large games, to a tolerance).
`method=interior` stops at the interior point, in the relative interior of the equilibria: it plays every action that
some equilibrium plays.

With a `tremble` the program solves exactly the game in which every player trembles with that probability
(solvers/convex/program/trembling.py): its equilibrium also plays well at infosets that equilibrium play never reaches,
and loses about that fraction of the largest payoff.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.settings import checked, number, or_none
from pokerlab.solvers.convex.program.linear_program import DirectSolver, Method, best_plan, plan_rows
from pokerlab.solvers.convex.program.trembling import LEAST, solve_trembling
from pokerlab.solvers.core.algorithm import Algorithm, Engine, engine_of
from pokerlab.solvers.core.run import Solver
from pokerlab.solvers.preflop.classes.exact import ProgrammedClasses
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm
from pokerlab.tree.units import far_middle, middle_power

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from pokerlab.tree.form import Form


@checked
def algorithm(
    *,
    method: Method = "simplex",
    tolerance: Annotated[float | None, or_none(number(above=0))] = None,
    tremble: Annotated[float | None, or_none(number(LEAST, below=1))] = None,
) -> Algorithm:
    """The sequence-form linear program."""
    settings: dict[str, Any] = {"method": method} | ({} if tolerance is None else {"tolerance": tolerance})
    if tremble is not None:
        if settings != {"method": "simplex"}:
            raise BadSetting("with a tremble the program is solved exactly, by simplex; leave method and tolerance out")
        settings["tremble"] = tremble

    def on_sequences(form: SequenceForm, seed: int, resources: Resources) -> Solver:
        if tremble is not None:
            payoff = scaled_payoffs(form).matrix
            return DirectSolver(form, lambda: form.plan(solve_trembling(form, payoff, tremble=tremble)))
        return DirectSolver(form, lambda: solve_sequence_form(form, method=method, tolerance=tolerance))

    engines: dict[str, Engine] = {"sequence": on_sequences}
    if settings == {"method": "simplex"}:
        engines["classes"] = engine_of(ProgrammedClasses)
    return Algorithm("lp", engines, settings, two_player_zero_sum=True)


def solve_sequence_form(
    form: SequenceForm, *, method: str = "simplex", tolerance: float | None = None, allowed: np.ndarray | None = None
) -> np.ndarray:
    """An equilibrium as realization plans; with `allowed` [S], of the game with only those sequences."""
    return solve_program(form, scaled_payoffs(form).matrix, method=method, tolerance=tolerance, allowed=allowed)


def solve_program(
    form: Form,
    payoff: csr_matrix,
    *,
    method: str = "simplex",
    tolerance: float | None = None,
    allowed: np.ndarray | None = None,
) -> np.ndarray:
    """The same of any form, given its payoffs [sequence of 0, sequence of 1], the empty ones first.  # [S]

    Variables are the first player's plan x and a value w for each of the second player's infosets, the root first.
    For each sequence t of the second player, who minimises, w[infoset of t] <= (x A)[t] + the values of infosets
    after t.
    """
    from scipy.sparse import csr_matrix, hstack

    mine, theirs, of_player = plan_rows(form, 0), plan_rows(form, 1), form.treeplexes.sequences_of
    there = [np.full(size, True) for size in payoff.shape]  # which sequences exist, the empty ones first
    if allowed is not None:
        there = [np.append(True, allowed[of_player(player)]) for player in (0, 1)]
        mine, theirs, payoff = mine[:, there[0]], theirs[:, there[1]], payoff[there[0]][:, there[1]]
    optimum = best_plan(mine, csr_matrix(hstack([-payoff.T, theirs.T])), method=method, tolerance=tolerance)
    plan = np.ones(form.treeplexes.sequences)
    for player, numbers in enumerate((optimum.plan, -optimum.prices)):
        whole = np.zeros(len(there[player]))
        whole[there[player]] = np.maximum(numbers, 0.0)
        plan[of_player(player)] = whole[1:]
    return plan


class ScaledPayoffs(NamedTuple):
    """Payoffs to the first player as matrix * unit + middle."""

    matrix: csr_matrix  # [sequence of 0, sequence of 1], the empty ones first
    unit: float
    middle: float  # constant of a whole game: plans that sum to 1 receive it once


def scaled_payoffs(form: SequenceForm) -> ScaledPayoffs:
    """The payoffs scaled for linear programs: solver tolerances are absolute, so entries are scaled to about 1.

    Payoffs that are all far to one side of zero are shifted to it first, which changes no equilibrium.
    """
    middle = far_middle(form.tree.returns[:, 0])
    matrix = form.centred().matrix.copy()
    unit = middle_power(matrix.data)
    matrix.data /= unit
    return ScaledPayoffs(matrix, unit, middle)
