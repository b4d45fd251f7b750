"""Several algorithms on one game, each in the form that suits it best, and their curves side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.lab.solve.limits import check_limits, stopping
from pokerlab.lab.solve.solving import BuiltTask, prepare, start
from pokerlab.lab.solve.tasks import Task, open_task
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.curve import curve_columns
from pokerlab.strategy.files.solution import Solution
from pokerlab.tables import Columns, frame

USUAL = ("cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+", "external")
DEFAULT_SECONDS = 3.0  # for each algorithm, by default


@dataclass(frozen=True, eq=False)
class Comparison(NotebookDisplay):
    """The results of several algorithms on one game."""

    game: str
    solutions: Mapping[str, Solution]  # by the algorithm as the caller named it, in that order
    not_run: tuple[str, ...] = ()  # after an interrupt
    samplers: frozenset[str] = frozenset()  # algorithms whose iterations sample a part of the game

    def __repr__(self) -> str:
        found = ", ".join(f"{name} {one.exploitability:.3g}" for name, one in self.ranking)
        return f"<Comparison on {self.game}, exploitability: {found}>"

    @property
    def interrupted(self) -> bool:
        """Whether it was interrupted."""
        return any(found.stopped == "interrupted" for found in self.solutions.values())

    @property
    def is_mixed(self) -> bool:
        """Whether some iterations traverse the game and others sample it, which is not the same work."""
        return bool(self.samplers) and not self.samplers.issuperset(self.solutions)

    @property
    def ranking(self) -> list[tuple[str, Solution]]:
        """The algorithms with their solutions, the least exploitable first, unmeasured ones last."""

        def gap(item: tuple[str, Solution]) -> float:
            return item[1].exploitability if item[1].measure.is_known else math.inf

        return sorted(self.solutions.items(), key=gap)

    def columns(self) -> Columns:
        """The curves as columns, a row for each measurement of each algorithm."""
        players = max((found.strategy.players for found in self.solutions.values()), default=0)
        columns: dict[str, list[Any]] = {"algorithm": [], "form": []}
        columns |= curve_columns([], players=players)
        for name, found in self.solutions.items():
            columns["algorithm"] += [name] * len(found.curve)
            columns["form"] += [found.form] * len(found.curve)
            for heading, numbers in curve_columns(found.curve, players=players).items():
                columns[heading] += numbers
        return columns

    def to_pandas(self) -> Any:
        """A DataFrame of the curves, with a row for each measurement of each algorithm."""
        return frame(self.columns())

    def as_dict(self) -> dict[str, Any]:
        """The results with their curves, for JSON."""
        results = {
            name: found.summary() | {"samples": name in self.samplers, "curve": _points(found)}
            for name, found in self.solutions.items()
        }
        told = {"interrupted": self.interrupted, "not_run": list(self.not_run)}
        return {"game": self.game, "results": results} | told


def _points(found: Solution) -> list[dict[str, Any]]:
    players = found.strategy.players
    return [
        {
            "iterations": point.iterations,
            "seconds": point.seconds,
            "nodes_touched": point.nodes_touched,
            "exploitability": point.exploitability,
            "nash_conv": players * point.exploitability,
            "values": list(point.values),
        }
        for point in found.curve
    ]


def compare(
    problem: str | Path | Game | Spot | Mapping[str, Any] | Task,
    algorithms: str | Sequence[str] = USUAL,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    form: str = "auto",
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> Comparison:
    """Run several algorithms on one game, each until a target, a number of iterations or of seconds: 3 by default.

    The problem is anything that `solve` takes by name. The message of an event is the running algorithm; a cancelled
    comparison contains the algorithms that have run so far.
    """
    specs = list(dict.fromkeys([algorithms] if isinstance(algorithms, str) else algorithms))
    if not specs:
        raise BadSetting("name the algorithms to compare, as in cfr,dcfr,external")
    methods = {spec: registry.load("algorithms", spec) for spec in specs}
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    if all(limit is None for limit in limits.values()):
        limits["seconds"] = DEFAULT_SECONDS
    check_limits(limits)
    task = open_task(problem)
    watch = Watch("compare", on_progress, cancel or CancelToken())
    found = dict(_each(task, methods, limits=limits, seed=seed, form=form, watch=watch))
    not_run = tuple(spec for spec in specs if spec not in found)
    samplers = frozenset(spec for spec in found if methods[spec].random)
    return Comparison(task.name, found, not_run, samplers)


def _each(
    task: Task,
    methods: Mapping[str, Algorithm],
    *,
    limits: Mapping[str, Any],
    seed: int,
    form: str,
    watch: Watch,
) -> Iterator[tuple[str, Solution]]:
    """Yield each algorithm's name and solution; an interrupted one is the last."""
    watched: dict[str, Any] = {"on_progress": watch.on_progress, "cancel": watch.cancel}
    laid: dict[str, BuiltTask] = {}  # by the preferred form of an algorithm
    for spec, method in methods.items():
        wanted = method.forms[0] if form == "auto" else form
        if wanted not in laid:
            laid[wanted] = prepare(task, algorithm=method, form=form, **watched)
        running = start(replace(laid[wanted], algorithm=method), seed=seed)
        stop = stopping(limits, running.solver.form, spot=task.spot, algorithm=method)
        found = running.run(stop, job=watch.job, **watched)
        yield spec, found
        if found.stopped == "interrupted":
            return
