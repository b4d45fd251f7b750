"""Training of five-card draw players for `paper ee`, with checkpoints: a long run may stop and resumes where it was.

A run at the paper's size is saved. A checkpoint is the whole state of the solver; there is one for each number of
iterations that is trained towards, so that the player of 10^7 iterations remains when training continues to 10^8. What
is measured at a number of iterations is saved too, and is not measured again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from pokerlab import store
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.errors import BadFile
from pokerlab.events import Watch
from pokerlab.match.draw import strategy_player
from pokerlab.papers._bucketed_runs import poker_game, start_solver
from pokerlab.solvers.bucketed.draw_hands import DrawContestant
from pokerlab.solvers.bucketed.playing import touched_infosets, visited_infosets
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form

GAME = "five-card-draw(menu='min')"
ALGORITHM = "external(schedule='linear-cfr')"
AT_ONCE = 20_000  # iterations between checks of the cancel token
SAVED_FROM = 1_000_000  # iterations: training that takes less is repeated
SAVE_EVERY = 900.0  # seconds between checkpoints


@dataclass(frozen=True, eq=False)
class TrainedPlayer:
    """A trained player."""

    form: ExchangeForm
    average: np.ndarray  # [number] float32
    iterations: int
    regret: np.ndarray | None = None  # [number] float32
    seconds: float = 0.0  # of CPU, in training

    def player(self, fallback: float = 0.0) -> DrawContestant:
        """The player, which falls back on hand strength if the averages of an infoset sum to less."""
        return strategy_player(self.form, self.average, fallback=fallback)

    @cached_property
    def visited(self) -> int:
        """The number of infosets that training visited."""
        return visited_infosets(self.form, self.average)

    @cached_property
    def touched(self) -> int:
        """The number of infosets that training visited, or at which it tried the actions."""
        if self.regret is None:
            return self.visited
        return touched_infosets(self.form, self.average, self.regret)

    @cached_property
    def strategy(self) -> BucketedStrategy:
        """The average strategy."""
        return cast(BucketedStrategy, strategy_of(self.form, {"average": self.average}, StrategyNames()))

    def folds(self) -> np.ndarray:
        """How often the small blind open-folds each hand.  # [hand]"""
        buckets = self.form.buckets
        rows = self.strategy.rows(0, np.arange(buckets.counts[0]))
        return np.asarray(rows[:, self.form.betting.actions[0].index("f")][buckets.before])


@cache
def form_of(buckets: str) -> ExchangeForm:
    """The paper's game with buckets."""
    game = poker_game(GAME)
    return exchange_form(game, exchange_buckets(buckets, game))


Measured = Mapping[str, np.ndarray]


def train(
    form: ExchangeForm,
    marks: tuple[int, ...],
    *,
    seed: int,
    watch: Watch,
    at: Callable[[TrainedPlayer], Measured] | None = None,
    threads: int = 1,
    saves: bool = False,
) -> tuple[TrainedPlayer, dict[int, Measured]]:
    """A player after the last of some numbers of iterations, and what `at` measures after each of them.

    With one thread the same seed gives the same player.
    """
    training = _Training(form, seed=seed, threads=threads, watch=watch, last=marks[-1], saves=saves)
    measured: dict[int, Measured] = {}
    for mark in marks:
        known = _loaded(training.path(mark, "measured"), "measured run") if at and saves else None
        if known is not None and mark < marks[-1]:
            measured[mark] = known[0]
            continue
        player = training.advance_to(mark)
        if at:
            measured[mark] = known[0] if known is not None else training.measure(at, player)
    return player, measured


class _Training:
    """A solver, its checkpoints, and the seconds spent."""

    def __init__(self, form: ExchangeForm, *, seed: int, threads: int, watch: Watch, last: int, saves: bool) -> None:
        self.form, self.seed, self.threads, self.watch, self.last = form, seed, threads, watch, last
        self.saves = saves
        self.seconds = 0.0
        self._solver: Any = None

    def path(self, mark: int, kind: str = "state") -> Path:
        """The file of a checkpoint, or of what was measured."""
        method = "".join(letter if letter.isalnum() else "-" for letter in self.form.buckets.method)
        return store.home() / "papers" / "ee" / f"{method}-seed{self.seed}-{mark}-{kind}.safetensors"

    def advance_to(self, mark: int) -> TrainedPlayer:
        """Train up to a number of iterations."""
        solver = self._started(mark)
        done, saved = solver.iterations, time.monotonic()
        while solver.iterations < mark:
            began = time.process_time()
            solver.advance(min(AT_ONCE, mark - solver.iterations))
            self.seconds += time.process_time() - began
            if self.saves and time.monotonic() - saved > SAVE_EVERY:
                self._save(mark)
                saved = time.monotonic()
            self.watch.at(f"{self.form.buckets.method}, {solver.iterations:,} iterations", solver.iterations, self.last)
        if self.saves and done < mark and mark >= SAVED_FROM:
            self._save(mark)
        regret = solver.arrays()["regret"]  # views: copies would take too much memory
        return TrainedPlayer(self.form, solver.average, mark, regret, self.seconds)

    def measure(self, at: Callable[[TrainedPlayer], Measured], player: TrainedPlayer) -> Measured:
        """Measure a player, and save the results of a long run."""
        measured = at(player)
        if self.saves and player.iterations >= SAVED_FROM:
            path = self.path(player.iterations, "measured")
            store.keep(path, dict(measured), kind="measured run", seconds=self.seconds)
        return measured

    def _started(self, mark: int) -> Any:
        """The solver, at the latest checkpoint up to a number of iterations."""
        if self._solver is None:
            self._solver = start_solver(ALGORITHM, self.form, seed=self.seed, threads=self.threads)
        for earlier in sorted((one for one in self._marks() if one <= mark), reverse=True):
            saved = _loaded(self.path(earlier), "training")
            if saved is not None and int(saved[0]["counts"][0]) > self._solver.iterations:
                self._solver.restore(saved[0])
                self.seconds = saved[1]
            if saved is not None:
                break
        return self._solver

    def _marks(self) -> list[int]:
        """The numbers of iterations that saved checkpoints were trained towards."""
        if not self.saves:
            return []
        start, end = self.path(0).name.split("-0-state")
        names = [path.name for path in self.path(0).parent.glob(f"{start}-*-state{end}")]
        numbers = [name.removeprefix(start + "-").removesuffix("-state" + end) for name in names]
        return [int(number) for number in numbers if number.isdecimal()]

    def _save(self, mark: int) -> None:
        arrays = self._solver.arrays()
        store.keep(self.path(mark), arrays, kind="training", seconds=self.seconds, algorithm=ALGORITHM)


def _loaded(path: Path, kind: str) -> tuple[Measured, float] | None:
    """The arrays and the seconds of a saved file, None if there is none or it is damaged."""
    try:
        saved = store.load(path, kind=kind, quick=True)
        return saved.arrays, float(saved.manifest["seconds"])
    except (BadFile, KeyError, TypeError, ValueError):
        return None
