"""A game with buckets: what the bucketed form is built from."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.exchange_buckets import ExchangeBuckets
from pokerlab.games.poker.engine import PokerGame


@dataclass(frozen=True)
class BoardSample:
    """The boards that are dealt in games of which not every deal can be counted (tree/bucketed/pairs.py)."""

    boards: int = 10_000
    seed: int = 0


SAMPLE = BoardSample()


@dataclass(frozen=True, eq=False)
class Abstracted:
    """A poker game in which hands of one bucket are treated as one."""

    game: PokerGame
    buckets: Buckets | ExchangeBuckets
    sample: BoardSample = SAMPLE

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def players(self) -> int:
        """The number of players."""
        return self.game.players
