"""Five-card draw: five cards each, a round of betting, an exchange of up to five cards, a second round."""

from __future__ import annotations

from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.games.library._holdem import checked_players
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules, named, whole, whole_numbers


def game(*, players: int = 2, blinds: Any = (1, 2), stack: Any = 40, discards: int = 5, limit: str = "no") -> PokerGame:
    """Two to six players with blinds of 1 and 2 and stacks of 40. The small blind is seat 0 and acts first in both
    rounds; a raise is to at least double the largest bet (Ee, "Approximating Optimal Strategies for Five-Card Draw
    Poker", section 3.1)."""
    seats = checked_players(players, 6)
    if not isinstance(blinds, (tuple, list)) or len(blinds) != 2:
        raise BadSetting(f"blinds are the small and the big one, as in blinds=(1, 2); got {str(blinds)[:40]!r}")
    small, big = whole_numbers("blinds", blinds, 2)
    least = max(small, big, 1)
    rules = Rules(
        players=seats,
        rounds=(
            Round(private=5, bet=least),
            Round(draw=whole("discards", discards, 0, 5), bet=least),
        ),
        limit=limit,
        blinds=(small, big) + (0,) * (seats - 2),
        stacks=whole_numbers("stack", stack, seats, least=1),
        least_raise="double",
    )
    name = named(
        "five-card-draw",
        players=(players, 2),
        blinds=((small, big), (1, 2)),
        stack=(stack if isinstance(stack, (int, str)) else tuple(stack), 40),
        discards=(discards, 5),
        limit=(limit, "no"),
    )
    return PokerGame(rules, name)
