"""Treeplexes: every player's decisions as one flat layout, on which strategies are realization plans.

A *sequence* of a player is the list of their own actions on the way to a point of the game; with perfect recall its
last action identifies it. Sequences of all players share one numbering: 0 .. P-1 are the empty ones, then come those of
player 0, of player 1 and so on, infoset by infoset, each infoset after the sequence that leads to it.

A *behaviour* [A] holds a probability for each nonempty sequence (A = S - P); a *plan* [S] holds the player's own reach
probability of each sequence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from pokerlab.tree._kernels.treeplex import TreeplexArrays


class PlayerResponse(NamedTuple):
    """A pure best response of one player to the others' plans."""

    value: float
    values: np.ndarray  # [S]: the player's value of each own sequence, including later own sequences
    choice: np.ndarray  # [S]: 1 for the action taken at each own infoset, 0 for the others


@dataclass(frozen=True, eq=False)
class Treeplexes:
    """The treeplexes of P players with I infosets and S sequences.

    Indices are unsigned, so that kernels need not check for negative ones. The last three arrays list payoffs by
    leaf, if a form has them: see tree/sequence.py.
    """

    start: np.ndarray  # [I + 1] uint32: the sequences of infoset i are start[i] .. start[i + 1] - 1
    parent: np.ndarray  # [I] uint32: the sequence that leads to infoset i
    infosets: np.ndarray  # [P, 2] uint64: each player's first infoset and one past the last
    own: np.ndarray  # [P, 2] uint64: the same for sequences, without the empty one
    row: np.ndarray = field(default_factory=lambda: np.zeros(1, np.uint64))  # [S + 1] uint64
    other: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint32))  # [Z * (P - 1)] uint32
    payoff: np.ndarray = field(default_factory=lambda: np.zeros(0))  # [Z] float64

    @staticmethod
    def joined(trees: list[tuple[np.ndarray, np.ndarray]]) -> Treeplexes:
        """The treeplexes of players given one by one as (start, parent), in which 0 is the empty sequence."""
        first = np.cumsum([len(trees), *(int(start[-1]) - 1 for start, _ in trees)])  # sequence of each player
        count = np.cumsum([0, *(len(parent) for _, parent in trees)])  # of infosets
        starts, parents = [], []
        for player, (start, parent) in enumerate(trees):
            starts.append(start[:-1].astype(np.int64) + (first[player] - 1))
            parents.append(np.where(parent == 0, player, parent.astype(np.int64) + (first[player] - 1)))
        return Treeplexes(
            np.concatenate([*starts, first[-1:]]).astype(np.uint32),
            np.concatenate(parents).astype(np.uint32),
            np.column_stack([count[:-1], count[1:]]).astype(np.uint64),
            np.column_stack([first[:-1], first[1:]]).astype(np.uint64),
        )

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.own)

    @property
    def sequences(self) -> int:
        """The number of sequences of all players, including the empty ones."""
        return int(self.start[-1])

    @cached_property
    def counts(self) -> np.ndarray:
        """The number of actions of each infoset.  # [I] int64"""
        return np.diff(self.start).astype(np.int64)

    @cached_property
    def first_slots(self) -> np.ndarray:
        """The first slot of each infoset in a behaviour.  # [I] int64"""
        return self.start[:-1].astype(np.int64) - self.players

    @cached_property
    def arrays(self) -> TreeplexArrays:
        """The record that kernels take."""
        from pokerlab.tree._kernels.treeplex import TreeplexArrays

        return TreeplexArrays(self.infosets, self.own, self.start, self.parent, self.row, self.other, self.payoff)

    def sequences_of(self, player: int) -> slice:
        """A player's sequences in a plan, without the empty one, which is number `player`."""
        return slice(int(self.own[player, 0]), int(self.own[player, 1]))

    def slots_of(self, player: int) -> slice:
        """A player's actions in a behaviour."""
        return slice(int(self.own[player, 0]) - self.players, int(self.own[player, 1]) - self.players)

    def single(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """One player's treeplex as (start, parent) in its own numbering: 0 is the empty sequence."""
        low, high = (int(bound) for bound in self.infosets[player])
        first = int(self.own[player, 0])
        parent = self.parent[low:high].astype(np.int64)
        return self.start[low : high + 1].astype(np.int64) - first + 1, np.where(
            parent < self.players, 0, parent - first + 1
        )

    def sums(self, numbers: np.ndarray) -> np.ndarray:
        """The sum over each infoset, repeated for each of its actions.  # [A] -> [A]"""
        if not len(self.counts):
            return np.zeros(0)
        return np.repeat(np.add.reduceat(numbers, self.first_slots), self.counts)

    def largest(self, numbers: np.ndarray) -> np.ndarray:
        """The maximum over each infoset, repeated for each of its actions.  # [A] -> [A]"""
        if not len(self.counts):
            return np.zeros(0)
        return np.repeat(np.maximum.reduceat(numbers, self.first_slots), self.counts)

    def uniform(self) -> np.ndarray:
        """The uniform behaviour.  # [A]"""
        return np.repeat(1.0 / self.counts, self.counts)

    def normalize(self, weights: np.ndarray) -> np.ndarray:
        """The behaviour in proportion to weights, uniform where they are all zero.  # [A] -> [A]"""
        sums = self.sums(weights)
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), self.uniform())

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The realization plans of a behaviour.  # [A] -> [S]"""
        from pokerlab.tree._kernels.forms import realize

        plan = np.ones(self.sequences)
        plan[self.players :] = behaviour
        realize(self.start, self.parent, plan)
        return plan

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """The behaviour of plans, uniform at infosets that they never reach.  # [S] -> [A]"""
        return self.normalize(plan[self.players :])

    def best_response(self, player: int, value: np.ndarray) -> PlayerResponse:
        """The best actions of a player, given the values [S] of the sequences by themselves, which are overwritten."""
        from pokerlab.tree._kernels.treeplex import respond

        choice = np.zeros(len(value))
        respond(*self.infosets[player], self.arrays, value, choice)
        return PlayerResponse(float(value[player]), value, choice)
