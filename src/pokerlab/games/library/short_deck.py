"""Short-deck hold'em: no card below a six, a flush beats a full house, antes and a blind on the button."""

from __future__ import annotations

from typing import Any

from pokerlab.cards.card import SHORT_DECK
from pokerlab.games.library._holdem import checked_players, holdem_rounds
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules, named, whole, whole_numbers


def game(*, players: int = 2, ante: int = 1, blind: int = 1, stack: Any = 100) -> PokerGame:
    """No limit. Everybody antes, the button posts a blind besides, and the seat left of the button acts first."""
    seats = checked_players(players)
    least = max(whole("blind", blind, 0), whole("ante", ante, 0), 1)
    rules = Rules(
        players=seats,
        deck=SHORT_DECK,
        rounds=holdem_rounds((least,) * 4, first=0, raises=(None,) * 4),
        limit="no",
        antes=(ante,) * seats,
        blinds=(0,) * (seats - 1) + (blind,),
        stacks=whole_numbers("stack", stack, seats, least=1),
        showdown="short_deck",
    )
    name = named(
        "short-deck",
        players=(players, 2),
        ante=(ante, 1),
        blind=(blind, 1),
        stack=(stack if isinstance(stack, (int, str)) else tuple(stack), 100),
    )
    return PokerGame(rules, name)
