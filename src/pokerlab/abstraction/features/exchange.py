"""The prospects of a draw, computed exactly: the share of opponents that each hand beats after it."""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.exchange_cards import ExchangeCards


def shares_beaten(cards: ExchangeCards, weights: np.ndarray) -> np.ndarray:
    """The weighted share of hands that each hand beats; ties count half.  # [hand] -> [hand]"""
    held = np.bincount(cards.strength, weights=weights)
    weaker = held.sum() - np.cumsum(held)  # a smaller number is stronger
    return np.asarray(((weaker + held / 2) / held.sum())[cards.strength])


def drawn_shares(cards: ExchangeCards) -> np.ndarray:
    """The share of opponents that each hand beats after the draw, if all discard optimally.  # [hand]

    The best discards have the largest mean share of all hands beaten; card removal between the players is ignored.
    """
    hands = cards.canonical_hands
    means = cards.draw_means(shares_beaten(cards, np.ones(cards.hands))[:, None], hands)[:, :, 0]
    allowed = np.array([mask.bit_count() <= cards.most for mask in range(means.shape[1])])
    best = np.where(allowed, means, -1.0).argmax(axis=1)
    counts = np.bincount(cards.canonical, minlength=len(hands)).astype(float)
    return shares_beaten(cards, cards.likelihoods(hands, best, counts))
