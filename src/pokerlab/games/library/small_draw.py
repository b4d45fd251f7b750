"""A draw game small enough to solve exactly: few cards, one exchange, fixed bets."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cards.card import RANKS, SUITS, Deck
from pokerlab.games.library._presets import preset
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import whole


@preset("small-draw")
def game(
    *,
    ranks: Annotated[int, whole(2, 13)] = 3,
    suits: Annotated[int, whole(1, 4)] = 3,
    cards: Annotated[int, whole(1, 3)] = 3,
    discards: Annotated[int, whole(0, 3)] = 1,
    raises: Annotated[int, whole(0, 4)] = 1,
) -> Rules:
    """Two players post an ante of 1 and get `cards` each from the highest `ranks` of as many `suits`; they bet 2,
    exchange up to `discards` cards, and bet 4. Three cards rank as in Rhode Island hold'em."""
    return Rules(
        players=2,
        rounds=(Round(private=cards, bet=2, raises=raises), Round(draw=min(discards, cards), bet=4, raises=raises)),
        deck=Deck.of(RANKS[-ranks:], SUITS[-suits:]),
        limit="fixed",
        antes=(1, 1),
        showdown="three_card" if cards == 3 else "high",
    )
