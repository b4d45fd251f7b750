"""No-limit hold'em before the flop: a menu of raises in the first round only, then the board without betting."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pokerlab.games.library._presets import (
    Ante,
    Blinds,
    Players,
    Stack,
    first_after_blinds,
    preset,
    rolled_out,
    seated_blinds,
)
from pokerlab.games.poker.menu import menus_from
from pokerlab.games.poker.rules import Limit, Round, Rules
from pokerlab.settings import or_none, per_seat, whole


@preset("preflop-nolimit")
def game(
    *,
    players: Players = 2,
    stack: Stack = 2000,
    blinds: Blinds = (50, 100),
    ante: Ante = 0,
    limit: Limit = "no",
    menu: Any = "2.5x,allin",
    raises: Annotated[int | None, or_none(whole(0))] = None,
) -> Rules:
    """Stacks of 2,000 and blinds of 50 and 100; `menu` lists the allowed bets and raises ("2.5x,3x,allin"; "" for every
    legal size), `raises` limits their number. If nobody folds, flop, turn and river are dealt without betting and the
    best hand wins."""
    posted = seated_blinds(blinds, players)
    if isinstance(menu, str) and menu and max(posted):  # a blind is a bet, so there are only raises
        menu = {"bet": "none", "raise": menu}
    first = Round(private=2, bet=max(*posted, 1), raises=raises, first=first_after_blinds(posted))
    return Rules(
        players=players,
        rounds=rolled_out(first if menu in ("", None) else replace(first, menu=menus_from(menu))),
        limit=limit,
        antes=(ante,) * players,
        blinds=posted,
        stacks=per_seat("stack", stack, players),
        odd_chips="split",
    )
