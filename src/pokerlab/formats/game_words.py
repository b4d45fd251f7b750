"""A poker game as plain values, which name no file and run no code: for files of hands, and for the ACPC protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokerlab.formats.gamedef import rules_from
from pokerlab.formats.spot_file import settings_of, spot_from
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot_game import SpotGame


def words_of(game: PokerGame) -> dict[str, Any]:
    """A game as plain values, independent of the file it came from: its rules, or the settings of a spot."""
    words: dict[str, Any] = {"game": game.name, "rules": game.rules.as_dict()}
    return words | ({"spot": settings_of(game.spot)} if isinstance(game, SpotGame) else {})


def game_from(words: Mapping[str, Any]) -> PokerGame:
    """The game described by these values; raises KeyError, TypeError or one of our errors if they describe none."""
    name = str(words["game"])
    if "spot" in words:
        return SpotGame(spot_from(words["spot"]), name)
    return PokerGame(rules_from(words["rules"]), name)
