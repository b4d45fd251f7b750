"""Strategies of push or fold with any number of players: the probability of going all-in at every decision, by class.

EV is in the form's payoffs, chips or prizes, relative to before the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT, CLASS_NAMES, CLASS_SIZES, COMBO_CLASS, COMBOS, combo_index
from pokerlab.cards.hand_array import HandArray
from pokerlab.errors import UnknownName
from pokerlab.strategy.class_profile import ClassHands, push_profile_of
from pokerlab.strategy.forms.kinds import BuiltStrategy, StrategyKind
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.views.hands import HandNode, normalized
from pokerlab.tree.pushes.chances import PUSHES
from pokerlab.tree.pushes.form import PushForm, seat_names

ACTIONS = ("fold", "push")


@dataclass(frozen=True, eq=False, repr=False)
class PushStrategy(BuiltStrategy):
    """How often every seat goes all-in."""

    form: PushForm
    pushes: np.ndarray  # [node, 169]

    def __len__(self) -> int:
        return self.form.nodes * CLASS_COUNT

    @cached_property
    def nodes(self) -> dict[str, int]:
        """The decision by the betting before it."""
        return {history: node for node, history in enumerate(self.form.histories)}

    @cached_property
    def hands(self) -> ClassHands:
        """The possible hands, for every player."""
        return ClassHands.of_starting_hands(self.players)

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """Fold or push with the hand of a view; a seat that is all-in already has one action."""
        codes = [view.game.action_text(action) for action in view.actions]
        if len(codes) == 1:
            return {codes[0]: 1.0}
        node = self.nodes.get(view.betting.history)
        if node is None or len(codes) != 2:
            raise UnknownName(f"the strategy of {self.game} does not know the betting {view.betting.history[:60]!r}")
        push = float(self.pushes[node, COMBO_CLASS[combo_index(*view.cards)]])
        return {codes[0]: 1 - push, codes[1]: push}

    def profile(self, form: PushForm) -> np.ndarray:
        return form.profile_of(self.pushes)

    @property
    def root(self) -> PushView:
        return PushView(self, 0, ())

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every class at every decision whose text contains `match`."""
        names = seat_names(self.players)
        for node, pushes in enumerate(self.pushes.tolist()):
            seat = int(self.form.node_seat[node])
            moves = " ".join(names[other] for other in self.form.pushed_before(node))
            for hand, push in zip(CLASS_NAMES, pushes, strict=True):
                infoset = f"{hand}:{names[seat]}{' after ' if moves else ''}{moves}"
                if match in infoset:
                    actions = {ACTIONS[0]: 1 - push, ACTIONS[1]: push}
                    yield StrategyLine(infoset, self.form.seats[seat], 1.0, actions, hand, "", moves)


@dataclass(frozen=True, eq=False)
class PushView(HandNode):
    """A decision, or a terminal, of push or fold."""

    source: PushStrategy
    node: int  # a decision, or -1 - a terminal
    moves: tuple[str, ...]
    grids = ("strategy", "ev", "reach")

    @property
    def form(self) -> PushForm:
        """The form."""
        return self.source.form

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The positions of the players."""
        names = seat_names(self.form.players)
        return tuple(names[self.form.seats.index(player)] for player in range(self.form.players))

    @property
    def player(self) -> int | None:
        return self.form.seats[self.form.node_seat[self.node]] if self.node >= 0 else None

    @property
    def actions(self) -> tuple[str, ...]:
        return ACTIONS if self.node >= 0 else ()

    @property
    def _path(self) -> tuple[tuple[int, int], ...]:
        return self.form.path_of(self.node) if self.node >= 0 else self.form.terminals[-1 - self.node].path

    @property
    def pot(self) -> float:
        game, history = self.form.game, [action for _, action in self._path]
        betting = game.betting.start()
        while betting.actor >= 0 and (len(actions := game.betting.actions(betting)) == 1 or history):
            betting = game.betting.act(betting, actions[history.pop(0)] if len(actions) == 2 else actions[0])
        return float(game.chips(game.pot(betting)))

    def _after_action(self, number: int) -> PushView:
        moves = (*self.moves, ACTIONS[number])
        return replace(self, node=int(self.form.child[self.node, number]), moves=moves)

    @property
    def frequencies(self) -> HandArray:
        _ = self.acting
        pushes = self.source.pushes[self.node]
        return self.labelled(np.stack([1 - pushes, pushes], axis=1)[COMBO_CLASS])

    def range(self, player: int) -> HandArray:
        return self.labelled(self._own(player)[COMBO_CLASS])

    def _own(self, player: int) -> np.ndarray:
        """[class] The player's own reach probability."""
        own = np.ones(CLASS_COUNT)
        for node, action in self._path:
            if self.form.seats[self.form.node_seat[node]] == player:
                pushes = self.source.pushes[node]
                own = pushes if action == PUSHES else 1 - pushes
        return own

    def likelihood(self, player: int) -> HandArray:
        seat = self.form.seats.index(player)
        weights = self.form.evaluator.likelihood(self.source.pushes, self._path, seat)
        return self.labelled((normalized(weights) / CLASS_SIZES)[COMBO_CLASS])

    def equities(self, player: int) -> HandArray:
        """[hand] Unknown."""
        return self.labelled(np.full(len(COMBOS), np.nan))

    @cached_property
    def action_values(self) -> HandArray:
        """[hand, action] EV of each action to the player to act."""
        form = self.form
        before = form.before[form.node_seat[self.node]]
        actions = form.assess(self.source.profile(form)).actions[self.node]
        return self.labelled((form.unit * (actions - before)).T[COMBO_CLASS])

    def values_for(self, view: Any) -> dict[str, float]:
        """EV of folding and of pushing with the hand of a table view."""
        node = self.source.nodes.get(view.betting.history)
        codes = [view.game.action_text(action) for action in view.actions]
        if node is None or len(codes) != len(ACTIONS):
            return {}
        values = replace(self, node=node).action_values[combo_index(*view.cards)]
        return dict(zip(codes, values.tolist(), strict=True))

    def values(self, player: int) -> HandArray:
        """[hand] EV of each hand of the player to act; NaN of others."""
        if player != self.player:
            return self.labelled(np.full(len(COMBOS), np.nan))
        return self.labelled((self.frequencies * self.action_values).sum(1))

    def summary(self) -> dict[str, Any]:
        """The totals of this node, for JSON; "ev" is that of the whole game."""
        return super().summary() | {"ev": list(self.source.measure_in(self.form).values)}


KIND = StrategyKind(
    lambda form, arrays, naming: PushStrategy(form, form.pushes_of(form.unpack(arrays))), profile_of=push_profile_of
)
