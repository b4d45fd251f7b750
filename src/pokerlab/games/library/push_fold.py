"""Push or fold: before the flop every player goes all-in or folds; stacks in big blinds."""

from __future__ import annotations

import math
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.games.library._holdem import checked_players, first_after_blinds, seated_blinds
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules, named

BIG_BLIND = 100  # chips, so that stacks of hundredths of a big blind are whole numbers


def game(*, stack: Any = 10, players: int = 2, ante: float = 0) -> PokerGame:
    """Blinds of half a big blind and one; a big blind is 100 chips. `stack` is one number or one per seat, and as
    `ante` it may have two decimals."""
    seats = checked_players(players)
    stacks = stack if isinstance(stack, (list, tuple)) else [stack] * seats
    if len(stacks) != seats:
        raise BadSetting(f"stack must be one number or {seats}, one per seat; got {len(stacks)}")
    posted = seated_blinds((BIG_BLIND // 2, BIG_BLIND), seats)
    rules = Rules(
        players=seats,
        rounds=(
            Round(private=2, bet=BIG_BLIND, first=first_after_blinds(posted)),
            Round(public=3, betting=False),
            Round(public=1, betting=False),
            Round(public=1, betting=False),
        ),
        limit="push",
        antes=(_chips("ante", ante, 0),) * seats,
        blinds=posted,
        stacks=tuple(_chips("stack", one, 0.01) for one in stacks),
        odd_chips="split",
    )
    told = tuple(stack) if isinstance(stack, list) else stack
    return PokerGame(rules, named("push-fold", stack=(told, 10), players=(players, 2), ante=(ante, 0)))


def _chips(name: str, big_blinds: Any, least: float) -> int:
    if isinstance(big_blinds, bool) or not isinstance(big_blinds, (int, float)) or not math.isfinite(big_blinds):
        raise BadSetting(f"{name} is a number of big blinds; got {str(big_blinds)[:40]!r}")
    chips = round(big_blinds * BIG_BLIND)
    if not least <= big_blinds <= 1e6 or abs(chips - big_blinds * BIG_BLIND) > 1e-6:
        raise BadSetting(f"{name} must be {least} to a million big blinds, in hundredths; got {big_blinds}")
    return chips
