"""The counter-strategy as a linear program: exact, for games whose program fits.

The free player's plan x is chosen against the worst that the held player can do. With A the payoffs of x at the held
player's sequences, V the value to the free player from a sequence on and m the minimum value of an infoset,

    V[s] = (x A)[s] + the sum over infosets I that follow s of  held[I] model[I] . V[I] + (1 - held[I]) m[I]
    m[I] <= V[s'] for every sequence s' of I

and the objective is to maximise whole (x A) . fixed + (1 - whole) V[empty sequence]. The prices of m[I] <= V[s'] are
how often the held player, where free, takes s': so one program gives both players of an equilibrium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.analysis.restriction import Restriction
from pokerlab.solvers.convex.program.linear_program import best_plan, plan_rows
from pokerlab.solvers.library.lp import scaled_payoffs
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def solve_restricted(form: SequenceForm, restriction: Restriction) -> tuple[np.ndarray, float]:
    """Plans of an equilibrium of the restricted game, and its value to the free player.  # [S]

    The held player's plan includes what they are held to, as `measure_fixed` expects.
    """
    from scipy.sparse import csr_matrix, hstack, identity, vstack

    held = restriction.player
    free = 1 - held
    paid = scaled_payoffs(form)
    payoff = paid.matrix if free == 0 else csr_matrix(-paid.matrix.T)  # to the free player  # [free, held]
    rules = plan_rows(form, free)
    following, members = _worths(form, restriction)
    plans, sequences, infosets = rules.shape[1], payoff.shape[1], members.shape[1]
    own = form.sequences_of(held)
    fixed = np.r_[1.0, form.plan(restriction.model)[own]]
    values = identity(sequences, format="csr") - following[:, :sequences]
    limits = vstack(
        [
            hstack([-payoff.T, values, -following[:, sequences:]]),
            hstack([csr_matrix((sequences - 1, plans)), -identity(sequences, format="csr")[1:], members]),
        ]
    )
    cost = np.zeros(plans + sequences + infosets)
    cost[:plans] = -restriction.whole * (payoff @ fixed)
    cost[plans] = restriction.whole - 1.0
    optimum = best_plan(rules, limits, equalities=sequences, cost=cost)
    plan = _held_plan(form, restriction, np.abs(optimum.prices[sequences:]))
    plan[form.sequences_of(free)] = optimum.plan[1:]
    middle = paid.middle if free == 0 else -paid.middle
    return plan, middle - paid.unit * optimum.cost


def _held_plan(form: SequenceForm, restriction: Restriction, weights: np.ndarray) -> np.ndarray:
    """Plans [S] in which the held player's plan is feasible; where free, by weights of their actions."""
    from pokerlab.solvers.cfr._kernels.sequence import descend_fixed

    trees, player = form.treeplexes, restriction.player
    whole = np.zeros(form.tree.slots)
    whole[form.slots_of(player)] = weights
    current, plan = np.concatenate([np.ones(form.players), form.normalize(whole)]), np.ones(form.sequences)
    descend_fixed(np.uint64(player), trees.arrays, restriction.fixed(form), current, plan)
    return plan


def _worths(form: SequenceForm, restriction: Restriction) -> tuple[csr_matrix, csr_matrix]:
    """What follows each sequence of the held player, by values V and minimum values m; and the infoset of each.

    Sequences are numbered from the empty one, 0.  # [sequence, sequences + infosets], [sequence but the empty, infoset]
    """
    from scipy.sparse import csr_matrix

    player = restriction.player
    start, parent = form.treeplexes.single(player)
    infosets, sequences = len(parent), int(start[-1])
    infoset = np.repeat(np.arange(infosets), np.diff(start))
    low, high = form.tree.first_infoset[player : player + 2].tolist()
    by_slot = restriction.held if len(restriction.held) else np.zeros(form.tree.slots)
    held = by_slot[form.treeplexes.first_slots[low:high]]
    model = restriction.model[form.slots_of(player)]
    share = np.r_[held[infoset] * model, 1.0 - held]
    row = np.r_[parent[infoset], parent]
    column = np.r_[np.arange(1, sequences), sequences + np.arange(infosets)]
    following = csr_matrix((share, (row, column)), shape=(sequences, sequences + infosets))
    members = csr_matrix((np.ones(sequences - 1), (np.arange(sequences - 1), infoset)), shape=(sequences - 1, infosets))
    return following, members
