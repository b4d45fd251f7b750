"""Truncated models of a game, solved ahead over buckets of hands, as a policy for the real game.

A *truncated* game has no betting in its later rounds: hands that come there are rolled out (Billings and others,
"Approximating game-theoretic optimal strategies for full-scale poker", 2003).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from pokerlab.agents.parts.bucket_signals import BucketSignals
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.subgames import Effort, run
from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.betting_tree import Node, betting_tree
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.solvers.cfr.general import GeneralCfr
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.library.lp import solve_program
from pokerlab.strategy.policy import PolicyTable
from pokerlab.strategy.public_profile import decision_after
from pokerlab.tree.public.subgame import every_action
from pokerlab.tree.signals import SignalForm

MOST_COEFFICIENTS = 200_000  # of a linear program: the simplex method takes minutes


@lru_cache(maxsize=64)
def effort_of(iterations: int, seconds: float) -> Effort:
    """Discounted CFR for this long; the same value for the same numbers, so that solved models can be shared."""
    return Effort(schedule_of("dcfr", purpose="solve models with"), iterations, seconds)


def truncated(game: PokerGame, rounds: int) -> PokerGame:
    """The game without betting after some rounds."""
    kept = tuple(replace(one, betting=one.betting and k < rounds) for k, one in enumerate(game.rules.rounds))
    return PokerGame(replace(game.rules, rounds=kept), f"{game.name} without betting after {rounds} rounds")


def truncated_betting(game: PokerGame, rounds: int) -> Node:
    """The betting tree of the truncated game."""
    shorter = truncated(game, rounds)
    return betting_tree(shorter.betting, every_action(shorter), shorter.payoffs)


def betting_from(game: PokerGame, start: Betting) -> Node:
    """The betting tree of the game from the start of a round on."""
    return betting_tree(game.betting, every_action(game), game.payoffs, after=start)


@dataclass(frozen=True, eq=False)
class Model:
    """A solved model: rounds `first` to `last` after some betting."""

    buckets: BucketSignals
    form: SignalForm
    profile: np.ndarray  # [A] of the form
    first: int
    last: int
    before: str = ""  # the history at which it begins
    merged: np.ndarray | None = None  # [signal of these rounds]: the hand of the form, if it merges buckets

    def table(self, place: PublicNode) -> PolicyTable:
        """Every hand at a decision of the model."""
        game, node = (
            place.game,
            decision_after(self.form.betting, place.betting.history[len(self.before) :], self.form.name),
        )
        rows = self.form.rows(self.profile, node)
        hands = hands_of(game)
        present = np.flatnonzero(hands.without(place.board))
        signals = self.buckets.of_hands(place.board)[present]
        own = self.buckets.own(signals, self.first, self.last)
        own = self.merged[own] if self.merged is not None else self.form.hand_at(node, own)
        return PolicyTable([game.text(hands.cards[number][::-1]) for number in present], node.codes, rows[own])


def solve_model(
    buckets: BucketSignals,
    betting: Node,
    effort: Effort | None,
    *,
    first: int,
    last: int,
    before: str = "",
    weights: tuple[np.ndarray, np.ndarray] | None = None,
) -> Model:
    """Solve a model, without an effort exactly; `weights` [signal] are the ranges in which both players begin it."""
    form = SignalForm(f"a model of {buckets.game.name}", betting, buckets.model(first, last, weights))
    return Model(buckets, form, _equilibrium(form, effort), first, last, before)


def _equilibrium(form: SignalForm, effort: Effort | None) -> np.ndarray:
    """A profile, by CFR or, without an effort, by a linear program.  # [A]"""
    if effort is None:
        if (coefficients := form.payoff_coefficients) > MOST_COEFFICIENTS:
            raise TooLarge(
                f"{form.name} has {coefficients:,} payoffs, too many for a linear program (at most "
                f"{MOST_COEFFICIENTS:,}): leave method=lp out, or take fewer buckets"
            )
        return form.behaviour(solve_program(form, form.payoff_matrix()))
    solver = GeneralCfr(form, effort.schedule)
    run(solver, effort)
    return solver.result()


class ModelPolicy:
    """A policy made of models: subclasses say which is used at a decision."""

    name = "models solved ahead"

    def model_at(self, betting: Betting) -> Model:
        """The model that a decision belongs to: for the seat to act there."""
        raise NotImplementedError

    def table(self, place: PublicNode) -> PolicyTable:
        """The strategy of every hand at a public node."""
        return self.model_at(place.betting).table(place)

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """The strategy of one hand."""
        table = self.table(PublicNode(view.game, view.betting, view.board))
        row = list(table.hands).index(view.game.text(sorted(view.cards, reverse=True)))
        return dict(zip(table.actions, table.probability[row].tolist(), strict=True))


class Trunk(ModelPolicy):
    """The first rounds as one model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def model_at(self, betting: Betting) -> Model:
        return self._model
