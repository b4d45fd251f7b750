"""Limit hold'em before the flop: fixed-limit betting in the first round only, then the board without betting."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.games.library._presets import Blinds, Players, first_after_blinds, preset, rolled_out, seated_blinds
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import or_none, per_seat, whole, whole_numbers


@preset("preflop-limit")
def game(
    *,
    players: Players = 2,
    blinds: Blinds = (5, 10),
    bet: Annotated[int | None, or_none(whole(1))] = None,
    raises: Annotated[int, whole(0, 100)] = 3,
    stack: Annotated[Any, or_none(whole_numbers(1))] = None,
) -> Rules:
    """Blinds of 5 and 10, bets of the big blind (or `bet`), at most `raises` of them in addition to the blind. If
    nobody folds, flop, turn and river are dealt without betting and the best hand wins."""
    posted = seated_blinds(blinds, players, needed=True)
    first = Round(private=2, bet=bet or max(posted), raises=raises, first=first_after_blinds(posted))
    return Rules(
        players=players,
        rounds=rolled_out(first),
        limit="fixed",
        blinds=posted,
        stacks=None if stack is None else per_seat("stack", stack, players),
        odd_chips="split",
        reopens_at=0.5,  # in limit poker an all-in of half a bet or more counts as a bet
    )
