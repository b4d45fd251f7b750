"""Strategies of stochastic games: one per state, with infoset names that begin with the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.strategy.forms.kinds import Naming, StrategyKind
from pokerlab.strategy.forms.sequence import NO_SEQUENCE, Strategy, from_arrays
from pokerlab.strategy.views.history import HistoryView, root_of
from pokerlab.tree.form import PACKED, Form
from pokerlab.tree.measure import Measure
from pokerlab.tree.stochastic import StochasticForm


class StochasticStrategy(Strategy):
    """How every player plays in every state; an infoset is "state: infoset"."""

    def profile(self, form: Any) -> np.ndarray:
        """The probabilities in the form's order; BadFile if they belong to another game.  # [A]"""
        if list(self.infosets) != list(_named(form, self.probability).infosets):
            raise BadFile(f"this strategy of {self.game} was made for another game, or for another version of this one")
        return self.probability

    def profile_in(self, form: Form) -> np.ndarray | None:
        """This strategy as a profile of the stochastic form; None in another form.  # [A]"""
        return self.profile(form) if form.kind == "stochastic" else None

    def root_in(self, form: Any) -> StateView:
        """The start of the first state."""
        return StateView.start(form, self.profile(form), form.states[0])

    def with_best_response(self, player: int, form: Any) -> StochasticStrategy:
        """This strategy with one player replaced by a best response to the others."""
        return _named(form, form.best_response(self.profile(form), player).profile)

    def measure_in(self, form: Any) -> Measure:
        """Value and best response of each player, from the first state."""
        return form.measure(self.profile(form))  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class StateView(HistoryView):
    """A node in the game of a state; EV includes the values of successor states."""

    form: StochasticForm
    profile: np.ndarray  # [A]
    state: str

    @staticmethod
    def start(form: StochasticForm, profile: np.ndarray, state: str) -> StateView:
        """Where the game of a state begins."""
        number = form.states.index(state)
        stage = form.stages[number].with_values(form.evaluate(profile))
        return StateView(**vars(root_of(stage, profile[form.slots[number]])), form=form, profile=profile, state=state)

    def at(self, *moves: str) -> StateView:
        """The node after some moves; the name of a state leads to its start."""
        view = self
        for move in moves:
            known = move in self.form.states and move not in view.actions
            following: Any = StateView.start(self.form, self.profile, move) if known else HistoryView.at(view, move)
            view = following
        return view

    def summary(self) -> dict[str, Any]:
        """The totals of this node and the values of all states, for JSON."""
        values = self.form.evaluate(self.profile)
        states = {state: row.tolist() for state, row in zip(self.form.states, values, strict=True)}
        return super().summary() | {"state": self.state, "states": states}


def _named(form: StochasticForm, profile: np.ndarray) -> StochasticStrategy:
    """A profile with the names of its states."""
    trees = [stage.form.tree for stage in form.stages]
    starts = [part.start for part in form.slots]
    parents = []
    for stage, first in zip(form.stages, starts, strict=True):
        parent = stage.form.parent.astype(np.int64) - form.players
        parents.append(np.where(parent < 0, NO_SEQUENCE, parent + first))
    return StochasticStrategy(
        game=form.name,
        players=form.players,
        infosets=[
            f"{state}: {name}" for state, tree in zip(form.states, trees, strict=True) for name in tree.infoset_names
        ],
        actions=[actions for tree in trees for actions in tree.action_names],
        player=np.concatenate([tree.infoset_player for tree in trees]),
        start=np.concatenate(
            [*(tree.start[:-1] + first for tree, first in zip(trees, starts, strict=True)), [len(profile)]]
        ),
        parent=np.concatenate(parents).astype(np.int32),
        probability=np.asarray(profile, np.float64),
    )


def _of_answer(form: StochasticForm, answer: Mapping[str, np.ndarray], naming: Naming) -> StochasticStrategy:
    return _named(form, answer[PACKED])


def _wanted(form: StochasticForm, storage: str) -> dict[str, tuple[int, Any]]:
    return {PACKED: (form.slots[-1].stop, np.float64)}


def _opened(arrays: Mapping[str, np.ndarray], words: Mapping[str, Any], path: str) -> StochasticStrategy:
    return StochasticStrategy(**vars(from_arrays(arrays, words, path=path)))


KIND = StrategyKind(_of_answer, _wanted, unlaid=_opened)
