"""One-card poker: Kuhn poker on a deck of any number of cards."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cards.card import RANKS, Deck
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import declared, whole


def card_words(cards: int) -> list[str]:
    """Names of a deck of one suit: ranks up to the ace while they last, else numbers."""
    return list(RANKS[13 - cards :]) if cards <= 13 else [str(number) for number in range(1, cards + 1)]


@declared("one-card")
def game(
    name: str,
    *,
    cards: Annotated[int, whole(2, 10_000)] = 13,
    ante: Annotated[int, whole(0)] = 1,
    bet: Annotated[int, whole(1)] = 1,
) -> PokerGame:
    """Two players, one card each of `cards` different ones, an ante and one bet."""
    rules = Rules(
        players=2,
        deck=Deck.of(card_words(cards)),
        rounds=(Round(private=1, bet=bet, raises=1),),
        limit="fixed",
        antes=(ante,) * 2,
        odd_chips="split",
    )
    return PokerGame(rules, name)
