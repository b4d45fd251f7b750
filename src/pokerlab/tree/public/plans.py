"""Realization plans of the public form: hands on boards are infosets of two treeplexes, and a walk gathers payoffs.

Suit-isomorphic hands share their infosets wherever a board represents several (profiles.py).
"""

from __future__ import annotations

import numpy as np

from pokerlab.tree.forecast import check_memory
from pokerlab.tree.public._kernels.assess import gather_portions
from pokerlab.tree.public._kernels.memory import Portions
from pokerlab.tree.public.layout import BLOCK, PublicRound, PublicTree, slots_of
from pokerlab.tree.public.profiles import equivalent_rows
from pokerlab.tree.public.walk import PlayerWalk, Tiles, Workspace
from pokerlab.tree.treeplex import Treeplexes

BYTES_A_SLOT = 60  # positions and weights, gains, and the plans of an algorithm


class PublicPlans(PlayerWalk):
    """Plans over hands that share no infoset, and the walk that gathers the payoffs of a player's sequences.

    Numbers of a player are stored as in a profile: round by round, [board, block, slot, BLOCK], flat.
    """

    def __init__(self, tree: PublicTree) -> None:
        check_memory(BYTES_A_SLOT * tree.slots, "whole plans", "a fraction")
        super().__init__(tree, threads=tree.resources.threads)
        layouts = [_PlayerLayout(tree, player) for player in (0, 1)]
        self.treeplexes = Treeplexes.joined([layout.treeplex() for layout in layouts])
        self._positions = [np.concatenate(layout.positions) for layout in layouts]  # the sequence of each number
        self._weights = [np.concatenate(layout.weights) for layout in layouts]
        self._sums: list[np.ndarray] = []  # [round] of the opponent
        self._gains: list[np.ndarray] = []  # [round] of the player: values of actions at terminal nodes
        self.carried = (0,)

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """The values of a player's sequences against the opponent's plan."""
        rival = np.concatenate([[1.0], plan[self.treeplexes.sequences_of(1 - player)]])
        gains = np.zeros(len(self._positions[player]))
        self._sums = self._by_round(1 - player, rival[self._positions[1 - player]])
        self.player, self._gains = player, self._by_round(player, gains)
        out[player] = self.mean(self.hand_values()[0])
        own, weighted = self.treeplexes.sequences_of(player), gains * self._weights[player]
        out[own] = np.bincount(self._positions[player], weighted, minlength=own.stop - own.start + 1)[1:]

    def _by_round(self, player: int, numbers: np.ndarray) -> list[np.ndarray]:
        return np.split(numbers, np.cumsum([slots_of(level, player) for level in self.tree.rounds])[:-1])

    def boards(self, number: int, portions: Portions, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        facing = space.facing[number][self.player]
        gather_portions(portions, facing, self._sums[number], self._gains[number], from_above[0], to_above[0])

    def profile(self, plan: np.ndarray) -> np.ndarray:
        """Plans as a profile: numbers that the strategy is proportional to.  # [S] -> [A] float32"""
        renormalised = self.treeplexes.plan(self.treeplexes.behaviour(plan))  # against rounding
        return self.spread(renormalised, empty=1.0)

    def spread(self, numbers: np.ndarray, *, empty: float) -> np.ndarray:
        """Numbers by sequence in the layout of a profile, and `empty` in padding.  # [S] -> [A] float32"""
        result = np.empty(self.tree.slots, np.float32)
        for player in (0, 1):
            own = np.concatenate([[empty], numbers[self.treeplexes.sequences_of(player)]])
            result[self.tree.slots_of(player)] = own[self._positions[player]]
        return result

    def by_sequence(self, stored: np.ndarray) -> np.ndarray:
        """Numbers by slot of a profile in the order of the treeplexes.  # [A] -> [S - 2]"""
        result = np.zeros(self.treeplexes.sequences)
        for player in (0, 1):
            own = self.treeplexes.sequences_of(player)
            numbers = np.zeros(own.stop - own.start + 1)
            numbers[self._positions[player]] = stored[self.tree.slots_of(player)]
            result[own] = numbers[1:]
        return result[2:]


class _PlayerLayout:
    """A player's hands on all boards as one treeplex: infosets round by round, board by board, hand by hand."""

    def __init__(self, tree: PublicTree, player: int) -> None:
        self.tree, self.player = tree, player
        self.positions: list[np.ndarray] = []  # [round]: the sequence of each number of [board, block, slot, BLOCK]
        self.weights: list[np.ndarray] = []  # the same: the probability of hand and board, per unit gained
        self._starts: list[np.ndarray] = [np.ones(1, np.int64)]
        self._parents: list[np.ndarray] = []
        roots = np.zeros((1, tree.rounds[0].hands[player].rows, tree.rounds[0].treeplexes[player].roots), np.int64)
        first, likely = 1, np.ones(1)
        for number, (level, equivalent) in enumerate(zip(tree.rounds, equivalent_rows(tree, player), strict=True)):
            if number:
                likely = likely[level.parent] * level.chance * np.diff(level.image_start)
            slots = self._number_slots(level, equivalent, roots, first)
            self._weigh(level, likely)
            first = int(self._starts[-1][-1]) if len(self._starts[-1]) else first
            if number + 1 < len(tree.rounds):
                roots = self._roots(tree.rounds[number + 1], np.concatenate([roots, slots], axis=2), level)

    def _number_slots(self, level: PublicRound, equivalent: np.ndarray, roots: np.ndarray, first: int) -> np.ndarray:
        """Number the sequences of a round, starting at `first`.  # [board, row, slot]; 0 in padding"""
        plex, hands = level.treeplexes[self.player], level.hands[self.player]
        present = np.arange(hands.rows) < hands.count[:, None]  # [board, row]
        own = present & (equivalent == np.arange(hands.rows))
        order = np.cumsum(own.reshape(-1)).reshape(own.shape) - 1
        base = first + np.take_along_axis(order, equivalent, axis=1) * plex.slots  # of the first equivalent hand
        slots = np.where(present[:, :, None], base[:, :, None] + np.arange(plex.slots), 0)
        known = np.concatenate([roots, slots], axis=2)[own]  # [hand, sequence of the round]
        self._parents.append(known[:, plex.node_sequence].reshape(-1))
        ends = plex.node_slot.astype(np.int64) + plex.node_actions
        self._starts.append((base[own][:, None] + ends).reshape(-1))
        shape = len(level.boards), hands.rows // BLOCK, BLOCK, plex.slots
        self.positions.append(slots.reshape(shape).transpose(0, 1, 3, 2).reshape(-1))
        return slots

    def _weigh(self, level: PublicRound, likely: np.ndarray) -> None:
        hands, slots = level.hands[self.player], level.treeplexes[self.player].slots
        present = np.arange(hands.rows) < hands.count[:, None]
        weight = self.tree.weights[self.player][np.maximum(hands.hand, 0)] * present * likely[:, None] / self.tree.pairs
        blocks = weight.reshape(len(level.boards), -1, 1, BLOCK)
        self.weights.append(np.repeat(blocks, slots, axis=2).reshape(-1))

    def _roots(self, level: PublicRound, known: np.ndarray, above: PublicRound) -> np.ndarray:
        """The sequences that lead to the roots of the next round.  # [board, row, root]"""
        hands, deals = level.hands[self.player], above.treeplexes[self.player].deal_sequence
        row = np.minimum(hands.above.astype(np.int64), known.shape[1] - 1)  # any valid row, in padding
        return np.asarray(known[level.parent[:, None], row][:, :, deals])

    def treeplex(self) -> tuple[np.ndarray, np.ndarray]:
        """The whole treeplex, as (start, parent); the empty sequence is 0."""
        return np.concatenate(self._starts), np.concatenate(self._parents)
