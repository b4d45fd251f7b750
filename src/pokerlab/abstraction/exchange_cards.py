"""The cards of a game with one draw: its hands by index (cards/hand_numbers.py), and their strengths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.hand_numbers import HandNumbers
from pokerlab.cards.strength import tables_of
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import is_looked_up, showdown

MOST_HANDS = 5_000_000


@dataclass(frozen=True)
class ExchangeCards(HandNumbers):
    """What a seat is dealt, and how many cards it may discard.

    >>> from pokerlab.registry import load
    >>> cards = ExchangeCards.of(load("games", "five-card-draw"))
    >>> cards.held, cards.most, cards.hands
    (5, 5, 2598960)
    """

    most: int  # cards that may be discarded
    showdown: str = "high"

    @staticmethod
    def of(game: PokerGame) -> ExchangeCards:
        """The cards of a game; BadSetting, with the reason, if they are dealt differently."""
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

    @cached_property
    def strength(self) -> np.ndarray:
        """The strength of each hand; smaller is stronger.  # [hand] int32"""
        shown = showdown(self.showdown)
        if self.deck == FULL_DECK and is_looked_up(self.showdown, self.deck, self.held):
            return tables_of(shown.order).strengths(self.every, check=False).astype(np.int32)
        strength = shown.strength(self.deck, self.held)
        found = [strength(tuple(hand)) for hand in self.every.tolist()]
        return np.unique(found, return_inverse=True)[1].astype(np.int32)


def masks(held: int, most: int) -> tuple[int, ...]:
    """Every set of up to `most` cards, fewest first and then by positions: Ee's numbers 0 to 31 of discards.

    >>> masks(5, 5)[:4], masks(5, 5)[15] == 0b11000, masks(5, 5)[31]
    ((0, 1, 2, 4), True, 31)
    """
    from itertools import combinations

    return tuple(
        sum(1 << place for place in chosen) for count in range(most + 1) for chosen in combinations(range(held), count)
    )
