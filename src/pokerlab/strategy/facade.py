"""`pokerlab.solve("leduc", algorithm="dcfr", target=1e-3)`: from a game's name to a measured solution."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pokerlab import registry
from pokerlab.errors import BadFile, BadGame, BadSetting, TooLarge
from pokerlab.games.game import Game
from pokerlab.games.loading import open_game
from pokerlab.solve.algorithm import Algorithm, TreeSolver
from pokerlab.solve.solver import Progress, Stop, restore, run
from pokerlab.strategy import solution as solutions
from pokerlab.strategy.game_file import GameFile, game_file
from pokerlab.strategy.solution import Solution
from pokerlab.strategy.strategy import named
from pokerlab.tree.history import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

DEFAULT_ALGORITHM = "dcfr"
DEFAULT_TARGET = 1e-3

Curve = list[tuple[int, float, float, int]]  # iterations, seconds, exploitability, nodes


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
    """Solve a game until an exploitability, a number of iterations or of seconds, whichever is first (default: 0.001).

    With `save`, the solution is written there at the end and every half minute on the way. Laying out and compiling
    come before the clock starts and are told apart; `setup_seconds` were spent on them before this call.
    """
    stop = stopping(target=target, iterations=iterations, seconds=seconds)
    method = registry.load("solve", algorithm) if isinstance(algorithm, str) else algorithm
    began = time.perf_counter()
    form = game if isinstance(game, SequenceForm) else sequence_form(build(open_game(game)))
    solver = method.solver(form, seed=seed)
    compile_for(method, form.players)
    setup = setup_seconds + time.perf_counter() - began
    running = _Running(solver, method.spec, seed, setup, game_file(form.tree.game))
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
    earlier = solutions.load(path)
    if not earlier.state:
        raise BadFile(f"{path} holds a strategy without the state of its solver, so it cannot be resumed")
    stop = stopping(target=target, iterations=iterations, seconds=seconds)
    began = time.perf_counter()
    form = earlier.laid_out()
    method = registry.load("solve", earlier.algorithm)
    solver = method.solver(form, seed=earlier.seed)
    compile_for(method, form.players)
    try:
        restore(solver, earlier.state)
    except BadFile as problem:
        raise BadFile(
            f"{path} cannot be resumed: its state is not one of {earlier.algorithm} on {earlier.game}"
        ) from problem
    setup = earlier.setup_seconds + time.perf_counter() - began
    running = _Running(solver, earlier.algorithm, earlier.seed, setup, earlier.game_file, earlier)
    return running.run(stop, measure_every=measure_every, on_progress=on_progress, save=save)


def compile_for(method: Algorithm, players: int) -> None:
    """Run an algorithm for a moment on a tiny game, so that its kernels are compiled before a clock starts."""
    form = sequence_form(build(open_game("kuhn" if players == 2 else f"kuhn(players={min(max(players, 3), 4)})")))
    with contextlib.suppress(TooLarge, BadGame):  # a normal form; a game that is not of the algorithm's kind
        solver = method.solver(form)
        solver.advance(1)
        solver.measure()


def stopping(*, target: float | None, iterations: int | None, seconds: float | None) -> Stop:
    """When to stop; at the default target when nothing is said."""
    if target is None and iterations is None and seconds is None:
        target = DEFAULT_TARGET
    if iterations is not None and iterations != int(iterations):
        raise BadSetting(f"the iterations to stop at must be a whole number, not {iterations}")
    return Stop(iterations=iterations, seconds=seconds, target=target)


@dataclass(frozen=True)
class _Running:
    """A solver at work, and what its solution will say about how it was made."""

    solver: TreeSolver
    algorithm: str
    seed: int
    setup_seconds: float
    game_file: GameFile | None
    earlier: Solution | None = None  # that is gone on from

    def run(
        self,
        stop: Stop,
        *,
        measure_every: int | None,
        on_progress: Callable[[Progress], None] | None,
        save: Path | str | None,
    ) -> Solution:
        """Run to the end; keep the solution there and on the way."""

        def checkpoint(progress: Progress) -> None:
            assert save is not None
            self.solution(progress, "running", []).save(save)

        done = run(
            self.solver,
            stop,
            on_progress=on_progress,
            measure_every=measure_every,
            checkpoint=None if save is None else checkpoint,
        )
        result = self.solution(done.last, done.stopped, done.curve)
        if save is not None:
            result.save(save)
        return result

    def solution(self, last: Progress, stopped: str, curve: Curve) -> Solution:
        """The solution as it stands."""
        solver, spent = self.solver, self.earlier.seconds if self.earlier else 0.0
        measured = last.measure if last.measure and last.measured_at == solver.iterations else solver.measure()
        return Solution(
            strategy=named(solver.form, solver.profile()),
            algorithm=self.algorithm,
            seed=self.seed,
            iterations=solver.iterations,
            seconds=spent + last.seconds,
            measure=measured,
            stopped=stopped,
            nodes_touched=solver.nodes_touched,
            curve=(self.earlier.curve if self.earlier else [])
            + [(at, spent + seconds, gap, nodes) for at, seconds, gap, nodes in curve],
            state=solver.arrays(),
            zero_sum=solver.form.tree.is_zero_sum,
            setup_seconds=self.setup_seconds,
            game_file=self.game_file,
        )
