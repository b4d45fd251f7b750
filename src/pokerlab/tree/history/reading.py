"""Read access to the history tree of a sequence form: the only other module that knows how the tree stores histories.

Used to walk a game node by node (strategy/views/history.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.tree.sequence import SequenceForm


@dataclass(frozen=True, eq=False)
class Histories:
    """All histories of a game under a strategy profile: their probabilities, values and successors."""

    form: SequenceForm
    profile: np.ndarray  # [A]

    @cached_property
    def chance(self) -> np.ndarray:
        """[N] The probability of each history given its parent."""
        return self.form.tree.step(self.profile)

    @cached_property
    def reach(self) -> np.ndarray:
        """[N] The probability of each history."""
        reach = np.ones(self.form.tree.nodes)
        for level in self.form.tree.levels[1:]:
            reach[level] = reach[self.form.tree.parent[level]] * self.chance[level]
        return reach

    @cached_property
    def value(self) -> np.ndarray:
        """[N, P] Each player's expected value after each history."""
        tree = self.form.tree
        value = np.zeros((tree.nodes, tree.players))
        ended = tree.actor == TERMINAL
        value[ended] = tree.returns[tree.label[ended]]
        for level in self.form.tree.levels[:0:-1]:
            np.add.at(value, tree.parent[level], value[level] * self.chance[level][:, None])
        return value

    @cached_property
    def numbers(self) -> dict[tuple[int, str], int]:
        """The number of each infoset, by player and name."""
        tree = self.form.tree
        acting = np.flatnonzero(tree.actor >= 0)
        labels, first = np.unique(tree.label[acting], return_index=True)
        players = tree.actor[acting[first]].tolist()
        return {
            (player, tree.infoset_names[label]): label for player, label in zip(players, labels.tolist(), strict=True)
        }

    def others_reach(self, nodes: np.ndarray, player: int) -> np.ndarray:
        """The probability of each of these histories if a player plays to reach it."""
        tree = self.form.tree
        reach, at = np.ones(len(nodes)), nodes.copy()
        while (moved := at > 0).any():
            parent = np.where(moved, tree.parent[at], 0)
            reach *= np.where(moved & (tree.actor[parent] != player), self.chance[at], 1.0)
            at = parent
        return reach

    def values_at(self, player: int, infoset: str) -> dict[str, float]:
        """A player's expected value of each action at an infoset; NaN if the others never lead there."""
        number, tree = self.numbers.get((player, infoset)), self.form.tree
        if number is None:
            return {}
        nodes = np.flatnonzero((tree.label == number) & (tree.actor == player))
        weight = self.others_reach(nodes, player)
        total = weight.sum()
        values = self.action_values(nodes.tolist(), player) @ weight  # [action]
        known = values / total if total > 0 else np.full(len(values), np.nan)
        return dict(zip(tree.action_names[number], known.tolist(), strict=True))

    @cached_property
    def private(self) -> np.ndarray:
        """[N] Whether it is a chance node whose outcome is not public."""
        from pokerlab.tree._kernels.forms import mark_private

        tree = self.form.tree
        private = np.zeros(tree.nodes, bool)
        mark_private(tree.actor, tree.parent, tree.first_child, tree.child_count, tree.label, tree.infosets, private)
        return np.asarray(private & (tree.actor == CHANCE))

    def opened(self, nodes: np.ndarray) -> np.ndarray:
        """The same, with every private deal expanded."""
        while True:
            secret = self.private[nodes]
            if not secret.any():
                return nodes
            nodes = np.concatenate([nodes[~secret], self.form.tree.children(nodes[secret])])

    def actor(self, nodes: np.ndarray) -> np.ndarray:
        """Who moves after each of these histories."""
        return np.asarray(self.form.tree.actor[nodes])

    def moves(self, nodes: np.ndarray) -> tuple[str, ...]:
        """All moves available after these histories, by name."""
        tree = self.form.tree
        return tuple(dict.fromkeys(tree.edge_names[edge] for edge in tree.edge[tree.children(nodes)].tolist()))

    def after(self, nodes: np.ndarray, move: str) -> np.ndarray:
        """The histories reached from these by a move."""
        tree, following = self.form.tree, self.form.tree.children(nodes)
        return np.asarray(following[tree.edge[following] == list(tree.edge_names).index(move)])

    def infosets(self, nodes: np.ndarray) -> list[tuple[str, list[int], dict[str, float]]]:
        """The infosets of these histories of one player: name, its histories among them, its action probabilities."""
        tree = self.form.tree
        groups: dict[int, list[int]] = {}
        for node in nodes.tolist():
            groups.setdefault(int(tree.label[node]), []).append(node)
        infosets = []
        for infoset, held in groups.items():
            probabilities = self.profile[tree.start[infoset] : tree.start[infoset + 1]].tolist()
            strategy = dict(zip(tree.action_names[infoset], probabilities, strict=True))
            infosets.append((tree.infoset_names[infoset], held, strategy))
        return infosets

    def action_values(self, nodes: list[int], player: int) -> np.ndarray:
        """[action, node] A player's expected value after each action at histories of one infoset."""
        following = self.form.tree.children(np.array(nodes, np.int64)).reshape(len(nodes), -1)
        return np.asarray(self.value[following.T, player], order="C")
