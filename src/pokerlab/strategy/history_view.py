"""One place of any game laid out as histories: all histories that look alike to somebody who sees no private cards.

What chance deals in secret is left open, what everybody sees is a move of its own. So a place is a set of histories
after the same moves, and a row is an infoset among them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.errors import IllegalAction
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.registry import nearest
from pokerlab.tree.sequence import SequenceForm


@dataclass(frozen=True, eq=False)
class Valued:
    """A tree with a profile of strategies: how likely each history is, and what it is worth."""

    form: SequenceForm
    profile: np.ndarray  # [A]

    @cached_property
    def chance(self) -> np.ndarray:
        """[N] How likely each history follows the one before it."""
        tree = self.form.tree
        found = tree.probability.copy()
        acting = np.flatnonzero(tree.actor >= 0)
        counts = tree.child_count[acting].astype(np.int64)
        first, start = tree.first_child[acting].astype(np.int64), tree.start[tree.label[acting]].astype(np.int64)
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        found[np.repeat(first, counts) + within] = self.profile[np.repeat(start, counts) + within]
        return found

    @cached_property
    def levels(self) -> list[np.ndarray]:
        """Histories by their length, the shortest first."""
        tree = self.form.tree
        found, level = [], np.zeros(1, np.int64)
        while len(level):
            found.append(level)
            counts = tree.child_count[level].astype(np.int64)
            within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
            level = np.repeat(tree.first_child[level].astype(np.int64), counts) + within
        return found

    @cached_property
    def reach(self) -> np.ndarray:
        """[N] How likely each history is."""
        reach = np.ones(self.form.tree.nodes)
        for level in self.levels[1:]:
            reach[level] = reach[self.form.tree.parent[level]] * self.chance[level]
        return reach

    @cached_property
    def value(self) -> np.ndarray:
        """[N, P] What each player wins on average after each history."""
        tree = self.form.tree
        value = np.zeros((tree.nodes, tree.players))
        ended = tree.actor == TERMINAL
        value[ended] = tree.returns[tree.label[ended]]
        for level in self.levels[:0:-1]:
            np.add.at(value, tree.parent[level], value[level] * self.chance[level][:, None])
        return value

    @cached_property
    def private(self) -> np.ndarray:
        """[N] Whether chance acts there and not everybody sees what it does."""
        from pokerlab.tree._kernels.forms import mark_private

        tree = self.form.tree
        private = np.zeros(tree.nodes, bool)
        mark_private(tree.actor, tree.parent, tree.first_child, tree.child_count, tree.label, tree.infosets, private)
        return np.asarray(private & (tree.actor == CHANCE))

    @property
    def root(self) -> HistoryView:
        """Where the game begins, what is dealt in secret left open."""
        return HistoryView(self, self.opened(np.zeros(1, np.int64)), ())

    def children(self, nodes: np.ndarray) -> np.ndarray:
        """Every history that follows these at once."""
        counts = self.form.tree.child_count[nodes].astype(np.int64)
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.asarray(np.repeat(self.form.tree.first_child[nodes].astype(np.int64), counts) + within)

    def opened(self, nodes: np.ndarray) -> np.ndarray:
        """The same with every secret deal made in every way."""
        while True:
            secret = self.private[nodes]
            if not secret.any():
                return nodes
            nodes = np.concatenate([nodes[~secret], self.children(nodes[secret])])


@dataclass(frozen=True, eq=False)
class HistoryView:
    """A place of a solved game."""

    source: Valued
    nodes: np.ndarray  # the histories that may be here
    moves: tuple[str, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(f"player {player}" for player in range(self.source.form.players))

    @property
    def _acting(self) -> np.ndarray:
        """The histories in which the next move is made: where somebody may have to move first, that player's."""
        actor = self.source.form.tree.actor[self.nodes]
        return np.asarray(self.nodes[actor == actor.max()])

    @property
    def player(self) -> int | None:
        """Who acts; None where cards come or the game is over."""
        actor = int(self.source.form.tree.actor[self._acting[0]])
        return actor if actor >= 0 else None

    @property
    def is_deal(self) -> bool:
        """Whether chance makes a move that everybody sees."""
        return bool(self.source.form.tree.actor[self._acting[0]] == CHANCE)

    @property
    def is_over(self) -> bool:
        """Whether the game is over here."""
        return bool(self.source.form.tree.actor[self._acting[0]] == TERMINAL)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """What may be done here, or come."""
        tree = self.source.form.tree
        names = [tree.edge_names[edge] for edge in tree.edge[self.source.children(self._acting)].tolist()]
        return tuple(dict.fromkeys(names))

    def at(self, *moves: str) -> HistoryView:
        """The place after some moves."""
        view = self
        for move in moves:
            view = view._after(move)
        return view

    def _after(self, move: str) -> HistoryView:
        if move not in self.actions:
            told = nearest(move[:40], list(self.actions)) if self.actions else "the game is over"
            raise IllegalAction(f"{move[:40]!r} cannot be done here; {told}")
        tree = self.source.form.tree
        edge = list(tree.edge_names).index(move)
        following = self.source.children(self._acting)
        chosen = following[tree.edge[following] == edge]
        return replace(self, nodes=self.source.opened(chosen), moves=(*self.moves, move))

    # ---- numbers ---------------------------------------------------------------------------------------------------

    @cached_property
    def _likely(self) -> np.ndarray:
        """[node] How likely each history is, given that one of them is; uniform where none ever comes."""
        reach = self.source.reach[self.nodes]
        total = reach.sum()
        return reach / total if total > 0 else np.full(len(reach), 1 / len(reach))

    def ev(self, player: int) -> float:
        """What a player wins on average in the game, from here."""
        return float(self._likely @ self.source.value[self.nodes, player])

    def strategy(self) -> dict[str, float]:
        """How often each action is taken here."""
        rows = self.table(self.player or 0)
        if self.player is None:
            raise IllegalAction("nobody acts here: " + ("chance does" if self.is_deal else "the game is over"))
        total = sum(row["likelihood"] for row in rows) or 1.0
        return {
            action: sum(row["likelihood"] * row["strategy"].get(action, 0.0) for row in rows) / total
            for action in self.actions
        }

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each infoset of the player to act: how likely it is here, what is done, and what that wins."""
        if player != self.player:
            return []
        tree, value = self.source.form.tree, self.source.value
        likely = dict(zip(self.nodes.tolist(), self._likely.tolist(), strict=True))
        groups: dict[int, list[int]] = {}
        for node in self._acting.tolist():
            groups.setdefault(int(tree.label[node]), []).append(node)
        rows = []
        for infoset, nodes in groups.items():
            weight = np.array([likely[node] for node in nodes])
            share = weight / weight.sum() if weight.sum() > 0 else np.full(len(nodes), 1 / len(nodes))
            names = tree.action_names[infoset]
            played = self.source.profile[tree.start[infoset] : tree.start[infoset + 1]]
            children = tree.first_child[nodes].astype(np.int64)
            worth = [float(share @ value[children + number, player]) for number in range(len(names))]
            row = {"hand": tree.infoset_names[infoset], "likelihood": float(weight.sum())}
            row |= {"ev": float(share @ value[nodes, player])}
            row |= {"strategy": dict(zip(names, played.tolist(), strict=True))}
            rows.append(row | {"action_ev": dict(zip(names, worth, strict=True))})
        return rows

    def summary(self) -> dict[str, Any]:
        """The totals of this place, for JSON."""
        told: dict[str, Any] = {"moves": list(self.moves), "player": self.player, "actions": list(self.actions)}
        if self.player is not None:
            told["frequencies"] = self.strategy()
        return told | {"ev": [self.ev(player) for player in range(self.source.form.players)]}
