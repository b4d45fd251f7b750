"""Every deal of a small game at once: all boards, and all hands on each, as arrays.

The first public cards are taken up to suit isomorphism, later ones as dealt. Values of a hand before any public card
are then averages over its suit permutations, computed by `lifted`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.cards.canonical import HandIndexer
from pokerlab.errors import TooLarge
from pokerlab.games.poker.showdown import strength_of

MOST_PAIRS = 2e7  # of hands, over all boards of the last round
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


@dataclass(frozen=True, eq=False)
class EveryDeal:
    """All boards and hands of a game of two players."""

    cards: CardRounds
    hands: np.ndarray  # [hand, private] uint8
    boards: tuple[np.ndarray, ...]  # [round] of [board, cards] uint8
    above: tuple[np.ndarray, ...]  # [round] of [board]: the board of the round before
    chance: tuple[np.ndarray, ...]  # [round] of [board]: that it follows the board above, for two hands that it allows
    live: tuple[np.ndarray, ...]  # [round] of [board, hand] float: 1 where they share no card
    meet: np.ndarray  # [hand, hand] float: 1 where two hands share no card
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
        met = reach.sum(axis=1, keepdims=True) - reach if self.hands.shape[1] == 1 else reach @ self.meet
        return np.asarray(met * self.live[round])

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
        return (one < other) * self.meet, (one > other) * self.meet

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
    meet = _disjoint(hands, hands)
    return EveryDeal(cards, hands, boards, above, chance, live, meet, strength, indexer.index_batch(hands))


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
