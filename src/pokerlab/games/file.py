"""A game from a file: Gambit's .efg and .nfg, payoff tables in .csv and .json, poker in .game (ACPC) and .toml."""

from __future__ import annotations

from pokerlab.games.game import Game
from pokerlab.games.loading import open_file


def game(*, path: str) -> Game:
    """The game that the file at this path describes."""
    return open_file(path)
