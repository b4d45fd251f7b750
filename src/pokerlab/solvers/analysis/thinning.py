"""The action bound: an equilibrium that uses few actions, derived from one that uses many.

Schmid, "Game Theory and Poker", 2013, chapter 9; Schmid, Moravcik and Hladik, "Bounding the support size in extensive
form games with imperfect information", 2014. At a state (thinning_states.py) each choice's probability is multiplied by
a factor x, with every hand, so that ranges and the opponent's best responses stay the same. The factors solve

    sum over choices of probability(hand, choice) * x[choice] = 1 for each hand,    x >= 0,

of which a basic solution has no more positive factors than the player has infosets there.

The thesis requires only that, which is enough if the opponent has not acted yet. If they have, their value with each
hand after reaching the state may change, and reaching it may become better than what they did: then it is no longer an
equilibrium. So `keeping` adds a row for each of the opponent's sequences that lead here, which keeps their value after
it at most as large as before, and the bound becomes the number of infosets of both. If they arrive by a single sequence
no row is needed: factors are rejected if they cost more than factors of 1. The opponent's best-response value then
never grows, for exact and approximate equilibria.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import BadGame, PokerlabError
from pokerlab.solvers.analysis.beliefs import cleaned
from pokerlab.solvers.analysis.thinning_states import PlayerSequences, State
from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.tree.sequence import LEAST_STAKES, SequenceForm

USED = 1e-9  # an action with a lower probability is not used
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class ThinnedState:
    """The result at one state."""

    player: int
    infosets: tuple[int, ...]  # that the player reaches
    actions: int  # that can be taken there
    entered: int  # how many sequences of the opponent lead there
    used_before: int  # choices, with any hand; if the opponent sees every action, these are the actions
    used: int
    bound: int  # that this cannot exceed


def thin(
    form: SequenceForm, profile: np.ndarray, *, keeping: bool = True, fewest: bool = True
) -> tuple[np.ndarray, tuple[ThinnedState, ...]]:
    """A profile with the same value and fewer actions, and the result at every state.  # [A] -> [A]

    Choices are dropped at a state one by one, in two orders, until none can be; without `fewest` the first basic
    solution is used. Without `keeping`, the opponent's value on the way to a state may change, as in the thesis.
    """
    if form.players != 2 or not form.is_zero_sum:
        why = f"has {form.players} players" if form.players != 2 else "is not zero-sum"
        raise BadGame(f"actions are thinned out in two-player zero-sum games, and {form.name} {why}")
    thinned, states = cleaned(form, form.check(profile), never=USED).copy(), []
    for player in range(2):
        sequences = PlayerSequences(form, player)
        for number in range(len(sequences.chains)):
            plan = form.plan(thinned)
            for state in sequences.states(plan, number):
                factors = _factors(state, thinned, plan, keeping=keeping, fewest=fewest)
                states.append(_thinned(form, state, thinned, factors, keeping=keeping))
    return thinned, tuple(states)


class _Program:
    """The factors of a state's choices as a linear program.

    Columns are scaled so that each is 1 if its likeliest hand always plays it, as probabilities are.
    """

    def __init__(self, state: State, profile: np.ndarray, plan: np.ndarray, *, keeping: bool) -> None:
        from scipy.sparse import csr_matrix

        infosets, hands = len(state.infosets), state.hands(profile)
        self.unit = hands.max(axis=0)
        worth = state.worth / np.maximum(np.abs(state.worth).max(axis=1, keepdims=True), LEAST_STAKES)
        kept = worth if keeping and len(worth) > 1 else worth[:0]
        weight = plan[state.entered]
        cost = (weight if weight.any() else np.ones(len(weight))) @ state.worth / self.unit
        self._cost = cost / max(np.abs(cost).max(initial=0.0), LEAST_STAKES)
        # where no row keeps what the opponent wins, choices of the least cost do, and other factors may cost more
        self._dearest = np.inf if len(kept) else float(self._cost @ self.unit) + USED
        self._rows = csr_matrix(np.concatenate([hands, kept]) / self.unit)
        lowest = np.r_[np.ones(infosets), np.full(len(kept), -np.inf)]
        self._row_bounds = lowest, np.r_[np.ones(infosets), kept.sum(axis=1)]
        self._fixed = state.fixed

    def solve(self, allowed: np.ndarray) -> np.ndarray | None:
        """Factors of choices, scaled, positive only for those allowed; None if there are none.  # [C] -> [C]

        None also if all of these let the opponent win more than before.
        """
        least = np.where(self._fixed, self.unit, 0.0)
        most = np.where(self._fixed, self.unit, np.where(allowed, np.inf, 0.0))
        bounds: dict[str, Any] = {"row_bounds": self._row_bounds, "column_bounds": (least, most)}
        try:
            point = minimise(self._cost, self._rows, **bounds, tolerance=_TOLERANCE, presolve=False).point
        except PokerlabError:
            return None
        return point if self._cost @ point <= self._dearest else None


def _factors(state: State, profile: np.ndarray, plan: np.ndarray, *, keeping: bool, fewest: bool) -> np.ndarray:
    """The factor by which to multiply each choice.  # [C]"""
    choices, hands = len(state.fixed), state.hands(profile)
    if np.linalg.matrix_rank(hands / hands.max(axis=0), tol=USED) == choices:  # no other factors than 1
        return np.ones(choices)
    program = _Program(state, profile, plan, keeping=keeping)
    factors = program.solve(np.ones(choices, bool))
    if factors is None:  # rounding leaves no other solution
        return np.ones(choices)
    if fewest:
        order = np.argsort(program.unit, kind="stable")
        tried = [factors, *(_dropped(program, factors, one) for one in (order, order[::-1]))]
        factors = min(tried, key=lambda candidate: int((candidate > USED).sum()))
    return np.asarray(factors / program.unit)


def _dropped(program: _Program, factors: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Factors of the choices that remain when they are dropped in this order, if possible.  # [C]"""
    allowed = np.ones(len(factors), bool)
    for choice in order:
        allowed[choice] = False
        if factors[choice] > USED:
            without = program.solve(allowed)
            allowed[choice] = without is None
            factors = factors if without is None else without
    return factors


def _thinned(
    form: SequenceForm, state: State, profile: np.ndarray, factors: np.ndarray, *, keeping: bool
) -> ThinnedState:
    """Multiply choices by factors at a state, and report the result."""
    tree = form.tree
    before = set(state.choice[profile[state.slots] > USED].tolist())
    played = profile.copy()
    played[state.slots] *= np.maximum(factors, 0.0)[state.choice]
    for infoset in state.infosets:
        slots = slice(int(tree.start[infoset]), int(tree.start[infoset + 1]))
        profile[slots] = np.where(played[slots] > USED, played[slots], 0.0)
        profile[slots] /= profile[slots].sum()
    entered = len(state.entered) if keeping and len(state.entered) > 1 else 0
    possible = {name for infoset in state.infosets for name in tree.action_names[infoset]}
    return ThinnedState(
        player=int(tree.infoset_player[state.infosets[0]]),
        infosets=tuple(state.infosets.tolist()),
        actions=len(possible),
        entered=len(state.entered),
        used_before=len(before),
        used=len(set(state.choice[profile[state.slots] > 0].tolist())),
        bound=len(state.infosets) + entered + int(state.fixed.any()),
    )
