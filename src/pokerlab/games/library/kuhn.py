"""Kuhn poker: one card each, one bet, for two to four players."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cards.card import Deck
from pokerlab.games.library._presets import preset
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import whole


@preset("kuhn")
def game(*, players: Annotated[int, whole(2, 4)] = 2) -> Rules:
    """One card more than players (J, Q, K for two), ante 1, one bet of 1 (Kuhn 1950; more players: Abou Risk and
    Szafron 2010)."""
    return Rules(
        players=players,
        deck=Deck.of("TJQKA"[1:4] if players == 2 else "TJQKA"[4 - players :]),
        rounds=(Round(private=1, bet=1, raises=1),),
        limit="fixed",
        antes=(1,) * players,
        odd_chips="split",
    )
