"""Short-deck hold'em: no card below a six, a flush beats a full house, antes and a blind on the button."""

from __future__ import annotations

from pokerlab.cards.card import SHORT_DECK
from pokerlab.games.library._presets import Ante, Players, Stack, holdem_rounds, preset
from pokerlab.games.poker.rules import Rules
from pokerlab.settings import per_seat


@preset("short-deck")
def game(*, players: Players = 2, ante: Ante = 1, blind: Ante = 1, stack: Stack = 100) -> Rules:
    """No limit. Everybody antes, the button also posts a blind, and the seat left of the button acts first."""
    return Rules(
        players=players,
        deck=SHORT_DECK,
        rounds=holdem_rounds((max(blind, ante, 1),) * 4, first=0, raises=(None,) * 4),
        limit="no",
        antes=(ante,) * players,
        blinds=(0,) * (players - 1) + (blind,),
        stacks=per_seat("stack", stack, players),
        showdown="short_deck",
    )
