"""Hands by the prospects of each discard: suits count, and a discard is identified by its purpose.

The value of a hand is the share of opponents that it beats after the draw, if these discard optimally. The options are
discards that every hand has: "d3" discards the three cards that leave the highest mean value, so a pair is held; "d3+"
discards those that leave the best chance of a great hand (the mean of the value to the power of GREAT), so three to a
flush are held, or the next best if both are the same. Hands before the draw are clustered by these means, one of each
kind for each number of cards; hands after it by their value. After the draw a player remembers how many cards they
discarded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from math import comb
from typing import Annotated, NamedTuple

import numpy as np

from pokerlab import store
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.percentiles import percentiles
from pokerlab.abstraction.exchange_buckets import DiscardOption, ExchangeBuckets
from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.settings import declared, whole

GREAT = 8
BOLD = (1, 2, 3)  # numbers of cards for which the discard with the best chance of a great hand is an option too


@declared("by-draws")
def exchange(
    name: str,
    *,
    before: Annotated[int, whole(1, 200_000)] = 500,
    after: Annotated[int, whole(1, 10_000)] = 300,
    seed: Annotated[int, whole(0)] = 0,
) -> Callable[[ExchangeCards], ExchangeBuckets]:
    """Hands by the prospects of each discard, suits included; discards by their purpose."""

    def make(cards: ExchangeCards) -> ExchangeBuckets:
        key = blake2b(f"{cards.deck.ranks} {cards.deck.suits} {cards.held} {cards.most} {cards.showdown}".encode())
        saved = store.computed(
            f"exchange-{before}-{after}-{seed}-{key.hexdigest()[:12]}",
            lambda: _tables(cards, before=before, after=after, seed=seed),
            kind="buckets of an exchange",
            edition=1,
            notice="computing buckets of draw poker, once: about ten seconds",
        )
        options = discard_options(cards)
        memory = np.tile(
            np.array([option.cards for option in options], np.int32), (saved.arrays["before"].max() + 1, 1)
        )
        before_draw, masks, after_draw = (saved.arrays[table] for table in ("before", "masks", "after"))
        return ExchangeBuckets(cards, name, options, before_draw, masks, after_draw, memory)

    return make


def discard_options(cards: ExchangeCards) -> tuple[DiscardOption, ...]:
    """The discard options: the best of each number of cards, and the boldest of some."""
    options = []
    for count in range(cards.most + 1):
        options.append(DiscardOption(f"d{count}", count))
        if _has_bold(cards, count):
            options.append(DiscardOption(f"d{count}+", count))
    return tuple(options)


def _has_bold(cards: ExchangeCards, count: int) -> bool:
    return count in BOLD and comb(cards.held, count) > 1


class _Prospects(NamedTuple):
    """What does not depend on the number of buckets."""

    values: np.ndarray  # [hand] the share of opponents that a hand beats after the draw
    features: np.ndarray  # [class, option] the mean values of what remains
    masks: np.ndarray  # [hand, option] uint8: the cards discarded


def _tables(cards: ExchangeCards, *, before: int, after: int, seed: int) -> dict[str, np.ndarray]:
    """Buckets before, masks and classes after the draw, for every hand."""
    values, features, masks = _prospects(cards)
    weights = np.bincount(cards.canonical, minlength=len(features)).astype(float)
    clusters = k_means(features.astype(np.float32), weights, before, settings=KMeansSettings(seed=seed))
    return {
        "before": clusters.labels.astype(np.int32)[cards.canonical],
        "masks": masks,
        "after": percentiles(values, None, after).labels.astype(np.int32),
    }


@lru_cache(maxsize=1)
def _prospects(cards: ExchangeCards) -> _Prospects:
    """The prospects of every hand, in memory for other numbers of buckets."""
    values = _drawn_shares(cards)
    hands = cards.canonical_hands
    means = cards.draw_means(np.stack([values, values**GREAT], axis=1), hands)  # [class, mask, kind]
    thrown, features = _thrown(cards, means)
    return _Prospects(values, features, renamed(cards, hands, thrown))


def _shares_beaten(cards: ExchangeCards, weights: np.ndarray) -> np.ndarray:
    """The weighted share of hands that each hand beats; ties count half.  # [hand] -> [hand]"""
    by_strength = np.bincount(cards.strength, weights=weights)
    weaker = by_strength.sum() - np.cumsum(by_strength)  # a smaller number is stronger
    return np.asarray(((weaker + by_strength / 2) / by_strength.sum())[cards.strength])


