"""Limit Texas hold'em, heads-up with reverse blinds or ring; default: the ACPC stakes."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.games.library._presets import Blinds, Players, first_after_blinds, holdem_rounds, preset, seated_blinds
from pokerlab.games.poker.rules import Rules
from pokerlab.settings import or_none, per_seat, whole_numbers


@preset("holdem-limit")
def game(
    *,
    players: Players = 2,
    blinds: Blinds = (5, 10),
    bets: Annotated[Any, whole_numbers(1, count=4, each="round")] = (10, 10, 20, 20),
    raises: Annotated[Any, whole_numbers(count=4, each="round")] = (3, 4, 4, 4),
    stack: Annotated[Any, or_none(whole_numbers(1))] = None,
) -> Rules:
    """Blinds of 5 and 10, bets of 10, 10, 20 and 20, at most four bets per round (before the flop the blind is the
    first), and enough chips for all of them; with `stack` players can run out."""
    posted = seated_blinds(blinds, players, needed=True)
    return Rules(
        players=players,
        rounds=holdem_rounds(bets, first=first_after_blinds(posted), raises=raises),
        limit="fixed",
        blinds=posted,
        stacks=None if stack is None else per_seat("stack", stack, players),
        reopens_at=0.5,  # in limit poker an all-in of half a bet or more counts as a bet
    )
