"""Bucketed strategies evaluated over every deal of a small game: values, and best responses over buckets.

Nothing is sampled. Two players; each betting node holds arrays [board, hand], so a walk of a game of the size of Rhode
Island hold'em takes about a second. A best response over buckets (what is left to gain *inside* the abstraction) is
exact if each bucket encodes the buckets of earlier rounds; otherwise computing one is a hard problem, and is refused.

The first public cards are taken up to suit isomorphism, later ones as dealt. Values of a hand before any public card
are then averages over its suit permutations, computed by `lifted`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.cards.canonical import HandIndexer
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.showdown import strength_of
from pokerlab.tree.bucketed.betting import FOLDED, SHOWN, BettingArrays
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure

MOST_PAIRS = 2e7  # of hands, over all boards of the last round
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")

# the traversing player's node, the opponent's reach, values of actions -> its value; all [board, hand]
AtOwn = Callable[[int, np.ndarray, Sequence[np.ndarray]], np.ndarray]
# the opponent's node, reach -> probabilities [board, hand, action]
AtOpponent = Callable[[int, np.ndarray], np.ndarray]
Report = Callable[[int, np.ndarray], None]  # node, chips [board, hand]; 0 if the opponent never reaches it


@dataclass(frozen=True, eq=False)
class EveryDeal:
    """All boards and hands of a game of two players."""

    cards: CardRounds
    hands: np.ndarray  # [hand, private] uint8
    boards: tuple[np.ndarray, ...]  # [round] of [board, cards] uint8
    above: tuple[np.ndarray, ...]  # [round] of [board]: the board of the round before
    chance: tuple[np.ndarray, ...]  # [round] of [board]: that it follows the board above, for two hands that it allows
    live: tuple[np.ndarray, ...]  # [round] of [board, hand] float: 1 where they share no card
    compatible: np.ndarray  # [hand, hand] float: 1 where two hands share no card
    strength: np.ndarray  # [last board, hand] int64: smaller is stronger
    isomorphic: np.ndarray  # [hand]: the number of a hand before the board, up to suit isomorphism

    def weight(self, round: int) -> np.ndarray:
        """The probability of each board of a round, for two hands that it allows.  # [board]"""
        chance = np.ones(1)
        for before in range(round + 1):
            chance = chance[self.above[before]] * self.chance[before]
        return chance

    def lowered(self, reach: np.ndarray, first: int, last: int) -> np.ndarray:
        """Numbers of hands on boards of a round, repeated on those of a later one.  # [board, hand]"""
        for round in range(first + 1, last + 1):
            reach = reach[self.above[round]] * self.live[round]
        return reach

    def lifted(self, value: np.ndarray, last: int, first: int) -> np.ndarray:
        """Values on boards of a round, averaged to those of an earlier one.  # [board, hand]"""
        for round in range(last, first, -1):
            starts = np.flatnonzero(np.diff(self.above[round], prepend=-1))
            value = np.add.reduceat(value * self.chance[round][:, None], starts, axis=0)
            if not self.cards.boards[round - 1] and self.cards.boards[round]:
                means = np.bincount(self.isomorphic, value[0]) / np.bincount(self.isomorphic)
                value = means[self.isomorphic][None]
        return value

    def facing(self, reach: np.ndarray, round: int) -> np.ndarray:
        """The total reach of the opposing hands compatible with each hand.  # [board, hand] both"""
        opposing = reach.sum(axis=1, keepdims=True) - reach if self.hands.shape[1] == 1 else reach @ self.compatible
        return np.asarray(opposing * self.live[round])

    def compared(self, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The reach of opposing hands that each hand beats on the last boards, and of those that beat it."""
        live = self.live[-1]
        if self.hands.shape[1] > 1:
            beaten, beating = (np.matmul(pairs, reach[:, :, None])[:, :, 0] * live for pairs in self._compared_pairs)
            return beaten, beating
        order, first, end = self._ranked  # distinct one-card hands never share a card, and a hand ties with itself
        sums = np.cumsum(np.take_along_axis(reach, order, 1), axis=1)
        sums = np.concatenate([np.zeros((len(sums), 1)), sums], axis=1)
        beating = np.take_along_axis(sums, first, 1) * live
        return (sums[:, -1:] - np.take_along_axis(sums, end, 1)) * live, beating

    @cached_property
    def _ranked(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Hands by strength; the number of hands stronger than each, and at least as strong.  # [board, hand] each"""
        order = np.argsort(self.strength, axis=1, kind="stable")
        ranked = np.take_along_axis(self.strength, order, 1)
        sides = [[np.searchsorted(a, b, side) for a, b in zip(ranked, self.strength, strict=True)] for side in _SIDES]
        return order, np.array(sides[0]), np.array(sides[1])

    @cached_property
    def _compared_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Whether one hand beats another, and whether it is beaten, for compatible hands.  # [board, hand, hand]"""
        one, other = self.strength[:, :, None], self.strength[:, None]
        return (one < other) * self.compatible, (one > other) * self.compatible

    def rows(self, round: int) -> tuple[np.ndarray, np.ndarray]:
        """Flat offsets of hands on boards of a round, and their cards, private first.  # [n], [n, cards] uint8"""
        flat = np.flatnonzero(self.live[round])
        board, hand = np.divmod(flat, len(self.hands))
        return flat, np.concatenate([self.hands[hand], self.boards[round][board]], axis=1)


def every_deal(cards: CardRounds) -> EveryDeal:
    """Build all deals; TooLarge if there are too many."""
    check_size(cards)
    hands = np.array(list(combinations(range(cards.deck.size), cards.private)), np.uint8)
    levels = [(np.zeros((1, 0), np.uint8), np.zeros(0), np.zeros(0))]
    for size in cards.boards:
        levels.append(_following(cards, levels[-1][0], size - levels[-1][0].shape[1]))
    boards, above, chance = zip(*levels[1:], strict=True)
    live = tuple(_disjoint(board, hands) for board in boards)
    strength = _strengths(cards, hands, boards[-1], live[-1])
    indexer = HandIndexer((cards.private,), len(cards.deck.ranks), len(cards.deck.suits))
    compatible = _disjoint(hands, hands)
    return EveryDeal(cards, hands, boards, above, chance, live, compatible, strength, indexer.index_batch(hands))


def check_size(cards: CardRounds) -> None:
    """Raise TooLarge if there are too many deals."""
    left, boards, before = cards.deck.size, 1, 0
    hands = comb(left, cards.private)
    for size in cards.boards:
        boards *= comb(left, size - before)
        left, before = left - (size - before), size
    if boards * hands**2 > MOST_PAIRS * len(cards.deck.suits):
        raise TooLarge(
            f"{boards:,} boards with {hands:,} hands of each player are too many to follow; games up to the size of "
            "Rhode Island hold'em can be followed"
        )


def _following(cards: CardRounds, boards: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The boards after this many more cards, the parent of each, and its probability."""
    deck, size = cards.deck, boards.shape[1]
    if not count:
        return boards, np.arange(len(boards)), np.ones(len(boards))
    ways = comb(deck.size - 2 * cards.private - size, count)
    if not size:
        indexer = HandIndexer((count,), len(deck.ranks), len(deck.suits))
        numbers = np.arange(indexer.size())
        return indexer.unindex_batch(numbers), np.zeros(len(numbers), np.int64), indexer.counts(numbers) / ways
    added = np.array(list(combinations(range(deck.size), count)), np.uint8)
    parents, rows = np.nonzero(_disjoint(boards, added))
    return np.concatenate([boards[parents], added[rows]], axis=1), parents, np.full(len(parents), 1 / ways)


def _disjoint(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """1 where two rows of cards have none in common.  # [n, cards], [m, cards] -> [n, m] float"""
    disjoint = np.ones((len(one), len(other)))
    for first in one.T:
        for second in other.T:
            disjoint[first[:, None] == second] = 0
    return disjoint


def _strengths(cards: CardRounds, hands: np.ndarray, boards: np.ndarray, live: np.ndarray) -> np.ndarray:
    strength = strength_of(cards.showdown, cards.deck, cards.private + cards.boards[-1])
    strengths = np.zeros(live.shape, np.int64)
    for board, hand in np.argwhere(live).tolist():
        strengths[board, hand] = strength((*hands[hand].tolist(), *boards[board].tolist()))
    return strengths


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
        return float(self.deals.compatible.sum())

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
        won, tied, lost = outcomes(arrays, node, player)
        beaten, beating = deals.compared(passed)
        value = won * beaten + lost * beating
        if tied:
            value += tied * (deals.facing(passed, last) - beaten - beating)
        return deals.lifted(value, last, round)

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


def outcomes(arrays: BettingArrays, node: int, player: int) -> tuple[float, float, float]:
    """Chips won, tied and lost at a showdown."""
    pots = range(int(arrays.pot_first[node]), int(arrays.pot_first[node + 1]))
    chips = [(float(arrays.pot_chips[pot]), int(arrays.pot_seats[pot])) for pot in pots]
    own = [(amount, seats == 1 << player) for amount, seats in chips if seats >> player & 1]
    put = float(arrays.put[node, player])
    won, alone = sum(amount for amount, _ in own), sum(amount for amount, only in own if only)
    return won - put, (won + alone) / 2 - put, alone - put


def inside_game(form: BucketedForm) -> InsideGame:
    """The abstract game of a form; BadSetting or TooLarge if not every deal can be followed."""
    if form.players != 2:
        raise BadSetting(f"this measure enumerates every deal of two players, and {form.name} has {form.players}")
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
