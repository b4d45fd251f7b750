"""The counter-strategy as a linear program: exact, for games whose program fits.

The free player's plan x is chosen against the worst that the held player can do. With A what x pays at the held
player's sequences, V the worth to the free player of all from a sequence on and m the least worth of an infoset,

    V[s] = (x A)[s] + the sum over infosets I that follow s of  held[I] model[I] . V[I] + (1 - held[I]) m[I]
    m[I] <= V[s'] for every sequence s' of I

and what is maximised is whole (x A) . fixed + (1 - whole) V[empty sequence].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.counter.restriction import Restriction
from pokerlab.solvers.program.linear_program import minimise
from pokerlab.solvers.program.treeplex import parent_columns, plan_rows
from pokerlab.solvers.units import middle_power
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def solve_restricted(form: SequenceForm, restriction: Restriction) -> tuple[np.ndarray, float]:
    """The free player's plan of an equilibrium of the restricted game, the held player's zero; and its value.  # [S]"""
    from scipy.sparse import csr_matrix, hstack, identity, vstack

    held = restriction.player
    free = 1 - held
    payoff = form.matrix if free == 0 else csr_matrix(-form.matrix.T)  # to the free player  # [free, held]
    scale = middle_power(payoff.data)
    payoff = csr_matrix(payoff / scale)
    rules = plan_rows(form, free)
    following, members = _worths(form, restriction)
    plans, sequences, infosets = rules.shape[1], payoff.shape[1], members.shape[1]
    own = form.sequences_of(held)
    fixed = np.r_[1.0, form.plan(restriction.model)[own]]
    worth = identity(sequences, format="csr") - following[:, :sequences]
    rows = vstack(
        [
            hstack([rules, csr_matrix((rules.shape[0], sequences + infosets))]),
            hstack([-payoff.T, worth, -following[:, sequences:]]),
            hstack([csr_matrix((sequences - 1, plans)), -identity(sequences, format="csr")[1:], members]),
        ]
    )
    start = np.zeros(rules.shape[0])
    start[0] = 1.0
    cost = np.zeros(plans + sequences + infosets)
    cost[:plans] = -restriction.whole * (payoff @ fixed)
    cost[plans] = restriction.whole - 1.0
    optimum = minimise(
        cost,
        csr_matrix(rows),
        row_bounds=(
            np.r_[start, np.zeros(sequences), np.full(sequences - 1, -np.inf)],
            np.r_[start, np.zeros(sequences), np.zeros(sequences - 1)],
        ),
        column_bounds=(
            np.r_[np.zeros(plans), np.full(sequences + infosets, -np.inf)],
            np.full(len(cost), np.inf),
        ),
    )
    plan = np.zeros(form.sequences)
    plan[free] = 1.0
    plan[form.sequences_of(free)] = np.maximum(optimum.point[1:plans], 0.0)
    return plan, -scale * float(cost @ optimum.point)


def _worths(form: SequenceForm, restriction: Restriction) -> tuple[csr_matrix, csr_matrix]:
    """What follows each sequence of the held player, by worths V and least worths m; and the infoset of each.

    Sequences are numbered from the empty one, 0.  # [sequence, sequences + infosets], [sequence but the empty, infoset]
    """
    from scipy.sparse import csr_matrix

    player = restriction.player
    own = form.sequences_of(player)
    low, high = (int(bound) for bound in form.ranges[0][player])
    infosets, sequences = high - low, own.stop - own.start + 1
    counts = np.diff(form.tree.start[low : high + 1])
    infoset = np.repeat(np.arange(infosets), counts)
    held, parent = restriction.held[low:high], parent_columns(form, player)
    model = restriction.model[form.slots_of(player)]
    share = np.r_[held[infoset] * model, 1.0 - held]
    row = np.r_[parent[infoset], parent]
    column = np.r_[np.arange(1, sequences), sequences + np.arange(infosets)]
    following = csr_matrix((share, (row, column)), shape=(sequences, sequences + infosets))
    members = csr_matrix((np.ones(sequences - 1), (np.arange(sequences - 1), infoset)), shape=(sequences - 1, infosets))
    return following, members
