"""No-limit Texas hold'em, heads-up with reverse blinds or ring; the competition's sizes unless told."""

from __future__ import annotations

from typing import Any

from pokerlab.games.library._holdem import checked_players, first_after_blinds, holdem_rounds, seated_blinds
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules, named, whole, whole_numbers


def game(
    *, players: int = 2, stack: Any = 20000, blinds: Any = (50, 100), ante: int = 0, limit: str = "no"
) -> PokerGame:
    """Stacks of 20,000 and blinds of 50 and 100; `stack` may be one number per seat, `limit` also "pot"."""
    seats = checked_players(players)
    posted = seated_blinds(blinds, seats)
    stacks = whole_numbers("stack", stack, seats, least=1)
    least = max(*posted, 1)
    rules = Rules(
        players=seats,
        rounds=holdem_rounds((least,) * 4, first=first_after_blinds(posted), raises=(None,) * 4),
        limit=limit,
        antes=(whole("ante", ante, 0),) * seats,
        blinds=posted,
        stacks=stacks,
    )
    told = {
        "players": (players, 2),
        "stack": (stack if isinstance(stack, (int, str)) else tuple(stack), 20000),
        "blinds": (blinds if isinstance(blinds, str) else tuple(blinds), (50, 100)),
        "ante": (ante, 0),
        "limit": (limit, "no"),
    }
    return PokerGame(rules, named("holdem-nolimit", **told))