def _drawn_shares(cards: ExchangeCards) -> np.ndarray:
    """The share of opponents that each hand beats after the draw, if all discard optimally.  # [hand]

    The best discards have the largest mean share of all hands beaten; card removal between the players is ignored.
    """
    hands = cards.canonical_hands
    means = cards.draw_means(_shares_beaten(cards, np.ones(cards.hands))[:, None], hands)[:, :, 0]
    allowed = np.array([mask.bit_count() <= cards.most for mask in range(means.shape[1])])
    best = np.where(allowed, means, -1.0).argmax(axis=1)
    counts = np.bincount(cards.canonical, minlength=len(hands)).astype(float)
    return _shares_beaten(cards, cards.likelihoods(hands, best, counts))


def _thrown(cards: ExchangeCards, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cards each option discards, and the resulting values.  # [class, option] uint8, [class, option]"""
    counts = np.array([mask.bit_count() for mask in range(means.shape[1])])
    thrown, features = [], []
    for count in range(cards.most + 1):
        own = np.flatnonzero(counts == count)
        best = own[np.argmax(means[:, own, 0], axis=1)]
        kinds = [(best, 0)]
        if _has_bold(cards, count):
            great = np.where(own == best[:, None], -1.0, means[:, own, 1])
            kinds.append((own[np.argmax(great, axis=1)], 1))
        for chosen, kind in kinds:
            thrown.append(chosen)
            features.append(np.take_along_axis(means[:, :, kind], chosen[:, None], axis=1)[:, 0])
    return np.stack(thrown, axis=1).astype(np.uint8), np.stack(features, axis=1)


def renamed(cards: ExchangeCards, hands: np.ndarray, thrown: np.ndarray) -> np.ndarray:
    """Expand the masks of one hand per class to every hand.  # [class, card], [class, option] -> [hand, option] uint8

    A hand and the hand of its class are suit-isomorphic. Suits are matched by their ranks in the hand: suits with equal
    ranks are interchangeable.
    """
    suits = len(cards.deck.suits)
    own, other = (_suit_order(held, suits) for held in (cards.every, hands))  # [hand, suit]
    class_order = np.argsort(other[cards.canonical], axis=1, kind="stable")  # suits of the class, in its order
    own_order = np.argsort(own, axis=1, kind="stable")
    to = np.empty_like(own_order)
    np.put_along_axis(to, own_order, class_order, axis=1)  # [hand, suit]: the matching suit of the class
    ranks, named = cards.every // suits, cards.every % suits
    there = ranks.astype(np.int64) * suits + np.take_along_axis(to, named.astype(np.int64), axis=1)  # [hand, place]
    positions = np.argsort(np.argsort(there, axis=1), axis=1).astype(np.uint8)  # in the hand of the class
    masks = np.zeros((cards.hands, thrown.shape[1]), np.uint8)
    for card in range(cards.held):
        masks |= ((thrown[cards.canonical] >> positions[:, card : card + 1]) & 1) << np.uint8(card)
    return masks


def _suit_order(held: np.ndarray, suits: int) -> np.ndarray:
    """The ranks of each suit as a bit set, by which suits are ordered.  # [hand, position] -> [hand, suit]"""
    bits = np.int64(1) << (held // suits).astype(np.int64)
    return np.stack([np.where(held % suits == suit, bits, 0).sum(axis=1) for suit in range(suits)], axis=1)
