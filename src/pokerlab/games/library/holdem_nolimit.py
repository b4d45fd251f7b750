"""No-limit Texas hold'em, heads-up with reverse blinds or ring; default: the ACPC stacks and blinds."""

from __future__ import annotations

from typing import Any

from pokerlab.games.library._presets import (
    Ante,
    Blinds,
    Players,
    Stack,
    first_after_blinds,
    holdem_rounds,
    preset,
    seated_blinds,
    with_menus,
)
from pokerlab.games.poker.rules import Limit, Rules
from pokerlab.settings import per_seat


@preset("holdem-nolimit")
def game(
    *,
    players: Players = 2,
    stack: Stack = 20000,
    blinds: Blinds = (50, 100),
    ante: Ante = 0,
    limit: Limit = "no",
    menu: Any = "",
) -> Rules:
    """Stacks of 20,000 and blinds of 50 and 100; `stack` may be one number per seat, `limit` also "pot".

    `menu` lists the allowed bets, for all rounds ("2.5x,75%,allin") or one per round; default: every legal size.
    """
    posted = seated_blinds(blinds, players)
    least = max(*posted, 1)
    return Rules(
        players=players,
        rounds=with_menus(holdem_rounds((least,) * 4, first=first_after_blinds(posted), raises=(None,) * 4), menu),
        limit=limit,
        antes=(ante,) * players,
        blinds=posted,
        stacks=per_seat("stack", stack, players),
    )
