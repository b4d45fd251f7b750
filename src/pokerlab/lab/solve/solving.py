"""Solve anything: from a name, a file, a game or a spot to a measured solution, in the form that suits it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import realpath
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab import registry, store
from pokerlab.errors import BadFile, BadSetting, UnknownName, shortened
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.formats.game_file import GameFile, game_file
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.lab.solve.limits import check_limits, stopping
from pokerlab.lab.solve.tasks import Task, open_task
from pokerlab.lab.spots.locking import plays_in
from pokerlab.solvers.core.algorithm import Algorithm, saved_algorithm
from pokerlab.solvers.core.curve import Curve, joined
from pokerlab.solvers.core.run import Run, Solver, Stop, restore, run
from pokerlab.strategy.files.solution import FULL, STRATEGY, Solution, naming_of
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.kinds import strategy_of
from pokerlab.strategy.lock import Lock, place_locks
from pokerlab.tree.form import KINDS, Choice, Form, Problem, build_form, choose, given_form, kind_of, why_not
from pokerlab.tree.measure import Measure
from pokerlab.tree.resources import Resources

AUTO = "auto"
ROLES = "roles"  # the earlier name of the classes form, for games with one decision per player
COUNTERING = ("fbr", "rnr", "dbr")  # `pokerlab exploit` saves one of these as the algorithm


@dataclass(frozen=True, eq=False)
class BuiltTask:
    """A task in its form, with the algorithm that will run on it."""

    task: Task
    form: Form
    algorithm: Algorithm
    choice: Choice
    seconds: float  # spent on building the form


def prepare(
    task: Task,
    *,
    algorithm: str | Algorithm | None = None,
    form: str = AUTO,
    resources: Resources | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> BuiltTask:
    """Choose the form by forecast and build it; raises TooLarge before building if it does not fit.

    The first event has the Choice as its payload; later ones count nodes.
    """
    began = time.perf_counter()
    method = None if algorithm is None else open_algorithm(algorithm)
    assert task.problem is not None
    choice = _chosen(task.problem, method, form)
    kind, resources = kind_of(choice.kind), resources or Resources()
    resources.check(choice.kind)
    if kind.check is not None:
        kind.check(task.problem, task.isomorphism, resources.storage)
    watch = Watch("build", on_progress, cancel, "nodes")
    watch.at("choosing a form", 0, None, payload=choice)
    built = build_form(task.problem, kind.built_from or choice.kind, isomorphism=task.isomorphism, watch=watch)
    method = method or open_algorithm(kind.default_algorithm)
    return BuiltTask(task, built, method, choice, time.perf_counter() - began)


def open_algorithm(algorithm: str | Algorithm) -> Algorithm:
    """An algorithm by its name with settings, or the algorithm itself."""
    method = registry.load("algorithms", algorithm) if isinstance(algorithm, str) else algorithm
    if not isinstance(method, Algorithm):
        raise BadSetting(
            f"{shortened(str(algorithm))} gives an object of {type(method).__name__}, and must give an Algorithm of "
            "pokerlab.solvers.core.algorithm"
        )
    return method


def _chosen(problem: Problem, method: Algorithm | None, form: str) -> Choice:
    if form == ROLES:
        store.notify("the roles form is now part of the classes form: write classes instead of roles")
        form = "classes"
    kinds = tuple(kind for kind in KINDS if kind_of(kind).chosen) if method is None else method.forms
    if method is None and form in KINDS and not kind_of(form).built_from:
        kinds = (*kinds, form)
    if form == AUTO:
        return choose(problem, kinds)
    check_form(problem, form, kinds, runner="the default algorithm" if method is None else method.name)
    return Choice(form)


def check_form(problem: Problem, form: str, kinds: Sequence[str], *, runner: str) -> None:
    """Raise BadSetting for a form that does not exist, on which the runner does not run, or that a problem lacks."""
    kind_of(form)
    if form not in kinds:
        raise BadSetting(f"{runner} does not run on the {form} form; it runs on {', '.join(kinds)}")
    if reason := why_not(problem, form):
        raise BadSetting(reason)


def solve(
    problem: str | Path | Game | Spot | Mapping[str, Any] | Task | BuiltTask | Form,
    *,
    algorithm: str | Algorithm | None = None,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    form: str = AUTO,
    threads: int = 1,
    storage: str = "float32",
    locks: Sequence[Lock] = (),
    measure_every: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    save: Path | str | None = None,
    keep: str = FULL,
) -> Solution:
    """Solve a game or a spot until an exploitability, a number of iterations or of seconds, whichever is first.

    - problem: a game's name ("leduc", "kuhn(players=3)") or file, a spot's TOML file or table of settings, or the
      object itself, with or without its form built
    - algorithm: by name with settings, "dcfr(gamma=4)", or your own; the default depends on the form
    - target: stop at this exploitability, in the game's units or as "0.1%" of the starting pot; by default a
      ten-thousandth of the largest payoff of a game, or 0.3 % of a spot's pot
    - iterations: stop after this many
    - seconds: stop after this many; building the form and compiling do not count, and are reported separately
    - seed: of algorithms that sample
    - form: sequence, public, classes ...; "auto" chooses by size
    - threads: where the form can use them
    - storage: "float32", or "int16" for half the memory in the public form
    - locks: parts of strategies that are fixed in a spot, while the rest is solved
    - measure_every: iterations between measurements; by default the form decides
    - on_progress: called with an Event for each step
    - cancel: a CancelToken; set from any thread, it stops the run: the solution so far is saved and returned, with
      `stopped` "interrupted"
    - save: a file that the solution is written to at the end and at regular checkpoints
    - keep: "full", or "strategy" to write only the strategy at the end (see `Solution.strategy_only`)
    """
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    check_limits(limits)  # fails before the work
    check_keep(keep)
    resources = Resources(threads, storage)
    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel}
    if isinstance(problem, BuiltTask):
        built = problem
    elif (form_itself := given_form(problem)) is not None:
        built = given(form_itself, algorithm=algorithm)
    else:
        task = open_task(problem, locks)  # type: ignore[arg-type]
        built = prepare(task, algorithm=algorithm, form=form, resources=resources, **watching)
    running = start(built, seed=seed, resources=resources)
    stop = stopping(limits, running.solver.form, spot=built.task.spot, algorithm=running.algorithm)
    return running.run(stop, measure_every=measure_every, save=save, keep=keep, **watching)


def given(form: Form, *, algorithm: str | Algorithm | None = None) -> BuiltTask:
    """A form that the caller built, with an algorithm for it."""
    method = open_algorithm(algorithm or kind_of(form.kind).default_algorithm)
    return BuiltTask(Task(None, title=form.name), form, method, Choice(form.kind), 0.0)


def start(built: BuiltTask, *, seed: int = 0, resources: Resources | None = None) -> Running:
    """Create a solver with its locks applied and its kernels compiled."""
    began, resources = time.perf_counter(), resources or Resources()
    solver = solver_of(built.task, built.form, built.algorithm, seed=seed, resources=resources)
    built.algorithm.rehearse(built.form, resources=resources)
    setup = built.seconds + time.perf_counter() - began
    file = None if built.task.spot is not None else game_file(built.task.name)
    return Running(solver, built.task, built.algorithm, seed, setup, file, resources)


def solver_of(task: Task, form: Form, algorithm: Algorithm, *, seed: int, resources: Resources) -> Any:
    """Create a solver for a task."""
    solver = algorithm.start(form, seed=seed, resources=resources)
    place_locks(solver, task.locks, plays_in(task.spot))
    return solver


def resume(
    path: Path | str,
    *,
    algorithm: str | Algorithm | None = None,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    measure_every: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    save: Path | str | None = None,
    keep: str = FULL,
) -> Solution:
    """Resume a saved solution; the result is identical to that of one long run.

    - path: the file
    - algorithm: your own must be given again, since no file is trusted to choose code
    - target: stop at this exploitability, in the game's units or as "0.1%" of the starting pot
    - iterations: stop after this many, counted from the start of the first run
    - seconds: stop after this many, counted from now
    - threads: where the form can use them
    - measure_every: iterations between measurements
    - on_progress: called with an Event for each step
    - cancel: a CancelToken; set from any thread, it stops the run
    - save: another file to write; the file itself is overwritten by default
    - keep: "full", or "strategy" to write only the strategy, to another file
    """
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    check_limits(limits)  # fails before the work
    check_keep(keep)
    check_elsewhere(path, save, keep)
    running = reopened(path, threads=threads, algorithm=algorithm)
    stop = stopping(limits, running.solver.form, spot=running.task.spot, algorithm=running.algorithm)
    return running.run(
        stop, measure_every=measure_every, on_progress=on_progress, cancel=cancel, save=save or path, keep=keep
    )


def reopened(
    path: Path | str,
    *,
    threads: int = 1,
    algorithm: str | Algorithm | None = None,
    resources: Resources | None = None,
) -> Running:
    """Reopen a saved solution: build its form and restore its solver, ready to resume with its algorithm."""
    earlier = load(path, threads=threads)
    if not earlier.state:
        again = path if earlier.spot is not None else earlier.game
        command = f"{kind_of(earlier.form).command} {again}"
        if earlier.algorithm.partition("(")[0] in COUNTERING:
            command = f"exploit {again} --opponent NAME"
        raise BadFile(
            f"{path} has only the strategy, without the state of its solver, so it cannot be resumed: start again "
            f"with `pokerlab {command} --out NEW`"
        )
    began = time.perf_counter()
    form = earlier.built_form()
    method = _method_again(earlier, algorithm)
    resources = replace(resources or Resources(threads), storage=earlier.storage)
    task = Task(earlier.spot if earlier.spot is not None else earlier.open_game(), earlier.locks)
    solver = solver_of(task, form, method, seed=earlier.seed, resources=resources)
    method.rehearse(form, resources=resources)
    try:
        restore(solver, earlier.state)
    except BadFile as problem:
        raise BadFile(
            f"{path} cannot be resumed: its state is not one of {earlier.algorithm} on {earlier.game}"
        ) from problem
    setup = earlier.setup_seconds + time.perf_counter() - began
    before = EarlierRun(earlier.iterations, earlier.seconds, earlier.measure, earlier.curve)
    return Running(solver, task, method, earlier.seed, setup, earlier.game_file, resources, before)


def _method_again(earlier: Solution, algorithm: str | Algorithm | None) -> Algorithm:
    """The algorithm of a solution: of the library by its name in the file; user code as it is given."""
    if algorithm is None:
        try:
            return saved_algorithm(earlier.algorithm)
        except UnknownName as problem:
            raise UnknownName(f"{problem}; if it is your own, name its file again, as in --with ./mine.py") from problem
    method = open_algorithm(algorithm)
    if method.spec != earlier.algorithm:
        raise BadSetting(f"the solution was made by {earlier.algorithm}, and {method.spec} cannot resume it")
    return method


def check_keep(keep: str) -> None:
    """Raise BadSetting for an unknown value of `keep`."""
    if keep not in (FULL, STRATEGY):
        raise BadSetting(f"a file keeps {FULL} (all that resuming needs) or {STRATEGY} (alone), not {keep[:40]!r}")


def compact(path: Path | str, out: Path | str, *, bits: int = 8) -> Solution:
    """Write only the strategy of a saved solution to another file; return that solution.

    For a blueprint, a probability takes 8 or 16 `bits`.
    """
    if bits not in (8, 16):
        raise BadSetting(f"probabilities are stored in 8 or 16 bits, not {bits}")
    solution = load(path)
    if bits != 8:
        if not solution.strategy.has_buckets:
            raise BadSetting("bits can be chosen only for blueprints; other solutions are stored to a thousandth")
        if solution.keeps != FULL:
            raise BadSetting(f"{path} already has only the strategy")
        solution = replace(solution, strategy=solution.strategy.strategy_only(bits))
    alone = solution.strategy_only()
    alone.save(out)
    return alone


def check_elsewhere(path: Path | str, save: Path | str | None, keep: str) -> None:
    """Raise BadSetting if the strategy alone would overwrite the state that it is resumed from."""
    if keep == STRATEGY and (save is None or realpath(save) == realpath(path)):
        raise BadSetting(f"{path} could not be resumed if only its strategy were saved there: name another file")


class EarlierRun(NamedTuple):
    """What a resumed run needs of the saved solution; its arrays, which may be gigabytes, are the solver's by then."""

    iterations: int
    seconds: float
    measure: Measure
    curve: Curve


