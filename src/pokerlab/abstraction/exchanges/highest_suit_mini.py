"""Ee's "Highest Suit Mini": the ranks of a hand, and which cards share a suit if all or all but one do.

Like no_suits.py, but the cards of a suit that a hand has four or five of are marked: "10111|35789". Of two cards of one
rank the marked one counts as the higher, so that suit-isomorphic hands are in one class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pokerlab.abstraction.exchange_buckets import ExchangeBuckets
from pokerlab.abstraction.exchange_cards import ExchangeCards, masks
from pokerlab.abstraction.exchanges.no_suits import by_place, ranks_text


def exchange() -> Callable[[ExchangeCards], ExchangeBuckets]:
    """Hands by ranks, with the cards marked whose suit the hand has four or five of (Ee's second abstraction)."""
    return _make


def _make(cards: ExchangeCards) -> ExchangeBuckets:
    suits = len(cards.deck.suits)
    ranks, own = cards.every // suits, cards.every % suits
    marked = np.zeros(own.shape, bool)
    for suit in range(suits):
        of_suit = own == suit
        marked |= of_suit & (np.count_nonzero(of_suit, axis=1) >= cards.held - 1)[:, None]
    key = 2 * ranks + marked
    order = np.argsort(key, axis=1, kind="stable")  # [hand, position]: the card at each position
    key = np.take_along_axis(key, order, axis=1)
    places = (2 * len(cards.deck.ranks)) ** np.arange(cards.held - 1, -1, -1)
    orders = order @ cards.held ** np.arange(cards.held)  # few of all numbers, since only cards of a rank change places
    found, examples = np.unique(orders, return_index=True)
    thrown = np.zeros((found[-1] + 1, 1 << cards.held), np.uint8)
    for number, example in zip(found.tolist(), order[examples].tolist(), strict=True):
        thrown[number] = [
            sum(1 << card for place, card in enumerate(example) if mask >> place & 1) for mask in range(1 << cards.held)
        ]
    thrown = thrown[:, masks(cards.held, cards.most)][orders]
    return by_place(cards, "highest-suit-mini", key @ places, thrown, written=marked_text)


def marked_text(cards: ExchangeCards, hand: Sequence[int]) -> str:
    """The marks of the suit that the hand has enough of, then its ranks, lowest first: "10111|35789"."""
    suits = len(cards.deck.suits)
    own = [card % suits for card in hand]
    many = max(range(suits), key=own.count)
    if own.count(many) < cards.held - 1:
        return ranks_text(cards, hand)
    ordered = sorted(hand, key=lambda card: (card // suits, card % suits == many))
    return "".join("01"[card % suits == many] for card in ordered) + "|" + ranks_text(cards, ordered)
