"""The cards of a game with one draw: its hands by index (cards/hand_numbers.py), their strengths and categories."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.hand_numbers import HandNumbers
from pokerlab.cards.strength import Ranking, ranking
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import is_looked_up, strength_of

MOST_HANDS = 5_000_000
QUEEN = 10  # high cards below a queen form one class of made hands


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
            raise BadSetting(f"{game.name} is not a game of two rounds with one draw between them")
        cards = _shared(rules.deck, first.private, min(later[0].draw, first.private), rules.showdown)
        if game.players * (cards.held + cards.most) > rules.deck.size:
            raise BadSetting(f"with {game.players} players the deck of {game.name} may run out in the exchange")
        if cards.hands > MOST_HANDS:
            raise BadSetting(f"{game.name} has {cards.hands:,} hands, more than the limit of {MOST_HANDS:,}")
        return cards

    @cached_property
    def strength(self) -> np.ndarray:
        """The strength of each hand; smaller is stronger.  # [hand] int32"""
        if self.deck == FULL_DECK and is_looked_up(self.showdown, self.deck, self.held):
            return ranking(self.showdown).strengths(self.every, check=False).astype(np.int32)
        strength = strength_of(self.showdown, self.deck, self.held)
        strengths = [strength(tuple(hand)) for hand in self.every.tolist()]
        return np.unique(strengths, return_inverse=True)[1].astype(np.int32)


@cache
def _shared(deck: Deck, held: int, most: int, showdown: str) -> ExchangeCards:
    """The same cards for all buckets of a game: their tables are computed once."""
    return ExchangeCards(deck, held, most, showdown)


def masks(held: int, most: int) -> tuple[int, ...]:
    """Every set of up to `most` cards, fewest first and then by positions: Ee's numbers 0 to 31 of discards.

    >>> masks(5, 5)[:4], masks(5, 5)[15] == 0b11000, masks(5, 5)[31]
    ((0, 1, 2, 4), True, 31)
    """
    return tuple(
        sum(1 << place for place in chosen) for count in range(most + 1) for chosen in combinations(range(held), count)
    )


class MadeHands(NamedTuple):
    """Every hand in the classes that players speak of: a flush, a pair of aces, king high."""

    names: tuple[str, ...]  # [class] the strongest first
    of: np.ndarray  # [hand] int64: class


def made_hands(cards: ExchangeCards) -> MadeHands | None:
    """The classes of the hands of a game; None unless these are whole hands of the full deck."""
    tables = ranking(cards.showdown)
    if cards.deck != FULL_DECK or tables.order.lowest_rank or cards.held != tables.order.hand_size:
        return None
    named = [_class_of(tables, strength) for strength in range(1, tables.class_count + 1)]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(named))}
    by_strength = np.array([0, *(numbers[name] for name in named)])
    return MadeHands(tuple(numbers), by_strength[cards.strength])


def _class_of(tables: Ranking, strength: int) -> str:
    """The name of the hands of a strength: pairs by their rank, high cards by the highest, others by category."""
    category = tables.category(strength)
    if category == "high card" and tables.members[strength][0] < QUEEN:
        return "jack high or less"
    return tables.name(strength).removeprefix("a ") if category in ("pair", "high card") else category
