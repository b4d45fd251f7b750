"""A solved game: the strategy, how far from equilibrium it was measured to be, and all that is needed to go on.

A solution is kept in one file (see store.py) with its game, algorithm, seed, version, iterations and exploitability,
and with the solver's whole state, so that a run can be resumed to the very same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.errors import BadFile
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.reading import LARGEST_WHOLE, count, finite, text_of
from pokerlab.solvers.algorithm import short_spec
from pokerlab.solvers.run import Curve, Measure, curve_from, measure_from
from pokerlab.strategy.game_file import GameFile
from pokerlab.strategy.strategy import Strategy, from_arrays, to_arrays
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

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
    curve: Curve = field(default_factory=list)
    state: Mapping[str, np.ndarray] = field(default_factory=dict)  # of the solver, to go on from
    zero_sum: bool = True  # whether the game is
    setup_seconds: float = 0.0  # of laying the game out and compiling, on top of `seconds`
    game_file: GameFile | None = None  # of a game that was read from a file

    def __repr__(self) -> str:
        how = f"{self.algorithm_text}, {self.iterations:,} iterations"
        return f"<Solution of {self.game} by {how}: exploitability {self.exploitability:.3g}, value {self.value:.6g}>"

    @property
    def game(self) -> str:
        """The game's name with its settings."""
        return self.strategy.game

    @property
    def algorithm_text(self) -> str:
        """The algorithm with those settings that are not its own: "dcfr", "lp(method=pdlp)"."""
        return short_spec(self.algorithm)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lower and upper bound on player 0's value; None unless the game has two players and zero sum."""
        return self.measure.bounds if self.zero_sum and len(self.measure.values) == 2 else None

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
            setup_seconds=self.setup_seconds,
            zero_sum=self.zero_sum,
            game_file=None if self.game_file is None else asdict(self.game_file),
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
        bounds = self.bounds
        return {
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
            "setup_seconds": self.setup_seconds,
            "stopped": self.stopped,
            "infosets": len(self.strategy),
            "nodes_touched": self.nodes_touched,
            "seed": self.seed,
            "bounds": None if bounds is None else list(bounds),
        }

    def open_game(self) -> Game:
        """The game that was solved; BadFile when it came from a file that has changed or is gone."""
        if self.game_file is not None:
            self.game_file.check(self.game)
        return open_game(self.game)

    def laid_out(self) -> SequenceForm:
        """The sequence form of the game; BadFile, before all of it is laid out, where the strategy is of a smaller."""
        return sequence_form(build(self.open_game(), most_infosets=len(self.strategy)))


def load(path: Path | str) -> Solution:
    """The solution in a file; BadFile says what is wrong with a missing, damaged or foreign one."""
    kept = store.load(path, kind=KIND)
    strategy = from_arrays(kept.arrays, kept.manifest, path=str(path))
    words = kept.manifest
    try:
        came_from = words.get("game_file")
        file = None if came_from is None else GameFile(**came_from)
        if file is not None:
            strategy = replace(strategy, game=file.found(strategy.game, beside=Path(path).parent))
        return Solution(
            strategy=strategy,
            algorithm=text_of(words["algorithm"]),
            seed=count(words["seed"], most=LARGEST_WHOLE),
            iterations=count(words["iterations"]),
            seconds=finite(words["seconds"]),
            measure=replace(measure_from(words, strategy.players), zero_sum=bool(words["zero_sum"])),
            stopped=text_of(words["stopped"]),
            zero_sum=bool(words["zero_sum"]),
            setup_seconds=finite(words["setup_seconds"]),
            game_file=file,
            nodes_touched=count(words["nodes_touched"]),
            curve=curve_from(words),
            state={
                name.removeprefix("state."): array for name, array in kept.arrays.items() if name.startswith("state.")
            },
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: its manifest does not say how the solution was made") from problem
