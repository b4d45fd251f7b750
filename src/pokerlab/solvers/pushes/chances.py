"""How likely hands go on, by the classes that players hold: card removal between every two of them.

The classes of nine players do not come independently, and their joint distribution is no product. Here the chance that
a seat acts, given what others hold or have done, is its own prior times a factor for every other seat: where that seat
holds a known class, the exact one of the two classes; where it has only acted, the mean of that factor over the hands
that act so. So every pair of players is exact, and what is left out is how three or more players' cards interact beyond
that. Chances are normalised at every decision, so that those of all ends sum to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.cards.combos import CLASS_SIZES, COMBO_COUNT
from pokerlab.cards.preflop import preflop_table
from pokerlab.tree.pushes import NONE, PUSHES, PushForm

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
class Reaches:
    """What strategies of all seats say about every decision and end."""

    acts: np.ndarray  # [node, 2, 169]: chance of each action by class
    tilts: np.ndarray  # [node, 2, 169]: how much likelier it is where another player holds a class
    node_tilts: np.ndarray  # [node, 169]: of all that was done before a decision
    end_tilts: np.ndarray  # [end, 169]: of all that was done in a hand
    calls: np.ndarray  # [pair, 169]: chance of a push at a decision, given the class held at one above it
    node_chances: np.ndarray  # [node]
    end_chances: np.ndarray  # [end]
    near_chances: np.ndarray  # [end]: where the one seat in it that is least likely to be pushed for sure
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
        """How many decisions lie above each."""
        return np.array([len(self.form.path_of(node)) for node in range(self.form.nodes)], np.int64)

    @cached_property
    def pairs(self) -> np.ndarray:
        """The row of `calls` by a decision and the depth of the one above it: [node, depth]."""
        rows = np.full((self.form.nodes, self.form.players), NONE, np.int64)
        rows[self.pair_node, self.depths[self.pair_above]] = np.arange(len(self.pair_node))
        return rows

    def reaches(self, pushes: np.ndarray) -> Reaches:
        """What follows from the chance of a push at every decision for every class, [node, 169]."""
        form, given = self.form, self.tables.given
        acts = np.stack([1 - pushes, pushes], axis=1)
        masses = acts @ PRIOR
        seen = acts @ given.T
        tilts = np.where(masses[..., None] > 0, seen / np.maximum(masses, 1e-300)[..., None], 1.0)
        node_tilts = np.ones(pushes.shape)
        for node in range(1, form.nodes):
            above = form.parent[node]
            node_tilts[node] = node_tilts[above] * tilts[above, form.parent_action[node]]
        end_tilts = np.ones((len(form.ends), len(PRIOR)))
        for end, tilt in zip(form.ends, end_tilts, strict=True):
            if end.path:
                node, action = end.path[-1]
                tilt[:] = node_tilts[node] * tilts[node, action]
        others = node_tilts[self.pair_node] / tilts[self.pair_above, self.pair_action]
        calls = ((others * pushes[self.pair_node]) @ given.T) / (others @ given.T)
        held = PRIOR * node_tilts
        held /= held.sum(1, keepdims=True)
        pushing = (held * pushes).sum(1)
        node_chances, end_chances = self._public(pushing)
        near = self._near(pushing)
        holds = node_chances[:, None] * held
        return Reaches(acts, tilts, node_tilts, end_tilts, calls, node_chances, end_chances, near, holds)

    def _near(self, pushing: np.ndarray) -> np.ndarray:
        """How likely each end is once its rarest push is made: an end that one seat never comes to matters to it."""
        found = np.empty(len(self.form.ends))
        for number, end in enumerate(self.form.ends):
            pushes = sorted(pushing[node] for node, action in end.path if action == PUSHES)
            folds = [1 - pushing[node] for node, action in end.path if action != PUSHES]
            found[number] = np.prod(pushes[1:]) * np.prod(folds)
        return found

    def _public(self, pushing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The chance of each decision and each end, by how often a decision is a push."""
        form = self.form
        nodes, ends = np.zeros(form.nodes), np.zeros(len(form.ends))
        if not form.nodes:
            ends[:] = 1.0
            return nodes, ends
        nodes[0] = 1.0
        for node in range(form.nodes):
            for action, chance in enumerate((1 - pushing[node], pushing[node])):
                child = form.child[node, action]
                if child < 0:
                    ends[-1 - child] = nodes[node] * chance
                else:
                    nodes[child] = nodes[node] * chance
        return nodes, ends

    def range_at(self, reaches: Reaches, end: int, seat: int, without: tuple[int, ...]) -> np.ndarray:
        """The weight of each class of a seat that is in at an end, by its action and by what those who folded did.

        What the seats of `without` did is left out: their cards are dealt with exactly.
        """
        weights: np.ndarray = reaches.end_tilts[end].copy()
        for node, action in self.form.ends[end].path:
            decider = int(self.form.node_seat[node])
            if decider == seat:
                weights *= reaches.acts[node, action]
            if decider == seat or decider in without:
                weights /= reaches.tilts[node, action]
        return weights
