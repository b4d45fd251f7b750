"""Flop poker: two cards each, Player may bet, Dealer may call, then a flop of three cards and the showdown."""

from __future__ import annotations

from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules, named, whole


def game(*, ante: int = 1, bet: int = 2) -> PokerGame:
    """Goykhman's simplified hold'em. Seat 0 is Player, seat 1 Dealer; there is one bet, and none after the flop."""
    rules = Rules(
        players=2,
        rounds=(Round(private=2, bet=bet, raises=1, bettors=(0,)), Round(public=3, betting=False)),
        limit="fixed",
        antes=(whole("ante", ante, 1),) * 2,
        odd_chips="split",
    )
    return PokerGame(rules, named("flop-poker", ante=(ante, 1), bet=(bet, 2)))
