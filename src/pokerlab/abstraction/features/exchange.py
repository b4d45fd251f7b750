"""What an exchange leads to, exactly: means over all cards that may come, for every hand and every set thrown away."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.cards.canonical import HandIndexer


def canonical_hands(cards: ExchangeCards) -> np.ndarray:
    """One hand of each class up to renaming of suits, lowest card first.  # [class, place] uint8"""
    indexer = HandIndexer((cards.held,), len(cards.deck.ranks), len(cards.deck.suits))
    return np.sort(indexer.unindex_batch(np.arange(indexer.size())), axis=1)


class Sets(NamedTuple):
    """The sets of up to as many cards as a hand has, numbered."""

    starts: np.ndarray  # [size + 1]: where those of so many cards begin
    ways: np.ndarray  # [count]: in how many ways so many cards may be drawn beside a hand

    @staticmethod
    def of(cards: ExchangeCards) -> Sets:
        """The sets of a deck."""
        size, held = cards.deck.size, cards.held
        starts = np.concatenate([[0], np.cumsum([comb(size, count) for count in range(held + 1)])])
        return Sets(starts, np.array([comb(size - held, count) for count in range(held + 1)], float))


def exchanged_means(cards: ExchangeCards, values: np.ndarray, hands: np.ndarray) -> np.ndarray:
    """The mean of numbers of the hand after each exchange.  # values [hand, n], hands [m, place] -> [m, mask, n]"""
    from pokerlab.abstraction.features._kernels.exchange import exchange_means, sum_subsets

    starts, ways = Sets.of(cards)
    sums = np.zeros((int(starts[-1]), values.shape[1]))
    sum_subsets(cards.every, np.ascontiguousarray(values, float), cards.choose, starts, sums)
    found = np.zeros((len(hands), 1 << cards.held, values.shape[1]))
    exchange_means(np.ascontiguousarray(hands, np.uint8), ways, cards.choose, starts, sums, found)
    return found


def likelihoods(cards: ExchangeCards, hands: np.ndarray, thrown: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How likely each hand is after the exchange, where hands of these weights throw these masks away.  # [hand]"""
    from pokerlab.abstraction.features._kernels.exchange import gather_subsets, spread_hands

    starts, ways = Sets.of(cards)
    sums, found = np.zeros(int(starts[-1])), np.zeros(cards.hands)
    shares = weights / weights.sum()
    spread_hands(
        np.ascontiguousarray(hands, np.uint8), thrown.astype(np.int64), shares, ways, cards.choose, starts, sums
    )
    gather_subsets(cards.every, cards.choose, starts, sums, found)
    return found


def allowed(cards: ExchangeCards) -> np.ndarray:
    """Which masks throw no more cards away than may be.  # [mask] bool"""
    return np.array([mask.bit_count() <= cards.most for mask in range(1 << cards.held)])


def shares_beaten(cards: ExchangeCards, weights: np.ndarray) -> np.ndarray:
    """The share of hands, weighted, that each beats, ties by half.  # [hand] -> [hand]"""
    held = np.bincount(cards.strength, weights=weights)
    weaker = held.sum() - np.cumsum(held)  # a smaller number is stronger
    return np.asarray(((weaker + held / 2) / held.sum())[cards.strength])


def drawn_shares(cards: ExchangeCards) -> np.ndarray:
    """The share of opponents that each hand beats after the exchange, where all exchange for the best.  # [hand]

    The best exchange is the one with the largest mean share of all hands beaten; cards that the two players hold are
    not taken out of each other's.
    """
    hands = canonical_hands(cards)
    means = exchanged_means(cards, shares_beaten(cards, np.ones(cards.hands))[:, None], hands)[:, :, 0]
    best = np.where(allowed(cards), means, -1.0).argmax(axis=1)
    counts = np.bincount(cards.canonical, minlength=len(hands)).astype(float)
    return shares_beaten(cards, likelihoods(cards, hands, best, counts))
