"""Flop poker: two cards each, Player may bet, Dealer may call, then a flop of three cards and the showdown."""

from __future__ import annotations

from typing import Annotated

from pokerlab.games.library._presets import preset
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import whole


@preset("flop-poker")
def game(*, ante: Annotated[int, whole(1)] = 1, bet: Annotated[int, whole(1)] = 2) -> Rules:
    """Goykhman's simplified hold'em. Seat 0 is Player, seat 1 Dealer; there is one bet, and none after the flop."""
    return Rules(
        players=2,
        rounds=(Round(private=2, bet=bet, raises=1, bettors=(0,)), Round(public=3, betting=False)),
        limit="fixed",
        antes=(ante,) * 2,
        odd_chips="split",
    )
