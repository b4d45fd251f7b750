"""How learning moves in a matrix game: the current and the average strategies, iteration by iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.strategic import StrategicGame
from pokerlab.tree.form import build_form

DYNAMICS = ("regret-matching", "regret-matching+", "normal-fictitious-play")
MOST_ITERATIONS = 5_000
MOST_ACTIONS = 6


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The strategies of one player over a run."""

    game: str
    algorithm: str
    actions: tuple[str, ...]
    average: np.ndarray  # [iteration, action]
    current: np.ndarray  # [iteration, action]


def matrix_games(names: list[str]) -> list[str]:
    """Those of some games that are matrix games of two players with few actions."""
    games = {name: open_game(name) for name in names if name in MATRIX_GAMES}
    return [name for name, game in games.items() if isinstance(game, StrategicGame)]


MATRIX_GAMES = (
    "rock-paper-scissors",
    "rps-lizard-spock",
    "matching-pennies",
    "battle-of-the-sexes",
    "prisoners-dilemma",
    "abstraction-pathology",
    "shapley",
)


def trajectory(game: str, algorithm: str, *, iterations: int = 300, player: int = 0, tilt: float = 0.1) -> Trajectory:
    """Run an algorithm on a matrix game, and record every iteration.

    `tilt` is added to the first player's score of its first action, so that a symmetric game does not start, and stay,
    in its equilibrium.
    """
    if game not in MATRIX_GAMES or algorithm not in DYNAMICS:
        raise BadSetting(f"choose one of {', '.join(MATRIX_GAMES)}, and of {', '.join(DYNAMICS)}")
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise BadSetting(f"iterations must be from 1 to {MOST_ITERATIONS:,}, not {iterations}")
    opened = open_game(game)
    assert isinstance(opened, StrategicGame)
    solver = registry.load("algorithms", algorithm).start(build_form(opened, "normal"))
    solver.scores[0][0] += tilt
    averages, currents = [], []
    before = np.zeros_like(solver.average[player])
    for count in range(1, iterations + 1):
        solver.advance(1)
        now = solver.average[player].copy()
        currents.append(count * now - (count - 1) * before)
        averages.append(now)
        before = now
    return Trajectory(game, algorithm, opened.action_names[player], np.array(averages), np.clip(currents, 0.0, 1.0))
