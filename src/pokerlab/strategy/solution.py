"""A solved game: the strategy, how far from equilibrium it was measured to be, and all that is needed to go on.

A solution is kept in one file (see store.py) with its game, algorithm, seed, version, iterations and exploitability,
and with the solver's whole state, so that a run can be resumed to the very same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.errors import BadFile
from pokerlab.games.loading import open_game
from pokerlab.solve.measure import measure
from pokerlab.solve.solver import Measure
from pokerlab.strategy.strategy import Strategy, from_arrays, to_arrays
from pokerlab.tree.history import build
from pokerlab.tree.sequence import sequence_form

KIND = "solution"


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """What a run found, and its measured distance from equilibrium."""

    strategy: Strategy
    algorithm: str  # with its settings
    seed: int
    iterations: int
    seconds: float
    measure: Measure
    stopped: str  # why the run ended
    nodes_touched: int = 0
    curve: list[tuple[int, float, float, int]] = field(
        default_factory=list
    )  # iterations, seconds, exploitability, nodes
    state: Mapping[str, np.ndarray] = field(default_factory=dict)  # of the solver, to go on from

    def __repr__(self) -> str:
        how = f"{self.algorithm.split('(')[0]}, {self.iterations:,} iterations"
        return f"<Solution of {self.game} by {how}: exploitability {self.exploitability:.3g}, value {self.value:.6g}>"

    @property
    def game(self) -> str:
        """The game's name with its settings."""
        return self.strategy.game

    @property
    def value(self) -> float:
        """What player 0 wins on average."""
        return self.measure.values[0]

    @property
    def exploitability(self) -> float:
        """What best responses gain, on average over players."""
        return self.measure.exploitability

    @property
    def nash_conv(self) -> float:
        """What best responses gain, summed over players."""
        return self.measure.nash_conv

    def save(self, path: Path | str) -> Path:
        """Write the solution to one file."""
        arrays, words = to_arrays(self.strategy)
        state = {f"state.{name}": array for name, array in self.state.items()}
        return store.save(
            path,
            arrays | state,
            kind=KIND,
            **words,
            algorithm=self.algorithm,
            seed=self.seed,
            iterations=self.iterations,
            seconds=self.seconds,
            values=list(self.measure.values),
            best_responses=list(self.measure.best_responses),
            exploitability=self.exploitability,
            nash_conv=self.nash_conv,
            stopped=self.stopped,
            nodes_touched=self.nodes_touched,
            curve=[list(point) for point in self.curve],
        )

    def summary(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        found = self.measure
        summary: dict[str, Any] = {
            "game": self.game,
            "algorithm": self.algorithm,
            "players": self.strategy.players,
            "value": self.value,
            "values": list(found.values),
            "best_responses": list(found.best_responses),
            "exploitability": found.exploitability,
            "nash_conv": found.nash_conv,
            "epsilon": found.epsilon,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "infosets": len(self.strategy),
            "nodes_touched": self.nodes_touched,
            "seed": self.seed,
        }
        if len(found.values) == 2:
            summary["bounds"] = list(found.bounds)
        return summary

    def remeasured(self) -> Solution:
        """The same solution, measured anew on the game that it names."""
        form = sequence_form(build(open_game(self.game)))
        return replace(self, measure=measure(form, self.strategy.profile(form)))


def load(path: Path | str) -> Solution:
    """The solution in a file; BadFile says what is wrong with a missing, damaged or foreign one."""
    kept = store.load(path, kind=KIND)
    strategy = from_arrays(kept.arrays, kept.manifest, path=str(path))
    words = kept.manifest
    try:
        return Solution(
            strategy=strategy,
            algorithm=str(words["algorithm"]),
            seed=int(words["seed"]),
            iterations=int(words["iterations"]),
            seconds=float(words["seconds"]),
            measure=Measure(tuple(map(float, words["values"])), tuple(map(float, words["best_responses"]))),
            stopped=str(words["stopped"]),
            nodes_touched=int(words["nodes_touched"]),
            curve=[(int(a), float(b), float(c), int(d)) for a, b, c, d in words["curve"]],
            state={
                name.removeprefix("state."): array for name, array in kept.arrays.items() if name.startswith("state.")
            },
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: its manifest does not say how the solution was made") from problem
