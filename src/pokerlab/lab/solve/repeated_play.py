"""Learners that play a matrix game against each other: regrets, and how far joint play is from equilibria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.lab.analyse.equilibria import strategy_names
from pokerlab.solvers.equilibria.correlated import distance, external_regrets, internal_regrets
from pokerlab.solvers.equilibria.learning import JointPlay, play_jointly
from pokerlab.tree.form import build_as
from pokerlab.tree.normal import NormalForm

MOST_PROFILES = 5_000
MOST_ITERATIONS = 10_000_000
POINTS = 60  # of a curve
MEASURED = 12  # of them, at which the distance to equilibria is computed
LEAD = 0.1  # of the spread of payoffs


@dataclass(frozen=True)
class MeasuredPlay:
    """Joint play after some iterations."""

    iterations: int
    external: tuple[float, ...]  # regret of each player, per iteration
    internal: tuple[float, ...]
    to_correlated: float  # probability to be moved until it is a correlated equilibrium
    to_coarse: float
    payoffs: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class RepeatedPlay:
    """A run of learners, and its measurements."""

    game: str
    rules: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    play: JointPlay
    measured: tuple[MeasuredPlay, ...]

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "game": self.game,
            "learners": list(self.rules),
            "averages": {
                str(player): dict(zip(names, own[-1].tolist(), strict=True))
                for player, (names, own) in enumerate(zip(self.strategies, self.play.averages, strict=True))
            },
            "points": [
                {
                    "iterations": one.iterations,
                    "external_regrets": list(one.external),
                    "internal_regrets": list(one.internal),
                    "to_correlated": one.to_correlated,
                    "to_coarse_correlated": one.to_coarse,
                    "values": list(one.payoffs),
                }
                for one in self.measured
            ],
        }

    def columns(self) -> dict[str, list[Any]]:
        """The measurements as columns of a table."""
        columns: dict[str, list[Any]] = {"iterations": [one.iterations for one in self.measured]}
        for player in range(len(self.rules)):
            columns[f"external_regret_{player}"] = [one.external[player] for one in self.measured]
            columns[f"internal_regret_{player}"] = [one.internal[player] for one in self.measured]
            columns[f"value_{player}"] = [one.payoffs[player] for one in self.measured]
        columns["to_correlated"] = [one.to_correlated for one in self.measured]
        return columns | {"to_coarse_correlated": [one.to_coarse for one in self.measured]}


def play_repeatedly(
    game: str | Game,
    rules: Sequence[str],
    *,
    iterations: int = 10_000,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> RepeatedPlay:
    """Let learners play, one rule for all players or one for each, and measure their joint play."""
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise BadSetting(f"iterations must be from 1 to {MOST_ITERATIONS:,}, not {iterations:,}")
    opened = open_game(game)
    normal = build_as(opened, NormalForm)
    table = normal.payoff_table
    if table[0].size > MOST_PROFILES:
        raise BadSetting(f"learners play games of up to {MOST_PROFILES:,} profiles, and this has {table[0].size:,}")
    if len(rules) not in (1, opened.players):
        raise BadSetting(f"name one learner for all players, or one for each of {opened.players}, not {len(rules)}")
    everybody = tuple(rules) if len(rules) == opened.players else tuple(rules) * opened.players
    points = sorted({round(point) for point in np.geomspace(1, iterations, POINTS)})
    watch = Watch("dynamics", on_progress, cancel)
    spread = float(np.ptp(table)) or 1.0
    play = play_jointly(table, everybody, iterations=iterations, points=points, lead=LEAD * spread, watch=watch)
    chosen = sorted({round(place) for place in np.linspace(0, len(points) - 1, MEASURED)})
    measured = tuple(_measured(table, int(play.iterations[place]), play.joint[place]) for place in chosen)
    return RepeatedPlay(opened.name, everybody, strategy_names(opened, normal), play, measured)


def _measured(table: np.ndarray, iterations: int, joint: np.ndarray) -> MeasuredPlay:
    external, internal = external_regrets(table, joint), internal_regrets(table, joint)
    far = distance(table, joint), distance(table, joint, coarse=True)
    payoffs = tuple(float((joint * payoffs).sum()) for payoffs in table)
    return MeasuredPlay(iterations, tuple(external), tuple(internal), *far, payoffs)


def dynamics_figure(run: RepeatedPlay) -> Figure:
    """The first player's average strategy, the regrets and the distances, over iterations."""
    names = run.strategies[0]
    averages = [Line(run.play.iterations, run.play.averages[0][:, i], name) for i, name in enumerate(names)]
    counts = [one.iterations for one in run.measured]
    curves = {
        "external regret": [max(one.external) for one in run.measured],
        "internal regret": [max(one.internal) for one in run.measured],
        "distance to correlated equilibria": [one.to_correlated for one in run.measured],
        "distance to coarse correlated equilibria": [one.to_coarse for one in run.measured],
    }
    floor = 1e-9
    lines = [Line(counts, np.maximum(values, floor), name) for name, values in curves.items() if max(values) > floor]
    return Figure(
        "dynamics",
        f"{run.game}: {' against '.join(dict.fromkeys(run.rules))}",
        (
            Panel(
                tuple(averages), f"{run.game}: averages of player 0", "iterations", "share", x_log=True, y_range=(0, 1)
            ),
            Panel(tuple(lines), "joint play", "iterations", "", x_log=True, y_log=True),
        ),
    )
