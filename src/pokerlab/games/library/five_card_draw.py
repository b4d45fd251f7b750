"""Five-card draw: five cards each, a round of betting, an exchange of up to five cards, a second round."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.games.library._presets import Stack, preset, with_menus
from pokerlab.games.poker.rules import Limit, Round, Rules
from pokerlab.settings import per_seat, whole, whole_numbers


@preset("five-card-draw")
def game(
    *,
    players: Annotated[int, whole(2, 6)] = 2,
    blinds: Annotated[tuple[int, ...], whole_numbers(count=2, each="blind")] = (1, 2),
    stack: Stack = 40,
    discards: Annotated[int, whole(0, 5)] = 5,
    limit: Limit = "no",
    menu: Any = "",
) -> Rules:
    """Two to six players with blinds of 1 and 2 and stacks of 40. The small blind is seat 0 and acts first in both
    rounds; a raise is to at least double the largest bet (Ee, "Approximating Optimal Strategies for Five-Card Draw
    Poker", section 3.1).

    `menu` lists the allowed bets, for both rounds ("50%,100%,allin") or one per round; "min" is Ee's game, in which
    every raise is the minimum raise.
    """
    least = max(*blinds, 1)
    return Rules(
        players=players,
        rounds=with_menus((Round(private=5, bet=least), Round(draw=discards, bet=least)), menu),
        limit=limit,
        blinds=blinds + (0,) * (players - 2),
        stacks=per_seat("stack", stack, players),
        least_raise="double",
    )
