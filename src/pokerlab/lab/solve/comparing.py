"""Several algorithms on one game, each in the form that suits it best, and their curves side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.lab.solve.limits import check_limits, stopping
from pokerlab.lab.solve.solving import BuiltTask, prepare, start
from pokerlab.lab.solve.tasks import Task, open_task
from pokerlab.notebook_display import NotebookDisplay
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
        gaps = ", ".join(f"{name} {solution.exploitability:.3g}" for name, solution in self.ranking)
        return f"<Comparison on {self.game}, exploitability: {gaps}>"

    @property
    def interrupted(self) -> bool:
        """Whether it was interrupted."""
        return any(solution.stopped == "interrupted" for solution in self.solutions.values())

    @property
    def is_mixed(self) -> bool:
        """Whether some iterations traverse the game and others sample it, which is not the same work."""
        return bool(self.samplers) and not self.samplers.issuperset(self.solutions)

    @property
    def ranking(self) -> list[tuple[str, Solution]]:
        """The algorithms with their solutions, the least exploitable first, unmeasured ones last."""
        measured = [pair for pair in self.solutions.items() if pair[1].measure.is_known]
        others = [pair for pair in self.solutions.items() if not pair[1].measure.is_known]
        return [*sorted(measured, key=lambda pair: pair[1].exploitability), *others]

    def columns(self) -> Columns:
        """The curves as columns, a row for each measurement of each algorithm."""
        players = max((solution.strategy.players for solution in self.solutions.values()), default=0)
        columns: dict[str, list[Any]] = {"algorithm": [], "form": []}
        columns |= curve_columns([], players=players)
        for name, solution in self.solutions.items():
            columns["algorithm"] += [name] * len(solution.curve)
            columns["form"] += [solution.form] * len(solution.curve)
            for heading, numbers in curve_columns(solution.curve, players=players).items():
                columns[heading] += numbers
        return columns

    def to_pandas(self) -> Any:
        """A DataFrame of the curves, with a row for each measurement of each algorithm."""
        return frame(self.columns())

    def as_dict(self) -> dict[str, Any]:
        """The results with their curves, for JSON."""
        results = {}
        for name, solution in self.solutions.items():
            points = [
                point._asdict()
                | {"nash_conv": solution.strategy.players * point.exploitability, "values": list(point.values)}
                for point in solution.curve
            ]
            results[name] = solution.summary() | {"samples": name in self.samplers, "curve": points}
        run = {"interrupted": self.interrupted, "not_run": list(self.not_run)}
        return {"game": self.game, "results": results} | run


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
    """Run several algorithms on one game, each until a target, some iterations, or a time limit (3 s by default).

    - problem: anything that `solve` takes by name
    - algorithms: names with settings, in a list or as "cfr,dcfr"
    - target: stop an algorithm at this exploitability, in the game's units or as "0.1%" of the starting pot
    - iterations: stop an algorithm after this many
    - seconds: stop an algorithm after this many
    - seed: of algorithms that sample
    - form: sequence, public, classes ...; "auto" chooses by size
    - on_progress: called with an Event for each step; its message is the running algorithm
    - cancel: a CancelToken; a cancelled comparison contains the algorithms that have run so far
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
    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel or CancelToken()}
    built: dict[str, BuiltTask] = {}  # by the preferred form of an algorithm
    solutions: dict[str, Solution] = {}
    for spec, method in methods.items():
        wanted = method.forms[0] if form == "auto" else form
        if wanted not in built:
            built[wanted] = prepare(task, algorithm=method, form=form, **watching)
        running = start(replace(built[wanted], algorithm=method), seed=seed)
        stop = stopping(limits, running.solver.form, spot=task.spot, algorithm=method)
        solutions[spec] = running.run(stop, job="compare", **watching)
        if solutions[spec].stopped == "interrupted":
            break
    samplers = frozenset(spec for spec in solutions if methods[spec].random)
    return Comparison(task.name, solutions, tuple(spec for spec in specs if spec not in solutions), samplers)
