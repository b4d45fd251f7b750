"""`pokerlab.solve("leduc", algorithm="dcfr", target=1e-3)`: from a game's name to a measured solution."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pokerlab import registry
from pokerlab.errors import BadFile, BadSetting
from pokerlab.games.game import Game
from pokerlab.games.loading import open_game
from pokerlab.solve.algorithm import Algorithm, TreeSolver
from pokerlab.solve.solver import Progress, Run, Stop, run
from pokerlab.strategy import solution as solutions
from pokerlab.strategy.solution import Solution
from pokerlab.strategy.strategy import named
from pokerlab.tree.history import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

DEFAULT_ALGORITHM = "dcfr"
DEFAULT_TARGET = 1e-3


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
) -> Solution:
    """Solve a game until an exploitability, a number of iterations or of seconds, whichever is first (default: 0.001).

    With `save`, the solution is written there at the end and every half minute on the way.
    """
    stop = stopping(target=target, iterations=iterations, seconds=seconds)
    method = registry.load("solve", algorithm) if isinstance(algorithm, str) else algorithm
    form = game if isinstance(game, SequenceForm) else sequence_form(build(open_game(game)))
    solver = method.solver(form, seed=seed)
    return _run(solver, method.spec, seed, stop, None, measure_every, on_progress, save)


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
    form = sequence_form(build(open_game(earlier.game)))
    method = registry.load("solve", earlier.algorithm)
    solver = method.solver(form, seed=earlier.seed)
    try:
        solver.restore(earlier.state)
    except (KeyError, ValueError, TypeError) as problem:
        raise BadFile(
            f"{path} cannot be resumed: its state is not one of {earlier.algorithm} on {earlier.game}"
        ) from problem
    return _run(solver, earlier.algorithm, earlier.seed, stop, earlier, measure_every, on_progress, save)


def stopping(*, target: float | None, iterations: int | None, seconds: float | None) -> Stop:
    """When to stop; at the default target when nothing is said."""
    if target is None and iterations is None and seconds is None:
        target = DEFAULT_TARGET
    if iterations is not None and iterations != int(iterations):
        raise BadSetting(f"the iterations to stop at must be a whole number, not {iterations}")
    return Stop(iterations=iterations, seconds=seconds, target=target)


def _run(
    solver: TreeSolver,
    algorithm: str,
    seed: int,
    stop: Stop,
    earlier: Solution | None,
    measure_every: int | None,
    on_progress: Callable[[Progress], None] | None,
    save: Path | str | None,
) -> Solution:
    spent = earlier.seconds if earlier else 0.0
    curve = list(earlier.curve) if earlier else []
    began = time.perf_counter()

    def solution(done: Run | None) -> Solution:
        new = [(at, spent + seconds, gap, nodes) for at, seconds, gap, nodes in done.curve] if done else []
        measured = done.last.measure if done and done.last.measure else solver.measure()
        return Solution(
            strategy=named(solver.form, solver.profile()),
            algorithm=algorithm,
            seed=seed,
            iterations=solver.iterations,
            seconds=spent + (done.last.seconds if done else time.perf_counter() - began),
            measure=measured,
            stopped=done.stopped if done else "running",
            nodes_touched=solver.nodes_touched,
            curve=curve + new,
            state=solver.arrays(),
        )

    checkpoint = None
    if save is not None:
        path = Path(save)

        def checkpoint(progress: Progress) -> None:
            solution(None).save(path)

    done = run(solver, stop, on_progress=on_progress, measure_every=measure_every, checkpoint=checkpoint)
    result = solution(done)
    if save is not None:
        result.save(save)
    return result
