"""Von Neumann poker on cards 1 to N: Player may bet or check, Dealer may call or fold, the higher card wins."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cards.card import Deck
from pokerlab.games.library._presets import preset
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import Flag, whole


@preset("von-neumann")
def game(
    *,
    cards: Annotated[int, whole(2, 10_000)] = 100,
    ante: Annotated[int, whole(1)] = 1,
    bet: Annotated[int, whole(1)] = 2,
    replacement: Flag = True,
) -> Rules:
    """Goykhman's discrete game. Seat 0 is Player, seat 1 Dealer. With replacement the two cards are independent, so
    both may be the same and tie; without, they come from one deck."""
    return Rules(
        players=2,
        deck=Deck.of(str(number) for number in range(1, cards + 1)),
        rounds=(Round(private=1, bet=bet, raises=1, bettors=(0,)),),
        limit="fixed",
        antes=(ante,) * 2,
        odd_chips="split",
        replacement=replacement,
    )
