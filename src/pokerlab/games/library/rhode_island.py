"""Rhode Island hold'em: one private card each and two public cards, three rounds of limit betting, three-card hands."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cards.card import RANKS, SUITS, Deck
from pokerlab.games.library._presets import preset
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import whole, whole_numbers


@preset("rhode-island")
def game(
    *,
    ranks: Annotated[int, whole(1, 13)] = 13,
    suits: Annotated[int, whole(1, 4)] = 4,
    ante: Annotated[int, whole(0)] = 5,
    bets: Annotated[tuple[int, ...], whole_numbers(1, count=3, each="round")] = (10, 20, 20),
    raises: Annotated[int, whole(0)] = 3,
) -> Rules:
    """Ante 5, bets of 10, 20 and 20, three bets per round (Shi and Littman 2001); smaller decks have the top ranks."""
    return Rules(
        players=2,
        deck=Deck.of(RANKS[13 - ranks :], SUITS[:suits]),
        rounds=(
            Round(private=1, bet=bets[0], raises=raises),
            Round(public=1, bet=bets[1], raises=raises),
            Round(public=1, bet=bets[2], raises=raises),
        ),
        limit="fixed",
        antes=(ante,) * 2,
        showdown="three_card",
        odd_chips="split",
    )
