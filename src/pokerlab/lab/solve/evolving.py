"""Solve games with one decision per player by evolution and other methods, and compare with the exact solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import registry
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import CancelToken, OnProgress
from pokerlab.lab.solve.limits import stopping
from pokerlab.lab.solve.solving import Running, prepare, reopened, start
from pokerlab.lab.solve.tasks import open_task
from pokerlab.solvers.preflop.classes.one_decision import admissible_second, solve_one_decision
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.measure import Measure

ALGORITHMS = {"populations": "genetic", "united": "genetic", "regret": "sampled-regret"}  # others by their own names
METHODS = ("populations", "united", "regret", "cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+", "lp")
GENETIC = ("populations", "united")
DEFAULT_ITERATIONS = {"populations": 200, "united": 200, "regret": 20_000_000, "lp": 1}
USUAL_ITERATIONS = 2000  # of methods that DEFAULT_ITERATIONS does not name
DEFAULT_SIZE = {"population": 1000, "rounds": 1000}

Answers = tuple[np.ndarray, np.ndarray]  # [hand] for each player, in the order of deciding


@dataclass(frozen=True, eq=False)
class Evolution:
    """The result of a run, the exact solution for comparison, and the work done in this and resumed runs."""

    form: ClassForm
    method: str
    unit: str  # "generations", "rounds", "iterations"
    iterations: int  # of all runs
    resumed_at: int  # iterations of earlier runs
    games: int | None  # played in this run; None if the method plays none
    games_in_all: int | None  # including earlier runs
    seconds: float  # of this run
    seconds_in_all: float
    stopped: str
    measure: Measure
    answers: Answers
    exact_value: float
    exact: Answers  # the second role's is the admissible one
    fitness: Sequence[tuple[float, float]]  # of the selected individuals of each role, by generation
    curve: Sequence[tuple[int, float]]  # iterations, exploitability

    @property
    def value(self) -> float:
        """The first role's expected value per hand, in the form's units."""
        return self.form.one_decision.value(*self.answers)

    @property
    def exploitability(self) -> float:
        """The average gain of best responses per hand over roles, in the form's units."""
        return self.measure.exploitability / self.form.chips

    @property
    def series(self) -> list[dict[str, Any]]:
        """One row per generation, or per measurement if the method has no generations."""
        measured = dict(self.curve)
        if self.unit != "generations":
            return [{"iteration": at, "exploitability": gap} for at, gap in measured.items()]
        names = [f"fitness_{role.lower().replace(' ', '_')}" for role in self.form.roles]
        return [
            {"generation": at, **dict(zip(names, means, strict=True)), "exploitability": measured.get(at)}
            for at, means in enumerate(self.fitness, start=1)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        names = "iterations resumed_at games games_in_all stopped value exact_value exploitability".split()
        return {name: getattr(self, name) for name in names} | {
            "seconds": round(self.seconds, 3),
            "seconds_in_all": round(self.seconds_in_all, 3),
            "units": self.form.money,
            "acting": list(self.form.one_decision.frequencies(*self.answers)),
            "strategies": self._by_hand(self.answers),
            "exact_strategies": self._by_hand(self.exact),
            "margins": self._by_hand(self.form.one_decision.margins(*self.answers)),
            "exact_margins": self._by_hand(self.form.one_decision.margins(*self.exact)),
            "series": self.series,
        }

    def _by_hand(self, numbers: Answers) -> dict[str, dict[str, float]]:
        return {
            role: {hand: round(float(number), 6) + 0.0 for hand, number in zip(self.form.hands, by_hand, strict=True)}
            for role, by_hand in zip(self.form.roles, numbers, strict=True)
        }


def algorithm_of(method: str, genetic: Mapping[str, Any]) -> Any:
    """The algorithm of a method, with the given settings of populations (None: not given)."""
    if method not in METHODS:
        raise BadSetting(f"{method[:60]!r} is not a method; choose one of {', '.join(METHODS)}")
    name = ALGORITHMS.get(method, method)
    if method not in GENETIC:
        return registry.load("algorithms", name)
    chosen = DEFAULT_SIZE | {setting: value for setting, value in genetic.items() if value is not None}
    judged = chosen.pop("fitness", "real")
    if judged not in ("real", "exact"):
        raise BadSetting(f"fitness is real or exact, not {str(judged)[:60]!r}")
    if "score" in chosen:
        chosen["fitness"] = chosen.pop("score")
    return registry.load("algorithms", name, united=method == "united", exact=judged == "exact", **chosen)


def begin(game: str, *, method: str, genetic: Mapping[str, Any], seed: int, checkpoint: Path | None) -> Running:
    """Start a run of a method, or resume it from its checkpoint if there is one."""
    algorithm = algorithm_of(method, genetic)
    task = open_task(game)
    if task.spot is not None:
        raise BadSetting("a spot is not a game with one decision per player; solve it with `pokerlab spot`")
    if checkpoint is None or not checkpoint.exists():
        built = prepare(task, algorithm=algorithm, form="classes")
        form: Any = built.form
        _ = form.one_decision  # BadGame if players decide more than once
        return start(built, seed=seed)
    running = reopened(checkpoint)
    for what, saved, requested in (
        ("game", running.task.name, task.name),
        ("method", running.algorithm.name, algorithm.name),
        ("settings", running.algorithm.spec, algorithm.spec),
        ("seed", running.seed, seed),
    ):
        if saved != requested:
            raise BadFile(f"{checkpoint} was saved for another {what} ({str(saved)[:60]}), not {requested}")
    return running


def evolve(
    running: Running,
    *,
    method: str,
    limits: Mapping[str, Any],
    checkpoint: Path | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> Evolution:
    """Run a method to its end, and compare its result with the exact solution.

    A target is in the form's units, which are big blinds if there are blinds.
    """
    solver, form = running.solver, running.solver.form
    resumed_at, games = solver.iterations, solver.nodes_touched
    target = limits.get("target")
    stop = stopping({**limits, "target": None if target is None else target * form.chips}, form)
    solution = running.run(stop, on_progress=on_progress, cancel=cancel, save=checkpoint)
    spent = running.earlier.seconds if running.earlier else 0.0
    game = form.one_decision
    exact = solve_one_decision(game)
    played = method == "regret" or (method in GENETIC and not solver.settings.exact)
    return Evolution(
        form=form,
        method=method,
        unit=running.algorithm.unit,
        iterations=solver.iterations,
        resumed_at=resumed_at,
        games=solver.nodes_touched - games if played else None,
        games_in_all=solver.nodes_touched if played else None,
        seconds=solution.seconds - spent,
        seconds_in_all=solution.seconds,
        stopped=solution.stopped,
        measure=solution.measure,
        answers=solution.strategy.acts,
        exact_value=exact.value,
        exact=(exact.first, admissible_second(game, exact.value)),
        fitness=getattr(solver, "history", []),
        curve=[(point.iterations, point.exploitability / form.chips) for point in solution.curve],
    )


def limits_of(method: str, *, iterations: int | None, target: Any, seconds: float | None) -> dict[str, Any]:
    """When a method stops: by default after its usual number of iterations."""
    usual = DEFAULT_ITERATIONS.get(method, USUAL_ITERATIONS)
    return {"iterations": iterations or usual, "target": target, "seconds": seconds}


def idle_options(
    method: str, genetic: Mapping[str, Any], limits: Mapping[str, Any], *, seed: int, checkpoint: Path | None
) -> list[str]:
    """Options that have no effect for a method."""
    idle = []
    if method not in GENETIC:
        idle += [name for name, value in genetic.items() if value is not None and value is not False]
    if method == "lp":
        idle += [name for name, value in {**limits, "checkpoint": checkpoint}.items() if value is not None]
    if method not in (*GENETIC, "regret") and seed:
        idle.append("seed")
    return idle
