"""Probabilities of decisions and terminals by the classes that players hold, with pairwise card removal.

The classes of nine players are not dealt independently. Here the probability that a seat acts, given what others hold
or have done, is its own prior times a factor for every other seat: if that seat holds a known class, the exact factor
of the two classes; if it has only acted, the mean of that factor over the hands that act so. So every pair of players
is exact, and the interaction of three or more players' cards beyond that is neglected. Probabilities are normalised at
every decision, so that those of all terminals sum to one. Three players are dealt jointly instead (three.py); how far
this is off with more is stated in docs/pushfold.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.combos import CLASS_SIZES, COMBO_COUNT
from pokerlab.cards.preflop import preflop_table

if TYPE_CHECKING:
    from pokerlab.tree.pushes.form import PushForm

NONE = -1
FOLDS, PUSHES = 0, 1
PRIOR = CLASS_SIZES / COMBO_COUNT  # [169]


@dataclass(frozen=True, eq=False)
class PairTables:
    """Two classes against each other."""

    given: np.ndarray  # [169, 169]: chance of the column's class, given the row's
    win: np.ndarray  # [169, 169]: the same, and the row's class wins
    tie: np.ndarray  # [169, 169]: the same, and they tie

    @staticmethod
    def exact() -> PairTables:
        """Over all hands and boards."""
        table = preflop_table()
        given = table.class_pairs / table.class_pairs.sum(1, keepdims=True)
        return PairTables(given, given * table.class_win, given * table.class_tie)


@dataclass(frozen=True, eq=False)
class Reach:
    """The probabilities of decisions and terminals under a strategy of all seats."""

    acts: np.ndarray  # [node, 2, 169]: chance of each action by class
    tilts: np.ndarray  # [node, 2, 169]: how much likelier it is if another player holds a class
    node_tilts: np.ndarray  # [node, 169]: of all actions before a decision
    terminal_tilts: np.ndarray  # [terminal, 169]: of all actions of a hand
    calls: np.ndarray  # [pair, 169]: chance of a push at a decision, given the class held at one above it
    node_chances: np.ndarray  # [node]
    terminal_chances: np.ndarray  # [terminal]
    near_chances: np.ndarray  # [terminal]: if the least likely push on the way were certain
    holds: np.ndarray  # [node, 169]: chance that a decision is reached with each class


class Chances:
    """The chances of one form, for any strategies."""

    def __init__(self, form: PushForm, tables: PairTables) -> None:
        self.form = form
        self.tables = tables
        pairs = [(node, *step) for node in range(form.nodes) for step in form.path_of(node)]
        self.pair_node, self.pair_above, self.pair_action = np.array(pairs, np.int64).reshape(-1, 3).T

    @cached_property
    def depths(self) -> np.ndarray:
        """The number of decisions above each."""
        return np.array([len(self.form.path_of(node)) for node in range(self.form.nodes)], np.int64)

    @cached_property
    def pairs(self) -> np.ndarray:
        """The row of `calls` by a decision and the depth of the one above it: [node, depth]."""
        rows = np.full((self.form.nodes, self.form.players), NONE, np.int64)
        rows[self.pair_node, self.depths[self.pair_above]] = np.arange(len(self.pair_node))
        return rows

    def reach(self, pushes: np.ndarray) -> Reach:
        """The probabilities that follow from the push probability at every decision for every class, [node, 169]."""
        given = self.tables.given
        acts = np.stack([1 - pushes, pushes], axis=1)
        masses = acts @ PRIOR
        seen = acts @ given.T
        tilts = np.where(masses[..., None] > 0, seen / np.maximum(masses, 1e-300)[..., None], 1.0)
        node_tilts, terminal_tilts = self._products(tilts)
        others = node_tilts[self.pair_node] / tilts[self.pair_above, self.pair_action]
        calls = ((others * pushes[self.pair_node]) @ given.T) / (others @ given.T)
        held = PRIOR * node_tilts
        held /= held.sum(1, keepdims=True)
        pushing = (held * pushes).sum(1)
        node_chances, terminal_chances = self._products(np.stack([1 - pushing, pushing], axis=1))
        near = self._near(pushing)
        holds = node_chances[:, None] * held
        return Reach(acts, tilts, node_tilts, terminal_tilts, calls, node_chances, terminal_chances, near, holds)

    def _near(self, pushing: np.ndarray) -> np.ndarray:
        """The probability of each terminal given its rarest push: a terminal that a seat avoids still matters to it."""
        chances = np.empty(len(self.form.terminals))
        for number, terminal in enumerate(self.form.terminals):
            pushes = sorted(pushing[node] for node, action in terminal.path if action == PUSHES)
            folds = [1 - pushing[node] for node, action in terminal.path if action == FOLDS]
            chances[number] = np.prod(pushes[1:]) * np.prod(folds)
        return chances

    def _products(self, factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The products of factors [node, 2, ...] of actions along the path to each decision and each terminal."""
        form = self.form
        nodes, terminals = (np.ones((size, *factors.shape[2:])) for size in (form.nodes, len(form.terminals)))
        for node in range(form.nodes):
            for action, child in enumerate(form.child[node].tolist()):
                product = nodes[node] * factors[node, action]
                if child < 0:
                    terminals[-1 - child] = product
                else:
                    nodes[child] = product
        return nodes, terminals

    def range_at(self, reach: Reach, terminal: int, seat: int, without: tuple[int, ...]) -> np.ndarray:
        """The weight of each class of a seat that is in at a terminal, by its action and those of folded seats.

        The actions of the seats in `without` are left out: card removal among them is exact elsewhere.
        """
        weights: np.ndarray = reach.terminal_tilts[terminal].copy()
        for node, action in self.form.terminals[terminal].path:
            decider = int(self.form.node_seat[node])
            if decider == seat:
                weights *= reach.acts[node, action]
            if decider == seat or decider in without:
                weights /= reach.tilts[node, action]
        return weights
