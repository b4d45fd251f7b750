"""A node of any game as a set of histories: those that are indistinguishable without seeing private cards.

Private chance outcomes are left open; public ones are moves. So a node is the set of histories after the same public
moves, and a row is an infoset among them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from pokerlab.errors import IllegalAction
from pokerlab.games.game import CHANCE
from pokerlab.registry import nearest
from pokerlab.strategy.views.node import SolutionNode
from pokerlab.tree.history.reading import Histories
from pokerlab.tree.sequence import SequenceForm


@dataclass(frozen=True, eq=False)
class HistoryView(SolutionNode):
    """A public node of a solved game."""

    source: Histories
    nodes: np.ndarray  # the possible histories
    moves: tuple[str, ...]
    coming: ClassVar[int] = 1  # outcomes of a public chance move at a time

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(f"player {player}" for player in range(self.source.form.players))

    @property
    def _acting(self) -> np.ndarray:
        """The histories in which the next move is made; if some player may have to move first, that player's."""
        actor = self.source.actor(self.nodes)
        return np.asarray(self.nodes[actor == actor.max()])

    @property
    def _actor(self) -> int:
        return int(self.source.actor(self._acting)[0])

    @property
    def player(self) -> int | None:
        return self._actor if self._actor >= 0 else None

    @property
    def is_deal(self) -> bool:
        return self._actor == CHANCE

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The legal actions, or the outcomes of a public chance move."""
        return self.source.moves(self._acting)

    def _after(self, move: str) -> Self:
        if move not in self.actions:
            reason = nearest(move[:40], list(self.actions)) if self.actions else "the game is over"
            raise IllegalAction(f"{move[:40]!r} cannot be done here; {reason}")
        following = self.source.after(self._acting, move)
        return replace(self, nodes=self.source.opened(following), moves=(*self.moves, move))

    @cached_property
    def _likely(self) -> np.ndarray:
        """[node] The likelihood of each history given this node; uniform if it is never reached."""
        reach = self.source.reach[self.nodes]
        total = reach.sum()
        return reach / total if total > 0 else np.full(len(reach), 1 / len(reach))

    def ev(self, player: int) -> float:
        """A player's expected value from here."""
        return float(self._likely @ self.source.value[self.nodes, player])

    def values_for(self, view: Any) -> dict[str, float]:
        """EV of each action at the infoset of a table view; NaN if the others' strategies never lead there."""
        return self.source.values_at(view.seat, view.infoset)

    def strategy(self) -> dict[str, float]:
        rows = self.table(self.player or 0)
        if self.player is None:
            raise IllegalAction("nobody acts here: " + ("chance does" if self.is_deal else "the game is over"))
        total = sum(row["likelihood"] for row in rows) or 1.0
        return {
            action: sum(row["likelihood"] * row["strategy"].get(action, 0.0) for row in rows) / total
            for action in self.actions
        }

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each infoset of the player to act: its likelihood here, its strategy and action values."""
        if player != self.player:
            return []
        likely = dict(zip(self.nodes.tolist(), self._likely.tolist(), strict=True))
        rows = []
        for name, nodes, strategy in self.source.infosets(self._acting):
            weight = np.array([likely[node] for node in nodes])
            share = weight / weight.sum() if weight.sum() > 0 else np.full(len(nodes), 1 / len(nodes))
            action_values = [float(share @ values) for values in self.source.action_values(nodes, player)]
            row = {
                "hand": name,
                "likelihood": float(weight.sum()),
                "ev": float(share @ self.source.value[nodes, player]),
            }
            rows.append(row | {"strategy": strategy, "action_ev": dict(zip(strategy, action_values, strict=True))})
        return rows

    def summary(self) -> dict[str, Any]:
        return super().summary() | {"ev": [self.ev(player) for player in range(self.source.form.players)]}


def root_of(form: SequenceForm, profile: np.ndarray) -> HistoryView:
    """The root node, with private chance outcomes left open."""
    source = Histories(form, profile)
    return HistoryView(source, source.opened(np.zeros(1, np.int64)), ())
