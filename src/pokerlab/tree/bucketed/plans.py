"""Realization plans over buckets: payoffs over every deal of a small game, summed by bucket.

For two players whose buckets imply those of earlier rounds (perfect recall), in games small enough to follow every deal
(inside.py): there an abstraction is a game of its own, with treeplexes whose infosets are (decision, bucket).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.tree.bucketed.inside import AtOpponent, InsideGame, inside_game
from pokerlab.tree.bucketed.pair_payoffs import NO_DECISION, PairPayoffs
from pokerlab.tree.bucketed.pairs import bucket_pairs
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from pokerlab.tree.bucketed.form import BucketedForm


class BucketPlans:
    """Plans over buckets, and the offsets of their numbers in a profile of the form."""

    def __init__(self, form: BucketedForm) -> None:
        self.form, self.pairs = form, bucket_pairs(form)
        self.deals = inside_game(form) if self.pairs is None else None
        arrays = form.betting.arrays
        self._nodes = [np.flatnonzero(arrays.actor == player).tolist() for player in (0, 1)]
        self._first: dict[int, int] = {}  # of each decision: the player's own sequence of bucket 0 and action 0
        self._above = [self._decisions_above(player) for player in (0, 1)]
        self.treeplexes = Treeplexes.joined([self._treeplex(player) for player in (0, 1)])
        self._by_pairs = None if self.pairs is None else self._pair_payoffs()
        self.slots = [self._numbers(player) for player in (0, 1)]  # of each player's sequences in a profile
        self.positions = np.concatenate(self.slots)  # [S - 2]

    def _shape(self, node: int) -> tuple[int, int]:
        """The number of buckets and actions of a decision."""
        arrays = self.form.betting.arrays
        return self.form.buckets.counts[int(arrays.round[node])], int(arrays.children[node])

    def _treeplex(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """(start, parent) of a player, infosets by decision and then by bucket."""
        above, starts, parents, count = self._above[player], [np.ones(1, np.int64)], [], 1
        for node in self._nodes[player]:
            buckets, actions = self._shape(node)
            self._first[node] = count
            starts.append(count + actions * np.arange(1, buckets + 1))
            before, action = above[node]
            if before == NO_DECISION:
                parents.append(np.zeros(buckets, np.int64))
            else:
                parents.append(self._first[before] + self._earlier(node, before) * self._shape(before)[1] + action)
            count += buckets * actions
        return np.concatenate(starts), np.concatenate(parents) if parents else np.zeros(0, np.int64)

    def _decisions_above(self, player: int) -> dict[int, tuple[int, int]]:
        """The player's decision before each node, and the action taken there."""
        arrays = self.form.betting.arrays
        above = {0: (NO_DECISION, 0)}
        for node in range(len(arrays.actor)):
            first = int(arrays.first[node])
            for action in range(int(arrays.children[node])):
                above[first + action] = (node, action) if arrays.actor[node] == player else above[node]
        return above

    def _earlier(self, node: int, before: int) -> np.ndarray:
        """The bucket at an earlier decision that each bucket of a decision implies.  # [bucket]"""
        arrays = self.form.betting.arrays
        round, earlier = int(arrays.round[node]), int(arrays.round[before])
        if self.pairs is not None:
            return self.pairs.implied(round, earlier)
        assert self.deals is not None
        deals = self.deals.deals
        held, then = self.deals.buckets[round], self.deals.buckets[earlier]
        board = np.arange(len(held))
        for between in range(round, earlier, -1):
            board = deals.above[between][board]
        implied = np.zeros(self.form.buckets.counts[round], np.int64)
        there = deals.live[round] > 0
        implied[held[there]] = then[board][there]
        return implied

    def _numbers(self, player: int) -> np.ndarray:
        """The offsets of a player's sequences in a profile."""
        offsets = []
        for node in self._nodes[player]:
            buckets, actions = self._shape(node)
            first = self.form.first_number(node, np.arange(buckets)[:, None])
            offsets.append((first + np.arange(actions)).reshape(-1))
        return np.concatenate(offsets)

    def profile(self, plan: np.ndarray) -> np.ndarray:
        """Plans as a profile.  # [S] -> [number] float32"""
        return self.spread(self.treeplexes.behaviour(plan)).astype(np.float32)

    def spread(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers in the order of the treeplexes as the form stores them, 0 in padding.  # [S - 2] -> [number]"""
        stored = np.zeros(self.form.numbers)
        stored[self.positions] = numbers
        return stored

    def _pair_payoffs(self) -> PairPayoffs:
        assert self.pairs is not None
        starts = [int(self.treeplexes.own[player, 0]) - 1 for player in (0, 1)]
        first = [{node: self._first[node] + starts[player] for node in self._nodes[player]} for player in (0, 1)]
        return PairPayoffs(self.form, self.pairs, first, self._above)

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """The values of a player's sequences against the opponent's plan: from pairs, or one walk over every deal."""
        if self._by_pairs is not None:
            self._clear(player, out)
            self._by_pairs.payoffs(player, plan, out)
            return
        deals, play = self.deals, self.profile(plan)
        assert deals is not None
        self._gather(deals, player, lambda node, reach: deals.play(node, play), out)

    def _clear(self, player: int, out: np.ndarray) -> None:
        out[player], out[self.treeplexes.sequences_of(player)] = 0.0, 0.0

    def largest_payoff_sum(self, player: int) -> float:
        """The largest sum of absolute payoffs after one sequence: a walk that counts every action of the opponent."""
        out = np.zeros(self.treeplexes.sequences)
        if self._by_pairs is not None:
            self._by_pairs.largest_sums(player, out)
        else:
            assert self.deals is not None
            actions = self.form.betting.arrays.children
            absolute = AbsoluteDeals(self.form, self.deals.deals)
            self._gather(absolute, player, lambda node, reach: np.ones((*reach.shape, int(actions[node]))), out)
        return max(float(out[player]), float(out[self.treeplexes.sequences_of(player)].max(initial=0.0)))

    def _gather(self, deals: InsideGame, player: int, at_opponent: AtOpponent, out: np.ndarray) -> None:
        """Sum by bucket the payoffs directly after each of a player's sequences."""
        offset = int(self.treeplexes.own[player, 0]) - 1
        self._clear(player, out)

        def gather(node: int, reach: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
            round, first = int(self.form.betting.arrays.round[node]), self._first[node] + offset
            buckets, actions = self._shape(node)
            for action, value in enumerate(values):
                out[first + action : first + buckets * actions : actions] = deals.by_bucket(round, value) / deals.pairs
            return np.zeros_like(reach)  # later own actions are counted separately

        out[player] = deals.walk(player, gather, at_opponent)


class AbsoluteDeals(InsideGame):
    """Every deal, with the largest possible payoff in place of the actual one."""

    def _terminal_value(self, node: int, player: int, reach: np.ndarray) -> np.ndarray:
        put = self.form.betting.arrays.put[node]
        return float(np.abs(put).max()) * self.deals.facing(reach, int(self.form.betting.arrays.round[node]))
