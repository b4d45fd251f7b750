"""Strategies of stochastic games: one per state, with infoset names that begin with the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.strategy.forms.kinds import StrategyKind
from pokerlab.strategy.forms.sequence import NO_SEQUENCE, Strategy, from_arrays
from pokerlab.strategy.views.history import HistoryView, root_of
from pokerlab.tree.form import Form
from pokerlab.tree.stochastic import StochasticForm


class StochasticStrategy(Strategy):
    """How every player plays in every state; an infoset is "state: infoset"."""

    def profile(self, form: Any) -> np.ndarray:
        """The probabilities in the form's order; BadFile if they belong to another game.  # [A]"""
        if list(self.infosets) != list(_named(form, self.probability).infosets):
            raise BadFile(f"this strategy of {self.game} was made for another game, or for another version of this one")
        return self.probability

    def fits(self, form: Form) -> bool:
        """Whether a form is the stochastic form, of any game."""
        return form.kind == "stochastic"

    def root_in(self, form: Any) -> StateView:
        """The start of the first state."""
        return StateView.start(form, self.profile(form), form.states[0])


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

    def _after(self, move: str) -> Self:
        """The node after a move; the name of a state leads to its start."""
        is_state = move in self.form.states and move not in self.actions
        following: Any = StateView.start(self.form, self.profile, move) if is_state else super()._after(move)
        return following  # type: ignore[no-any-return]

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


KIND = StrategyKind(
    lambda form, arrays, naming: _named(form, form.unpack(arrays)),
    without_form=lambda arrays, words, path: StochasticStrategy(**vars(from_arrays(arrays, words, path=path))),
)
