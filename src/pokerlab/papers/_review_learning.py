"""Learning curves: what agents that adapt win from fixed opponents, by the number of hands that they have seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.events import Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.papers.result import Interval, interval

OPPONENTS = ("always-call", "always-raise", "random")
PARTS = 10  # of a session


@dataclass(frozen=True, eq=False)
class Curve:
    """An agent's winnings from an opponent in consecutive parts of a session."""

    agent: str
    opponent: str
    unit: str
    hands: np.ndarray  # [part] at the end of each
    won: np.ndarray  # [session, part] in the unit

    @property
    def gain(self) -> Interval:
        """The second half of a session over the first."""
        half = self.won.shape[1] // 2
        return interval(self.won[:, half:].mean(axis=1) - self.won[:, :half].mean(axis=1))


def learning_curves(
    game: PokerGame, agents: Sequence[str], *, hands: int, sessions: int, seed: int, watch: Watch
) -> list[Curve]:
    """Every agent against every opponent, in sessions with different cards; memory lasts for a session."""
    pairs = [(agent, opponent) for agent in agents for opponent in OPPONENTS]
    curves = []
    for number, (agent, opponent) in enumerate(pairs):
        watch.at(f"{agent} against {opponent}", number, len(pairs))
        rows, ends, unit = [], np.zeros(0), None
        for session in range(sessions):
            own = int(np.random.SeedSequence(seed, spawn_key=(number, session)).generate_state(1, np.uint32)[0])
            rules: dict[str, Any] = {"hands": hands, "seed": own, "duplicate": True, "keep_memory": True}
            result = play_match(MatchSettings.of(game, [agent, opponent], **rules))
            unit = result.units.usual
            ends = np.linspace(0, result.hands, PARTS + 1)
            totals = np.interp(ends, result.curve.hands, result.curve.totals[:, 0])
            rows.append(np.diff(totals) / np.diff(ends) * unit.factor)
        assert unit is not None
        curves.append(Curve(agent, opponent, unit.rate, ends[1:], np.array(rows)))
    return curves


def learning_figure(curves: Sequence[Curve]) -> Figure:
    """A panel for each agent, a line for each opponent with 95 % bands."""
    panels = []
    for agent in dict.fromkeys(curve.agent for curve in curves):
        lines = []
        for curve in curves:
            if curve.agent == agent:
                parts = [interval(column) for column in curve.won.T]
                means = [part.mean for part in parts]
                low, high = [part.low for part in parts], [part.high for part in parts]
                lines.append(Line(curve.hands, means, label=f"against {curve.opponent}", low=low, high=high))
        panels.append(Panel(tuple(lines), agent, x_label="hands seen", y_label=f"won, {curves[0].unit}"))
    return Figure("learning", "What agents that adapt win, by hands seen, with 95 % bands.", tuple(panels))
