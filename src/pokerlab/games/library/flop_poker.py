"""Flop poker: two cards each, Player may bet, Dealer may call, then a flop of three cards and the showdown."""

from __future__ import annotations

from typing import Annotated

from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import declared, whole


@declared("flop-poker")
def game(name: str, *, ante: Annotated[int, whole(1)] = 1, bet: Annotated[int, whole(1)] = 2) -> PokerGame:
    """Goykhman's simplified hold'em. Seat 0 is Player, seat 1 Dealer; there is one bet, and none after the flop."""
    rules = Rules(
        players=2,
        rounds=(Round(private=2, bet=bet, raises=1, bettors=(0,)), Round(public=3, betting=False)),
        limit="fixed",
        antes=(ante,) * 2,
        odd_chips="split",
    )
    return PokerGame(rules, name)
