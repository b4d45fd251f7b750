"""`pokerlab.solve("leduc", algorithm="dcfr", target=1e-3)`: from a game's name to a measured solution."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.errors import BadFile, BadGame, BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.solvers.algorithm import Algorithm, TreeSolver
from pokerlab.solvers.run import Progress, Run, Stop, joined, restore, run
from pokerlab.strategy import solution as solutions
from pokerlab.strategy.game_file import GameFile, game_file
from pokerlab.strategy.solution import Solution
from pokerlab.strategy.strategy import named
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

DEFAULT_ALGORITHM = "dcfr"
DEFAULT_SHARE = 1e-4  # of the largest payoff: the exploitability to stop at when nothing is said


def solve(
    game: str | Game | SequenceForm,
    *,
    algorithm: str | Algorithm = DEFAULT_ALGORITHM,
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    measure_every: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    save: Path | str | None = None,
    setup_seconds: float = 0.0,
) -> Solution:
    """Solve a game until an exploitability, a number of iterations or of seconds, whichever is first.

    When nothing is said, until exploitability is a ten-thousandth of the game's largest payoff.
    With `save`, the solution is written there at the end and every half minute on the way. Laying out and compiling
    come before the clock starts and are told apart; `setup_seconds` were spent on them before this call.
    """
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    stopping(limits)  # complains before the work
    method = registry.load("algorithms", algorithm) if isinstance(algorithm, str) else algorithm
    began = time.perf_counter()
    form = game if isinstance(game, SequenceForm) else sequence_form(build(open_game(game)))
    solver = method.solver(form, seed=seed)
    compile_for(method, form.players)
    setup = setup_seconds + time.perf_counter() - began
    running = Running(solver, method.spec, seed, setup, game_file(form.tree.game))
    stop = stopping(limits, stakes=form.tree.stakes)
    return running.run(stop, measure_every=measure_every, on_progress=on_progress, save=save)


def resume(
    path: Path | str,
    *,
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    measure_every: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    save: Path | str | None = None,
) -> Solution:
    """Go on from a saved solution, to the very result that one long run would have had.

    The iterations to stop at count from the start of the first run, the seconds from now.
    """
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    stopping(limits)  # complains before the work
    running = reopened(path)
    stop = stopping(limits, stakes=running.stakes)
    return running.run(stop, measure_every=measure_every, on_progress=on_progress, save=save)


def reopened(path: Path | str) -> Running:
    """A saved solution laid out again, its solver where it was, ready to go on."""
    earlier = solutions.load(path)
    if not earlier.state:
        raise BadFile(f"{path} holds a strategy without the state of its solver, so it cannot be resumed")
    began = time.perf_counter()
    form = earlier.laid_out()
    method = registry.load("algorithms", earlier.algorithm)
    solver = method.solver(form, seed=earlier.seed)
    compile_for(method, form.players)
    try:
        restore(solver, earlier.state)
    except BadFile as problem:
        raise BadFile(
            f"{path} cannot be resumed: its state is not one of {earlier.algorithm} on {earlier.game}"
        ) from problem
    setup = earlier.setup_seconds + time.perf_counter() - began
    return Running(solver, earlier.algorithm, earlier.seed, setup, earlier.game_file, earlier)


def compile_for(method: Algorithm, players: int) -> None:
    """Run an algorithm for a moment on a tiny game, so that its kernels are compiled before a clock starts."""
    form = sequence_form(build(open_game("kuhn" if players == 2 else f"kuhn(players={min(max(players, 3), 4)})")))
    with contextlib.suppress(TooLarge, BadGame):  # a normal form; a game that is not of the algorithm's kind
        solver = method.solver(form)
        solver.advance(1)
        solver.measure()


def stopping(limits: Mapping[str, Any], *, stakes: float = 1.0) -> Stop:
    """When to stop: at a target, iterations or seconds; at the default share of the stakes when nothing is said."""
    stated = {name: limit for name, limit in limits.items() if limit is not None}
    iterations = stated.get("iterations")
    if iterations is not None and iterations != int(iterations):
        raise BadSetting(f"the iterations to stop at must be a whole number, not {iterations}")
    return Stop(**(stated or {"target": default_target(stakes)}))


def default_target(stakes: float) -> float:
    """The exploitability to stop at in a game of these stakes (its largest payoff) when nothing is said."""
    return DEFAULT_SHARE * (stakes or 1.0)


@dataclass(frozen=True)
class Running:
    """A solver at work, and what its solution will say about how it was made."""

    solver: TreeSolver
    algorithm: str
    seed: int
    setup_seconds: float
    game_file: GameFile | None
    earlier: Solution | None = None  # that is resumed

    @property
    def stakes(self) -> float:
        """The largest payoff of the game."""
        return self.solver.form.tree.stakes

    def run(
        self,
        stop: Stop,
        *,
        measure_every: int | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        save: Path | str | None = None,
    ) -> Solution:
        """Run to the end; keep the solution there and on the way."""

        def checkpoint(state: Run) -> None:
            assert save is not None
            self.solution(state).save(save)

        done = run(
            self.solver,
            stop,
            on_progress=on_progress,
            measure_every=measure_every,
            checkpoint=None if save is None else checkpoint,
        )
        return self.solution(done)

    def solution(self, state: Run) -> Solution:
        """The solution as it stands."""
        solver, last, spent = self.solver, state.last, self.earlier.seconds if self.earlier else 0.0
        assert last.measure is not None
        return Solution(
            strategy=named(solver.form, solver.profile()),
            algorithm=self.algorithm,
            seed=self.seed,
            iterations=solver.iterations,
            seconds=spent + last.seconds,
            measure=last.measure,
            stopped=state.stopped,
            nodes_touched=solver.nodes_touched,
            curve=joined(self.earlier.curve if self.earlier else [], spent, state.curve),
            state=solver.arrays(),
            zero_sum=solver.form.tree.is_zero_sum,
            setup_seconds=self.setup_seconds,
            game_file=self.game_file,
        )