@dataclass(frozen=True, eq=False)
class Running:
    """A running solver, and what its solution will record about the run."""

    solver: Any  # solvers.run.Solver
    task: Task
    algorithm: Algorithm
    seed: int
    setup_seconds: float
    game_file: GameFile | None
    resources: Resources
    earlier: EarlierRun | None = None  # if one is resumed

    def run(
        self,
        stop: Stop,
        *,
        measure_every: int | None = None,
        on_progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
        job: str = "solve",
        save: Path | str | None = None,
        keep: str = FULL,
        on_checkpoint: Callable[[Solution], None] | None = None,
        checkpoint_seconds: float | None = None,
        measure_solver: Callable[[], Measure] | None = None,
    ) -> Solution:
        """Run to the end, saving the solution there and at checkpoints. If already at its target, only measure it.

        Checkpoints and interrupted runs save the full state, so they can be resumed. `on_checkpoint` is called at each
        checkpoint, saved or not. `measure_solver` replaces the solver's own `measure`.
        """
        solver: Solver = self.solver
        pace = kind_of(solver.form.kind).pace
        if self.earlier and stop.is_met(self.earlier.measure):
            stop = replace(stop, iterations=self.earlier.iterations)

        def checkpoint(state: Run) -> None:
            solution = self.solution(state)
            if save is not None and (keep == FULL or state.stopped in ("running", "interrupted")):
                solution.save(save)
            if on_checkpoint is not None:
                on_checkpoint(solution)

        done = run(
            solver,
            stop,
            on_progress=on_progress,
            cancel=cancel,
            job=job,
            message=self.algorithm.spec,
            measure_every=measure_every or pace.measure_every,
            first_measure=pace.first,
            growth=pace.growth,
            checkpoint=None if save is None and on_checkpoint is None else checkpoint,
            checkpoint_seconds=checkpoint_seconds or pace.checkpoint_seconds,
            measure_solver=measure_solver,
        )
        solution = self.solution(done)
        if keep == FULL or done.stopped == "interrupted":
            return solution
        alone = solution.strategy_only()
        if save is not None:
            alone.save(save)
        return alone

    def solution(self, state: Run) -> Solution:
        """The solution so far."""
        solver, last, spent = self.solver, state.last, self.earlier.seconds if self.earlier else 0.0
        form: Form = solver.form
        assert last.measure is not None
        task = self.task
        return Solution(
            strategy=strategy_of(
                form, solver.strategy_arrays(), naming_of(task.spot, task.locks, threads=self.resources.threads)
            ),
            form=form.kind,
            algorithm=self.algorithm.spec,
            seed=self.seed,
            iterations=solver.iterations,
            seconds=spent + last.seconds,
            measure=last.measure,
            stopped=state.stopped,
            pot=form.pot or 1.0,
            nodes_touched=solver.nodes_touched,
            curve=joined(self.earlier.curve if self.earlier else [], spent, state.curve),
            state=solver.arrays(),
            zero_sum=form.is_zero_sum,
            setup_seconds=self.setup_seconds,
            game_file=self.game_file,
            spot=task.spot,
            locks=task.locks,
            storage=self.resources.storage,
            built=form,
        )
