"""Hands by what each exchange leads to: suits count, and an exchange is told by what it is good for.

A hand is worth the share of opponents that it beats after the exchange, where these exchange for the best. Ways are
exchanges that every hand has: "d3" throws three cards away, those whose going leaves the highest mean worth, so that a
pair is kept; "d3+" those that leave the best chance of a great hand (the mean of the worth to the power of GREAT), so
that three to a flush are, or the next best where both are the same. Hands before the exchange are clustered by these
means, one of each kind for each number of cards; hands after it by their worth. After the exchange a player remembers
how many cards were exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from math import comb
from typing import Annotated

import numpy as np

from pokerlab import store
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.percentiles import percentiles
from pokerlab.abstraction.exchange_buckets import DiscardOption, ExchangeBuckets
from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.abstraction.features.exchange import drawn_shares
from pokerlab.settings import declared, whole

GREAT = 8
_EDITION = 1
BOLD = (1, 2, 3)  # numbers of cards of which the exchange with the best chance of a great hand is a option too


@declared("by-draws")
def exchange(
    name: str,
    *,
    before: Annotated[int, whole(1, 200_000)] = 500,
    after: Annotated[int, whole(1, 10_000)] = 300,
    seed: Annotated[int, whole(0)] = 0,
) -> Callable[[ExchangeCards], ExchangeBuckets]:
    """Hands by what each exchange leads to, suits included; exchanges by what they are good for."""

    def made(cards: ExchangeCards) -> ExchangeBuckets:
        key = blake2b(f"{cards.deck.ranks} {cards.deck.suits} {cards.held} {cards.most} {cards.showdown}".encode())
        kept = store.computed(
            f"exchange-{before}-{after}-{seed}-{key.hexdigest()[:12]}",
            lambda: _tables(cards, before=before, after=after, seed=seed),
            kind="buckets of an exchange",
            edition=_EDITION,
            told="buckets of draw poker are worked out, once: some ten seconds",
        )
        arrays = kept.arrays
        options, count = discard_options(cards), int(arrays["before"].max()) + 1
        memory = np.broadcast_to(np.array([option.cards for option in options], np.int32), (count, len(options)))
        return ExchangeBuckets(
            cards,
            name,
            options,
            arrays["before"],
            arrays["masks"],
            arrays["after"],
            np.ascontiguousarray(memory),
        )

    return made


def discard_options(cards: ExchangeCards) -> tuple[DiscardOption, ...]:
    """The options to exchange: the best of each number of cards, and the boldest of some."""
    found = []
    for count in range(cards.most + 1):
        found.append(DiscardOption(f"d{count}", count))
        if _has_bold(cards, count):
            found.append(DiscardOption(f"d{count}+", count))
    return tuple(found)


def _has_bold(cards: ExchangeCards, count: int) -> bool:
    return count in BOLD and comb(cards.held, count) > 1


def _tables(cards: ExchangeCards, *, before: int, after: int, seed: int) -> dict[str, np.ndarray]:
    """Buckets before, masks and classes after, of every hand."""
    worth = drawn_shares(cards)
    hands = cards.canonical_hands
    means = cards.draw_means(np.stack([worth, worth**GREAT], axis=1), hands)  # [class, mask, kind]
    thrown, features = _thrown(cards, means)
    numbers = np.bincount(cards.canonical, minlength=len(hands)).astype(float)
    found = k_means(features.astype(np.float32), numbers, before, settings=KMeansSettings(seed=seed)).labels
    classes = percentiles(worth, None, after).labels
    assert found is not None
    assert classes is not None
    return {
        "before": found.astype(np.int32)[cards.canonical],
        "masks": renamed(cards, hands, thrown),
        "after": classes.astype(np.int32),
    }


def _thrown(cards: ExchangeCards, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each hand throws away by each option, and what that leads to.  # [class, option] uint8, [class, option]"""
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
    """Masks of one hand of each class as those of every hand.  # [class, card], [class, option] -> [hand, option] uint8

    A hand and that of its class have the same cards but for the names of suits. The names are matched by the ranks that
    suits have: equal ones may stand for each other.
    """
    suits = len(cards.deck.suits)
    own, other = (_suit_order(held, suits) for held in (cards.every, hands))  # [hand, suit]
    place = np.argsort(other[cards.canonical], axis=1, kind="stable")  # suits of the class, in its order
    mine = np.argsort(own, axis=1, kind="stable")
    to = np.empty_like(mine)
    np.put_along_axis(to, mine, place, axis=1)  # [hand, suit]: the suit of the class that stands for it
    ranks, named = cards.every // suits, cards.every % suits
    there = ranks.astype(np.int64) * suits + np.take_along_axis(to, named.astype(np.int64), axis=1)  # [hand, place]
    stands = np.argsort(np.argsort(there, axis=1), axis=1)  # the place of each card in the hand of the class
    found = np.zeros((cards.hands, thrown.shape[1]), np.uint8)
    masks = thrown[cards.canonical]
    for card in range(cards.held):
        found |= ((masks >> stands[:, card : card + 1].astype(np.uint8)) & 1) << np.uint8(card)
    return found


def _suit_order(held: np.ndarray, suits: int) -> np.ndarray:
    """The ranks of each suit as a set of bits, by which suits are ordered.  # [hand, place] -> [hand, suit]"""
    bits = np.int64(1) << (held // suits).astype(np.int64)
    return np.stack([np.where(held % suits == suit, bits, 0).sum(axis=1) for suit in range(suits)], axis=1)
