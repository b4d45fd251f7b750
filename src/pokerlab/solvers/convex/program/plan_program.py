"""Linear programs over one player's plan: what sequence-form programs share.

Variables are a plan x, defined by rows of its own (`plan_rows`), and values, which may be negative. The opponent's
options limit the values: linear constraints on x and the values together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab.solvers.convex.program.linear_program import Basis, minimise
from pokerlab.tree.form import Form

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from pokerlab.tree.bucketed.betting import BettingForm


def plan_rows(form: Form, player: int) -> csr_matrix:
    """The rows that define a plan: the empty sequence is 1, and each infoset's sequences sum to its parent's.

    Columns are the player's sequences, the empty one first.
    """
    from scipy.sparse import csr_matrix

    start, parent = form.treeplexes.single(player)
    infosets, sequences = np.arange(1, len(parent) + 1), np.arange(1, int(start[-1]))
    row = np.r_[0, np.repeat(infosets, np.diff(start)), infosets]
    column = np.r_[0, sequences, parent]
    sign = np.r_[1.0, np.ones(len(sequences)), -np.ones(len(parent))]
    return csr_matrix((sign, (row, column)), shape=(len(parent) + 1, int(start[-1])))


class PlanOptimum(NamedTuple):
    """The best plan, the prices of the constraints on its value, its cost, and a basis for a later program."""

    plan: np.ndarray  # [sequence], the empty one first; nowhere negative
    prices: np.ndarray  # [limit]
    cost: float
    basis: Basis | None


def best_plan(
    rules: csr_matrix,
    limits: csr_matrix,
    *,
    met: int = 0,
    cost: np.ndarray | None = None,
    least: np.ndarray | None = None,
    **settings: Any,
) -> PlanOptimum:
    """The plan of least cost; by default, the one whose first value is largest.

    `rules` [row, sequence] define a plan. Of `limits` [limit, sequences + worths] the first `met` equal 0 and the
    others are at most 0. `least` [worth] are lower bounds of the values, -inf for none. `settings` are those of
    `minimise`.
    """
    from scipy.sparse import csr_matrix, hstack, vstack

    plans, columns = rules.shape[1], limits.shape[1]
    worths = columns - plans
    if cost is None:
        cost = np.zeros(columns)
        cost[plans] = -1.0
    if least is None:
        least = np.full(worths, -np.inf)
    made = np.zeros(rules.shape[0])
    made[0] = 1.0
    free = np.full(limits.shape[0] - met, -np.inf)
    optimum = minimise(
        cost,
        csr_matrix(vstack([hstack([rules, csr_matrix((rules.shape[0], worths))]), limits])),
        row_bounds=(np.r_[made, np.zeros(met), free], np.r_[made, np.zeros(limits.shape[0])]),
        column_bounds=(np.r_[np.zeros(plans), least], np.full(columns, np.inf)),
        **settings,
    )
    plan, prices = np.maximum(optimum.point[:plans], 0.0), optimum.prices[rules.shape[0] :]
    return PlanOptimum(plan, prices, float(cost @ optimum.point), optimum.basis)


class ProgramSize(NamedTuple):
    """The size of the sequence-form program of Koller, Megiddo and von Stengel for the first player's strategy.

    Rows are the first player's sequences, and an equation for each infoset of the second and their empty sequence;
    columns are the second's sequences, and a value for each infoset of the first and their empty sequence.
    """

    rows: int
    columns: int


def program_size(betting: BettingForm, counts: Sequence[int]) -> ProgramSize:
    """The size of a program with this many hands, or classes of hands, per round, without building it."""
    infosets, sequences = [0, 0], [1, 1]
    arrays = betting.arrays
    for player in (0, 1):
        for turn, count in enumerate(counts):
            own = np.flatnonzero((arrays.actor == player) & (arrays.round == turn))
            infosets[player] += count * len(own)
            sequences[player] += count * int(arrays.moves[own].astype(np.int64).sum())
    return ProgramSize(sequences[0] + infosets[1] + 1, sequences[1] + infosets[0] + 1)
