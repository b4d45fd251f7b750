"""The cards of a game in which they are exchanged once: which hands there are, by number, and what they are worth.

Hands are told apart to the last suit: their cards, lowest first, are numbered by c0 + C(c1, 2) + C(c2, 3) + ..., which
a kernel works out with an addition a card. A set of cards that are thrown away is a mask: bit 0 is the lowest card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.strength import tables_of
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import is_looked_up, showdown

MOST_HANDS = 5_000_000


@dataclass(frozen=True)
class ExchangeCards:
    """What a seat is dealt, and how many of its cards it may exchange.

    >>> from pokerlab.registry import load
    >>> cards = ExchangeCards.of(load("games", "five-card-draw"))
    >>> cards.held, cards.most, cards.hands
    (5, 5, 2598960)
    """

    deck: Deck
    held: int  # cards of a hand
    most: int  # that may be exchanged
    showdown: str = "high"

    @staticmethod
    def of(game: PokerGame) -> ExchangeCards:
        """The cards of a game; BadSetting, with the reason, where they come otherwise."""
        rules = game.rules
        first, *later = rules.rounds
        if len(later) != 1 or not later[0].draw or later[0].public or first.public:
            raise BadSetting(f"{game.name} is no game of two rounds with one exchange of cards between them")
        found = ExchangeCards(rules.deck, first.private, min(later[0].draw, first.private), rules.showdown)
        if game.players * (found.held + found.most) > rules.deck.size:
            raise BadSetting(f"with {game.players} players the deck of {game.name} may run out in the exchange")
        if found.hands > MOST_HANDS:
            raise BadSetting(f"{game.name} has {found.hands:,} hands, and there may be {MOST_HANDS:,}")
        return found

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return comb(self.deck.size, self.held)

    @cached_property
    def choose(self) -> np.ndarray:
        """Binomials: the number of a hand is the sum of those of its cards.  # [card, place] int32"""
        size = self.deck.size
        return np.array([[comb(card, place + 1) for place in range(self.held)] for card in range(size)], np.int32)

    @cached_property
    def every(self) -> np.ndarray:
        """Every hand by its number, lowest card first.  # [hand, place] uint8"""
        left = np.arange(self.hands)
        found = np.zeros((self.hands, self.held), np.uint8)
        for place in range(self.held - 1, -1, -1):
            column = self.choose[:, place]
            found[:, place] = np.searchsorted(column, left, side="right") - 1
            left = left - column[found[:, place]]
        return found

    def number(self, hand: np.ndarray) -> np.ndarray:
        """The number of each hand, cards in any order.  # [n, held] -> [n]"""
        ordered = np.sort(np.asarray(hand, np.int64), axis=1)
        return np.asarray(self.choose[ordered, np.arange(self.held)].sum(axis=1))

    @cached_property
    def strength(self) -> np.ndarray:
        """How strong each hand is, smaller being stronger.  # [hand] int32"""
        shown = showdown(self.showdown)
        if self.deck == FULL_DECK and is_looked_up(self.showdown, self.deck, self.held):
            return tables_of(shown.order).strengths(self.every, check=False).astype(np.int32)  # type: ignore[attr-defined]
        strength = shown.strength(self.deck, self.held)
        found = [strength(tuple(hand)) for hand in self.every.tolist()]
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    @cached_property
    def canonical(self) -> np.ndarray:
        """The number of each hand up to renaming of suits.  # [hand] int32"""
        indexer = HandIndexer((self.held,), len(self.deck.ranks), len(self.deck.suits))
        return indexer.index_batch(self.every).astype(np.int32)

    def __getstate__(self) -> dict[str, object]:
        return {name: vars(self)[name] for name in self.__dataclass_fields__}


def masks(held: int, most: int) -> tuple[int, ...]:
    """Every set of up to `most` cards, fewest first and then by places: Ee's numbers 0 to 31 of discards.

    >>> masks(5, 5)[:4], masks(5, 5)[15] == 0b11000, masks(5, 5)[31]
    ((0, 1, 2, 4), True, 31)
    """
    from itertools import combinations

    return tuple(
        sum(1 << place for place in chosen) for count in range(most + 1) for chosen in combinations(range(held), count)
    )
