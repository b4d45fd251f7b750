"""Leduc hold'em: one private card each and one public card, two rounds of limit betting."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cards.card import RANKS, Deck
from pokerlab.games.library._presets import preset
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import whole, whole_numbers


@preset("leduc")
def game(
    *,
    players: Annotated[int, whole(2, 10)] = 2,
    ranks: Annotated[int, whole(1, 100)] = 3,
    suits: Annotated[int, whole(1, 26)] = 2,
    raises: Annotated[int, whole(0)] = 2,
    ante: Annotated[int, whole(0)] = 1,
    bets: Annotated[tuple[int, ...], whole_numbers(1, count=2, each="round")] = (2, 4),
) -> Rules:
    """Six cards (J, Q, K in suits a, b), ante 1, bets of 2 then 4, two raises per round; a pair beats a high card."""
    words = RANKS[12 - ranks : 12] if ranks <= 12 else [str(number + 1) for number in range(ranks)]
    return Rules(
        players=players,
        deck=Deck.of(words, "abcdefghijklmnopqrstuvwxyz"[:suits]),
        rounds=(Round(private=1, bet=bets[0], raises=raises), Round(public=1, bet=bets[1], raises=raises)),
        limit="fixed",
        antes=(ante,) * players,
        odd_chips="split",
    )
