"""The methods of `pokerlab evolve`: which options are theirs, their solvers, and one run with its checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import error_console, literal

if TYPE_CHECKING:
    from pokerlab.report.evolution import Evolution
    from pokerlab.solvers.run import Run, Stop
    from pokerlab.tree.roles import RoleForm

UNITS = {
    "populations": "generations",
    "united": "generations",
    "regret": "rounds",
    "cfr+": "iterations",
    "dcfr": "iterations",
    "pcfr+": "iterations",
    "lp": "iterations",
}
DEFAULT_ITERATIONS = {"populations": 200, "united": 200, "regret": 20_000_000, "lp": 1} | dict.fromkeys(
    ("cfr+", "dcfr", "pcfr+"), 2000
)
_DEFAULT_SIZE = {"population": 1000, "rounds": 1000}


def check_options(method: str, genetic: Mapping[str, Any], stopping: Mapping[str, Any], seed: int) -> None:
    """Refuse a method that does not exist, and options that do nothing for the chosen one."""
    from pokerlab.errors import BadSetting

    if method not in UNITS:
        raise BadSetting(f"{method[:60]!r} is not a method; choose one of {', '.join(UNITS)}")
    idle = []
    if UNITS[method] != "generations":
        idle += [name for name, value in genetic.items() if value is not None and value is not False]
    if method == "lp":
        idle += [name for name, value in stopping.items() if value is not None]
    if UNITS[method] == "iterations" and seed:
        idle.append("seed")
    if idle:
        names = ", ".join(f"--{name}" for name in idle)
        raise BadSetting(f"the method {method} has no use for {names}; leave {'it' if len(idle) == 1 else 'them'} out")


def solver_of(game: RoleForm, method: str, genetic: Mapping[str, Any], seed: int) -> Any:
    """The solver of a method."""
    from dataclasses import replace

    from pokerlab import registry
    from pokerlab.errors import BadSetting
    from pokerlab.solvers.evolve.genetic import SECTION_3, SECTION_6, GeneticSolver
    from pokerlab.solvers.roles.sampled import SampledRoles
    from pokerlab.solvers.roles.scheduled import ProgrammedRoles, ScheduledRoles

    if method == "regret":
        return SampledRoles(game, seed=seed)
    if method == "lp":
        return ProgrammedRoles(game)
    if UNITS[method] == "iterations":
        return ScheduledRoles(game, registry.load("algorithms", method).schedule)
    chosen = _DEFAULT_SIZE | {name: value for name, value in genetic.items() if value is not None}
    judged = chosen.pop("fitness", "real")
    if judged not in ("real", "exact"):
        raise BadSetting(f"fitness is real or exact, not {judged[:60]!r}")
    if "score" in chosen:
        chosen["fitness"] = chosen.pop("score")
    base = SECTION_6 if method == "united" else SECTION_3
    return GeneticSolver(game, replace(base, exact=judged == "exact", **chosen), seed=seed)


def evolve(
    game: RoleForm, solver: Any, stop: Stop, *, method: str, checkpoint: Path | None, note: dict[str, Any]
) -> Evolution:
    """Run a solver, on from a checkpoint where there is one, and put what it found beside what is exact."""
    from pokerlab.report.evolution import Evolution
    from pokerlab.solvers.roles.scheduled import admissible_second, solve_roles

    curve: dict[int, float] = {}
    spent = 0.0
    if checkpoint is not None and checkpoint.exists():
        curve, spent = _restore(solver, checkpoint, note)
    resumed_at, games = solver.iterations, solver.nodes_touched
    compile_for(solver)
    done = _run(solver, stop, checkpoint, note, curve, spent)
    played = UNITS[method] == "rounds" or (UNITS[method] == "generations" and not solver.settings.exact)
    exact = solve_roles(game)
    return Evolution(
        game=game,
        method=method,
        unit=UNITS[method],
        iterations=solver.iterations,
        resumed_at=resumed_at,
        games=solver.nodes_touched - games if played else None,
        games_in_all=solver.nodes_touched if played else None,
        seconds=done.last.seconds,
        seconds_in_all=spent + done.last.seconds,
        stopped=done.stopped,
        measure=solver.measure(),
        answers=tuple(solver.output) if hasattr(solver, "output") else (solver.average(0), solver.average(1)),
        exact_value=exact.value,
        exact=(exact.first, admissible_second(game, exact.value)),
        fitness=getattr(solver, "history", []),
        curve=sorted(curve.items()),
    )


def compile_for(solver: Any) -> None:
    """Run a small twin of a solver for a moment, so that its kernels are compiled before a clock starts."""
    from dataclasses import replace

    from pokerlab.solvers.evolve.genetic import GeneticSolver
    from pokerlab.solvers.roles.sampled import SampledRoles

    if isinstance(solver, GeneticSolver):
        settings = solver.settings
        small = replace(settings, population=min(settings.population, 100), rounds=min(settings.rounds, 2))
        GeneticSolver(solver.game, small).advance(1)
    elif isinstance(solver, SampledRoles):
        SampledRoles(solver.game).advance(1)


def _restore(solver: Any, path: Path, note: dict[str, Any]) -> tuple[dict[int, float], float]:
    """Put a kept state into the solver; what was measured on the way to it, and the seconds that it took."""
    from pokerlab import store
    from pokerlab.errors import BadFile
    from pokerlab.reading import finite
    from pokerlab.solvers.run import restore

    kept = store.load(path, kind="evolution")
    for name, value in note.items():
        if kept.manifest.get(name) != value:
            raise BadFile(f"{path} was kept for another {name} ({str(kept.manifest.get(name))[:60]}), not {value}")
    try:
        restore(solver, kept.arrays)
        curve = {int(at): float(found) for at, found in kept.arrays["curve"]}
        spent = finite(kept.manifest["seconds"])
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise BadFile(
            f"{path} cannot be resumed: it does not hold the whole state of {note['method']} ({problem})"
        ) from problem
    error_console().print(f"[dim]resumed from {literal(path)} at {solver.iterations:,} iterations[/dim]")
    return curve, spent


def _run(
    solver: Any, stop: Stop, checkpoint: Path | None, note: dict[str, Any], curve: dict[int, float], spent: float
) -> Any:
    import numpy as np
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from pokerlab import store
    from pokerlab.solvers.run import run

    def keep(state: Run) -> None:
        assert checkpoint is not None
        measured = np.array(sorted(curve.items()), float).reshape(-1, 2)
        words = note | {"seconds": spent + state.last.seconds}
        store.save(checkpoint, solver.arrays() | {"curve": measured}, kind="evolution", **words)

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[found]}"), TimeElapsedColumn())
    with Progress(*columns, console=error_console(), transient=True) as bar:
        task = bar.add_task("evolving", total=stop.iterations, found="")

        def shown(progress: Any) -> None:
            found = "" if progress.measure is None else f"exploitability {progress.measure.exploitability:.5f}"
            bar.update(task, completed=progress.iterations, found=found)
            if progress.fresh and progress.measure is not None:
                curve[progress.iterations] = progress.measure.exploitability

        return run(solver, stop, on_progress=shown, checkpoint=keep if checkpoint else None)
