"""Ee's "No Suits": a hand is the ranks of its cards; each of the 32 discards is an action, and remembered.

B. Ee, "Searching for Nash at Monte Carlo: approximating optimal strategies for five-card draw poker" (2024), section
3.2. Discards are numbered by how many cards and then by their positions, lowest card first: where the paper says "15"
for the third and fourth card, it is the fourth and fifth. Of two cards of one rank the lower suit counts as the lower
card. After the draw a player remembers the number of the discard, but not the hand before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pokerlab.abstraction.exchange_buckets import ExchangeBuckets, options_of_masks
from pokerlab.abstraction.exchange_cards import ExchangeCards, masks

DENSE = 20  # possible classes of each hand, up to which they are counted and not sorted


def by_place(
    cards: ExchangeCards,
    method: str,
    classes: np.ndarray,
    thrown: np.ndarray | None = None,
    *,
    written: Callable[[ExchangeCards, Sequence[int]], str],
) -> ExchangeBuckets:
    """Classes of hands with every discard as an action; `thrown` if positions are not those of the sorted cards.

    classes [hand] whole numbers from 0 up, thrown [hand, option] uint8
    """
    every = masks(cards.held, cards.most)
    table = _in_order(classes)
    memory = np.tile(np.arange(len(every), dtype=np.int32), (table.max() + 1, 1))
    discards = np.array([every], np.uint8) if thrown is None else thrown
    return ExchangeBuckets(cards, method, options_of_masks(every), table, discards, table, memory, written)


def _in_order(classes: np.ndarray) -> np.ndarray:
    """The classes numbered from 0 without gaps, in their order.  # [hand] int32

    >>> _in_order(np.array([7, 2, 7, 9])).tolist(), _in_order(np.array([7, 2, 7, 900])).tolist()
    ([1, 0, 1, 2], [1, 0, 1, 2])
    """
    if classes.max() > DENSE * len(classes):
        return np.unique(classes, return_inverse=True)[1].astype(np.int32)
    present = np.zeros(int(classes.max()) + 1, bool)
    present[classes] = True
    return np.asarray(np.cumsum(present, dtype=np.int32)[classes] - 1)


def ranks_text(cards: ExchangeCards, hand: Sequence[int]) -> str:
    """The ranks of a hand, lowest first: "56789"."""
    return "".join(cards.deck.ranks[card // len(cards.deck.suits)] for card in hand)


def exchange() -> Callable[[ExchangeCards], ExchangeBuckets]:
    """Hands by the ranks of their cards; every discard is an action (Ee's first abstraction)."""

    def make(cards: ExchangeCards) -> ExchangeBuckets:
        ranks = cards.every // len(cards.deck.suits)
        places = len(cards.deck.ranks) ** np.arange(cards.held - 1, -1, -1)
        return by_place(cards, "no-suits", ranks.astype(np.int64) @ places, written=ranks_text)

    return make
