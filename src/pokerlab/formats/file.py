"""A game from a file: Gambit's .efg and .nfg, payoff tables in .csv and .json, poker in .game (ACPC) and .toml."""

from __future__ import annotations

from pokerlab.formats.opening import open_file
from pokerlab.games.game import Game


def game(*, path: str) -> Game:
    """The game that the file at this path describes."""
    return open_file(path)
