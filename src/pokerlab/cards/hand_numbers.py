"""The hands of a deck by index, and exact means over their draws.

Suits are distinct: the cards of a hand, lowest first, give the index c0 + C(c1, 2) + C(c2, 3) + ..., one addition per
card in kernels. A set of discards is a mask: bit 0 is the lowest card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import Deck


@dataclass(frozen=True)
class HandNumbers:
    """The hands of a given number of cards of a deck."""

    deck: Deck
    held: int  # cards of a hand

    @property
    def hands(self) -> int:
        """The number of hands."""
        return comb(self.deck.size, self.held)

    @cached_property
    def choose(self) -> np.ndarray:
        """Binomials: the index of a hand is the sum of those of its cards.  # [card, position] int32"""
        size = self.deck.size
        return np.array([[comb(card, place + 1) for place in range(self.held)] for card in range(size)], np.int32)

    @cached_property
    def every(self) -> np.ndarray:
        """Every hand by its index, lowest card first.  # [hand, card] uint8"""
        cards = np.zeros((1, 0), np.uint8)
        for count in range(1, self.held + 1):  # below each highest card, the first hands of one card fewer
            highest = np.arange(count - 1, self.deck.size, dtype=np.uint8)
            below = [comb(card, count - 1) for card in highest.tolist()]
            rest = np.concatenate([cards[:hands] for hands in below])
            cards = np.column_stack([rest, np.repeat(highest, below)])
        return cards

    def number(self, hand: np.ndarray) -> np.ndarray:
        """The index of each hand, cards in any order.  # [n, held] -> [n]"""
        ordered = np.sort(np.asarray(hand, np.int64), axis=1)
        return np.asarray(self.choose[ordered, np.arange(self.held)].sum(axis=1))

    def text(self, number: int) -> str:
        """A hand as text, highest card first."""
        return self.deck.text(self.every[number].tolist()[::-1])

    @cached_property
    def _indexer(self) -> HandIndexer:
        return HandIndexer((self.held,), len(self.deck.ranks), len(self.deck.suits))

    @cached_property
    def canonical(self) -> np.ndarray:
        """The index of each hand up to suit isomorphism.  # [hand] int32"""
        return self._indexer.index_batch(self.every).astype(np.int32)

    @cached_property
    def canonical_hands(self) -> np.ndarray:
        """One hand of each class up to suit isomorphism, lowest card first.  # [class, card] uint8"""
        return np.sort(self._indexer.unindex_batch(np.arange(self._indexer.size())), axis=1)

    def __getstate__(self) -> dict[str, object]:
        return {name: vars(self)[name] for name in self.__dataclass_fields__}

    @cached_property
    def _set_starts(self) -> np.ndarray:
        """The first index of the sets of each size, among all sets of up to `held` cards.  # [size + 1]"""
        return np.cumsum([0, *(comb(self.deck.size, count) for count in range(self.held + 1))])

    @cached_property
    def _draws(self) -> np.ndarray:
        """The number of sets of each size that may be drawn to a hand.  # [count] float64"""
        return np.array([comb(self.deck.size - self.held, count) for count in range(self.held + 1)], float)

    def draw_means(self, values: np.ndarray, hands: np.ndarray, *, unit: float = 1.0) -> np.ndarray:
        """The mean value of the hand after discarding each mask, in a unit of the values.

        Integers are added exactly and divided once.  # values [hand, n], hands [m, card] -> [m, mask, n]
        """
        from pokerlab.cards._kernels.draw_means import draw_means, sum_subsets

        starts = self._set_starts
        sums = np.zeros((int(starts[-1]), values.shape[1]))
        sum_subsets(self.every, np.ascontiguousarray(values, float), self.choose, starts, sums)
        means = np.zeros((len(hands), 1 << self.held, values.shape[1]))
        draw_means(np.ascontiguousarray(hands, np.uint8), self._draws * unit, self.choose, starts, sums, means)
        return means

    def likelihoods(self, hands: np.ndarray, discards: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The probability of each hand after a draw, given the weights and discards of hands before it.  # [hand]"""
        from pokerlab.cards._kernels.draw_means import gather_subsets, spread_hands

        starts, shares = self._set_starts, weights / weights.sum()
        sums, likely = np.zeros(int(starts[-1])), np.zeros(self.hands)
        masks, cards = discards.astype(np.int64), np.ascontiguousarray(hands, np.uint8)
        spread_hands(cards, masks, shares, self._draws, self.choose, starts, sums)
        gather_subsets(self.every, self.choose, starts, sums, likely)
        return likely
