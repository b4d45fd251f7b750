"""A game described by a file: .efg and .nfg (Gambit), .csv and .json (payoff tables), .game (ACPC), .toml."""

from __future__ import annotations

from pokerlab.games.game import Game
from pokerlab.games.loading import open_file


def game(*, path: str) -> Game:
    """The game that the file at this path describes."""
    return open_file(path)
