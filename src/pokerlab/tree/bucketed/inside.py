"""Bucketed strategies evaluated over every deal of a small game: values, and best responses over buckets.

Nothing is sampled. Two players; each betting node holds arrays [board, hand], so a walk of a game of the size of Rhode
Island hold'em takes about a second. A best response over buckets (what is left to gain *inside* the abstraction) is
exact if each bucket encodes the buckets of earlier rounds; otherwise computing one is a hard problem, and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.tree.bucketed.betting import FOLDED, SHOWN
from pokerlab.tree.bucketed.every_deal import EveryDeal, every_deal
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure

# the traversing player's node, the opponent's reach, values of actions -> its value; all [board, hand]
AtOwn = Callable[[int, np.ndarray, Sequence[np.ndarray]], np.ndarray]
AtOpponent = Callable[
    [int, np.ndarray], np.ndarray
]  # the opponent's node, reach -> probabilities [board, hand, action]

Report = Callable[[int, np.ndarray], None]  # node, chips [board, hand]; 0 if the opponent never reaches it


@dataclass(frozen=True, eq=False)
class InsideGame:
    """The abstract game of a bucketed form, over every deal."""

    form: BucketedForm
    deals: EveryDeal

    @cached_property
    def buckets(self) -> tuple[np.ndarray, ...]:
        """The bucket of each hand on each board of a round, 0 if it is not dealt.  # [round] of [board, hand]"""
        buckets = tuple(np.zeros(live.shape, np.int64) for live in self.deals.live)
        for round, live in enumerate(self.deals.live):
            for board, cards in enumerate(self.deals.boards[round].tolist()):
                hands = np.flatnonzero(live[board])
                buckets[round][board, hands] = self.form.buckets.at(round, self.deals.hands[hands], cards)
        return buckets

    @cached_property
    def weights(self) -> tuple[np.ndarray, ...]:
        """The probability of each board.  # [round] of [board, 1]"""
        return tuple(self.deals.weight(round)[:, None] for round in range(len(self.deals.boards)))

    @property
    def pairs(self) -> float:
        """The number of pairs of hands."""
        return float(self.deals.meet.sum())

    def place(self, node: int) -> tuple[int, int, int]:
        """The round of a decision, its number of actions, and the offset of those of bucket 0."""
        arrays = self.form.betting.arrays
        round = int(arrays.round[node])
        return round, int(arrays.children[node]), int(self.form.base[round] + arrays.slot[node])

    def rows(self, node: int, numbers: np.ndarray) -> np.ndarray:
        """The numbers of a decision, a view.  # [bucket, action]"""
        round, moves, first = self.place(node)
        row, base = self.form.betting.rows[round], int(self.form.base[round])
        level = numbers[base : base + self.form.buckets.counts[round] * row].reshape(-1, row)
        return level[:, first - base : first - base + moves]

    def play(self, node: int, numbers: np.ndarray) -> np.ndarray:
        """The strategy in proportion to numbers, uniform where they are zero.  # [board, hand, action]"""
        return np.asarray(_shares(self.rows(node, numbers))[self.buckets[self.place(node)[0]]])

    def by_bucket(self, round: int, values: np.ndarray) -> np.ndarray:
        """Sums over the boards and hands of each bucket, with boards weighted.  # [board, hand] -> [bucket]"""
        held = self.buckets[round].reshape(-1)
        weighted = (values * self.weights[round]).reshape(-1)
        return np.bincount(held, weighted, minlength=self.form.buckets.counts[round])

    def walk(self, player: int, at_own: AtOwn, at_opponent: AtOpponent) -> float:
        """The value of each hand of a player, with callbacks at own decisions and at the opponent's."""
        reach = np.ones((len(self.deals.boards[0]), len(self.deals.hands))) * self.deals.live[0]
        value = self._value(0, player, reach, at_own, at_opponent)
        return float((value * self.weights[0]).sum() / self.pairs)

    def _value(self, node: int, player: int, reach: np.ndarray, at_own: AtOwn, at_opponent: AtOpponent) -> np.ndarray:
        arrays = self.form.betting.arrays
        actor, round = int(arrays.actor[node]), int(arrays.round[node])
        if actor in (FOLDED, SHOWN):
            return self._terminal_value(node, player, reach)
        children = range(int(arrays.first[node]), int(arrays.first[node] + arrays.children[node]))
        shares = None if actor == player else at_opponent(node, reach)
        values = []
        for index, child in enumerate(children):
            below = int(arrays.round[child])
            passed = reach if shares is None else reach * shares[:, :, index]
            passed = self.deals.lowered(passed, round, below)
            value = self._value(child, player, passed, at_own, at_opponent)
            values.append(self.deals.lifted(value, below, round))
        if actor == player:
            return at_own(node, reach, values)
        return np.asarray(sum(values))

    def _terminal_value(self, node: int, player: int, reach: np.ndarray) -> np.ndarray:
        """The value of a terminal node for each hand against the opponent's reach.  # [board, hand]"""
        arrays, deals = self.form.betting.arrays, self.deals
        put, round, last = arrays.put[node], int(arrays.round[node]), len(deals.boards) - 1
        if arrays.actor[node] == FOLDED:
            wins = self.form.betting.alive[node] >> player & 1
            return (float(put[1 - player]) if wins else -float(put[player])) * deals.facing(reach, round)
        passed = deals.lowered(reach, round, last)
        won, tied, lost = self._outcomes(node, player)
        beaten, beating = deals.compared(passed)
        value = won * beaten + lost * beating
        if tied:
            value += tied * (deals.facing(passed, last) - beaten - beating)
        return deals.lifted(value, last, round)

    def _outcomes(self, node: int, player: int) -> tuple[float, float, float]:
        """Chips won, tied and lost at a showdown."""
        arrays = self.form.betting.arrays
        pots = range(int(arrays.pot_first[node]), int(arrays.pot_first[node + 1]))
        chips = [(float(arrays.pot_chips[pot]), int(arrays.pot_seats[pot])) for pot in pots]
        own = [(amount, seats == 1 << player) for amount, seats in chips if seats >> player & 1]
        put = float(arrays.put[node, player])
        won, alone = sum(amount for amount, _ in own), sum(amount for amount, only in own if only)
        return won - put, (won + alone) / 2 - put, alone - put

    def value(self, average: np.ndarray, player: int, report: Report | None = None) -> float:
        """The value of strategies to a player; each own decision is reported with the expected value of its hands."""

        def at_own(node: int, reach: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
            value = (self.play(node, average) * np.stack(values, axis=-1)).sum(axis=-1)
            if report is not None:
                facing = self.deals.facing(reach, self.place(node)[0])
                report(node, np.divide(value, facing, out=np.zeros_like(value), where=facing > 0))
            return np.asarray(value)

        return self.walk(player, at_own, lambda node, reach: self.play(node, average))

    def best(self, average: np.ndarray, player: int) -> float:
        """The value of a best response that sees only buckets, against the opponent's strategy."""
        if not has_perfect_recall(self.form):
            raise BadSetting(
                f"the buckets of {self.form.name} forget those of earlier rounds, and a best response over such "
                "buckets cannot be computed backwards from the end: make buckets with perfect recall"
            )

        def at_own(node: int, reach: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
            round = self.place(node)[0]
            sums = np.stack([self.by_bucket(round, value) for value in values])
            chosen = sums.argmax(axis=0)[self.buckets[round]]
            return np.asarray(np.choose(chosen, values))

        return self.walk(player, at_own, lambda node, reach: self.play(node, average))

    def measure(self, average: np.ndarray) -> Measure:
        """Value and best-response value of each player, all inside the abstraction."""
        values, best = (tuple(of(average, player) for player in (0, 1)) for of in (self.value, self.best))
        return Measure(values, best)


def inside_game(form: BucketedForm) -> InsideGame:
    """The abstract game of a form; BadSetting or TooLarge if not every deal can be followed."""
    if form.players != 2:
        raise BadSetting(f"games of two players are followed over every deal, and {form.name} has {form.players}")
    return InsideGame(form, every_deal(form.buckets.cards))


def has_perfect_recall(form: BucketedForm) -> bool:
    """Whether buckets encode those of earlier rounds: by construction, or as one hand with the order of its board."""
    buckets = form.buckets
    return buckets.remembers or (buckets.is_lossless and (buckets.cards.ordered or buckets.cards.rounds < 3))


def _shares(numbers: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to numbers, uniform if all are zero.  # [bucket, action] -> the same"""
    positive = np.maximum(np.asarray(numbers, float), 0)
    total = positive.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / positive.shape[1]))
