"""Small random games with chance, hidden moves and perfect recall, for comparing kernels with their plain twins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from hypothesis import strategies

from pokerlab.games.game import CHANCE, TERMINAL


@dataclass(frozen=True)
class Level:
    """Who moves at a depth of the tree, among how many moves, and who sees the move."""

    actor: int
    moves: int
    seen_by: tuple[bool, ...]


@dataclass(frozen=True)
class RandomGame:
    """Levels of moves, then random payoffs; a mover always sees his own move, so recall is perfect."""

    players: int
    levels: tuple[Level, ...]
    seed: int
    zero_sum: bool
    whole: bool = False  # payoffs are whole numbers: ties happen, and rounding then decides regret matching

    @property
    def name(self) -> str:
        return f"random(seed={self.seed})"

    def _numbers(self, state: tuple[int, ...]) -> np.random.Generator:
        return np.random.default_rng([self.seed, len(state), *state])

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return TERMINAL if len(state) == len(self.levels) else self.levels[len(state)].actor

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return list(range(self.levels[len(state)].moves))

    def outcomes(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        weights = self._numbers(state).random(self.levels[len(state)].moves) + 0.1
        return list(enumerate((weights / weights.sum()).tolist()))

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def returns(self, state: tuple[int, ...]) -> list[float]:
        return list(_payoffs(self, state))

    def infoset(self, state: tuple[int, ...], player: int) -> str:
        seen = [
            str(move) if level.seen_by[player] or level.actor == player else "?"
            for move, level in zip(state, self.levels, strict=False)
        ]
        return f"{player}:" + "".join(seen)

    def view(self, state: tuple[int, ...], player: int) -> str:
        return self.infoset(state, player)


@lru_cache(maxsize=20_000)
def _payoffs(game: RandomGame, state: tuple[int, ...]) -> tuple[float, ...]:
    numbers = game._numbers(state)
    payoffs = numbers.integers(-3, 4, game.players) * 1.0 if game.whole else numbers.normal(0, 2, game.players)
    if game.zero_sum:
        payoffs[-1] = -payoffs[:-1].sum()
    return tuple(payoffs.tolist())


@strategies.composite
def random_games(
    draw: strategies.DrawFn, *, players: int | None = None, zero_sum: bool = False, whole: bool = False
) -> RandomGame:
    """Games of two to three players and up to five levels."""
    count = players or draw(strategies.integers(2, 3))
    levels = draw(
        strategies.lists(
            strategies.builds(
                Level,
                strategies.integers(CHANCE, count - 1),
                strategies.integers(1, 3),
                strategies.tuples(*[strategies.booleans()] * count),
            ),
            min_size=1,
            max_size=5,
        )
    )
    return RandomGame(count, tuple(levels), draw(strategies.integers(0, 10_000)), zero_sum, whole)
