"""The action bound: an equilibrium that uses few actions, made of one that uses many.

Schmid, "Game Theory and Poker", 2013, chapter 9; Schmid, Moravcik and Hladik, "Bounding the support size in extensive
form games with imperfect information", 2014. At a state (states.py) each choice is played x times as often as before,
with every hand, so that ranges stay what they are and the opponent's best answers too. The factors solve

    sum over choices of probability(hand, choice) * x[choice] = 1 for each hand,    x >= 0,

of which a basic solution has no more factors above zero than the player has infosets there.

The thesis asks for no more than that, which is enough where the opponent has not acted yet. Where he has, what he wins
with each hand after coming here may change, and coming here become better than what he did: it is no equilibrium any
more. So `keeping` what he wins after each of his sequences that lead here, at most as much as before, adds a row for
each of them, and the bound becomes the infosets of both. Where he comes by one sequence alone no row is needed: factors
are not taken if they cost more than factors of 1. What the opponent's best response wins then never grows, of
equilibria and of strategies that only come near to one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadGame, PokerlabError
from pokerlab.solvers.analysis.beliefs import cleaned
from pokerlab.solvers.analysis.thinning_states import State, Walked
from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.tree.sequence import LEAST_STAKES, SequenceForm

USED = 1e-9  # an action less likely than this is not used
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class ThinnedState:
    """What was done at one state."""

    player: int
    infosets: tuple[int, ...]  # that the player comes to
    actions: int  # that can be taken there
    entered: int  # how many sequences of the opponent lead there
    used_before: int  # choices, with any hand; where the opponent sees every action, these are the actions
    used: int
    bound: int  # that this cannot exceed


def thin(
    form: SequenceForm, profile: np.ndarray, *, keeping: bool = True, fewest: bool = True
) -> tuple[np.ndarray, tuple[ThinnedState, ...]]:
    """A profile that wins as much with fewer actions, and what was done at every state.  # [A] -> [A]

    Choices are dropped at a state one by one, in two orders, until none can be; without `fewest` the first basic
    solution is taken. Without `keeping` what the opponent wins on the way to a state may change: as in the thesis.
    """
    if form.players != 2 or not form.is_zero_sum:
        why = f"has {form.players} players" if form.players != 2 else "is not zero-sum"
        raise BadGame(f"actions are thinned out in two-player zero-sum games, and {form.name} {why}")
    found, done = cleaned(form, form.check(profile), never=USED).copy(), []
    for player in range(2):
        walked = Walked(form, player)
        for number in range(len(walked.chains)):
            plan = form.plan(found)
            for state in walked.states(plan, number):
                factors = _factors(state, found, plan, keeping=keeping, fewest=fewest)
                done.append(_thinned(form, state, found, factors, keeping=keeping))
    return found, tuple(done)


class _Program:
    """The factors of a state's choices as a linear program.

    Columns are in units in which each is 1 where its likeliest hand plays nothing else, as probabilities are.
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
        self._lowest = np.r_[np.ones(infosets), np.full(len(kept), -np.inf)]
        self._highest = np.r_[np.ones(infosets), kept.sum(axis=1)]
        self._fixed = state.fixed

    def solve(self, allowed: np.ndarray) -> np.ndarray | None:
        """Factors of choices, in units, only those allowed above zero; None where there are none.  # [C] -> [C]

        None also where all of these let the opponent win more than before.
        """
        least = np.where(self._fixed, self.unit, 0.0)
        most = np.where(self._fixed, self.unit, np.where(allowed, np.inf, 0.0))
        bounds = self._lowest, self._highest
        try:
            found = minimise(
                self._cost,
                self._rows,
                row_bounds=bounds,
                column_bounds=(least, most),
                tolerance=_TOLERANCE,
                presolve=False,
            )
        except PokerlabError:
            return None
        return found.point if self._cost @ found.point <= self._dearest else None


def _factors(state: State, profile: np.ndarray, plan: np.ndarray, *, keeping: bool, fewest: bool) -> np.ndarray:
    """How many times as often each choice is to be played.  # [C]"""
    choices, hands = len(state.fixed), state.hands(profile)
    if np.linalg.matrix_rank(hands / hands.max(axis=0), tol=USED) == choices:  # no other factors than 1
        return np.ones(choices)
    program = _Program(state, profile, plan, keeping=keeping)
    found = program.solve(np.ones(choices, bool))
    if found is None:  # rounding leaves nothing but what there is
        return np.ones(choices)
    if fewest:
        order = np.argsort(program.unit, kind="stable")
        tried = [found, *(_dropped(program, found, one) for one in (order, order[::-1]))]
        found = min(tried, key=lambda factors: int((factors > USED).sum()))
    return np.asarray(found / program.unit)


def _dropped(program: _Program, found: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Factors of as few choices as are left when they are dropped in this order, those that can be.  # [C]"""
    allowed = np.ones(len(found), bool)
    for choice in order:
        if found[choice] <= USED:
            allowed[choice] = False  # it is not used as it is
            continue
        allowed[choice] = False
        without = program.solve(allowed)
        allowed[choice] = without is None
        found = found if without is None else without
    return found


def _thinned(
    form: SequenceForm, state: State, profile: np.ndarray, factors: np.ndarray, *, keeping: bool
) -> ThinnedState:
    """Play choices so many times as often at a state, and tell what became of it."""
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
