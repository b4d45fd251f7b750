"""Limit Texas hold'em, heads-up with reverse blinds or ring; the competition's sizes unless told."""

from __future__ import annotations

from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.games.library._holdem import checked_players, first_after_blinds, holdem_rounds, seated_blinds
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules, named, whole_numbers


def game(
    *,
    players: int = 2,
    blinds: Any = (5, 10),
    bets: Any = (10, 10, 20, 20),
    raises: Any = (3, 4, 4, 4),
    stack: Any = None,
) -> PokerGame:
    """Blinds of 5 and 10, bets of 10, 10, 20 and 20, at most four bets a round (the blind is the first before the
    flop), and chips for all of them; with `stack` the players can run out."""
    seats = checked_players(players)
    posted = seated_blinds(blinds, seats)
    sizes = whole_numbers("bets", bets, 4, least=1)
    caps = whole_numbers("raises", raises, 4)
    stacks = None if stack is None else whole_numbers("stack", stack, seats, least=1)
    if max(posted) == 0:
        raise BadSetting("limit hold'em is played with blinds; got none")
    rules = Rules(
        players=seats,
        rounds=holdem_rounds(sizes, first=first_after_blinds(posted), raises=caps),
        limit="fixed",
        blinds=posted,
        stacks=stacks,
        reopens_at=0.5,  # in limit poker an all-in of half a bet or more counts as a bet
    )
    told = {
        "players": (players, 2),
        "blinds": (posted, seated_blinds((5, 10), seats)),
        "bets": (sizes, (10, 10, 20, 20)),
        "raises": (caps, (3, 4, 4, 4)),
        "stack": (stacks, None),
    }
    if told["blinds"][0] != told["blinds"][1]:
        told["blinds"] = (tuple(blinds) if not isinstance(blinds, str) else blinds, (5, 10))
    return PokerGame(rules, named("holdem-limit", **told))
