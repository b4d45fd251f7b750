"""Verify a saved solution: everything in the file that can be recomputed is recomputed and compared.

The form is built again, the saved strategy measured on it, and the solver restored to its saved state. Facts that
cannot be recomputed (run time, version) are listed as such. A rerun repeats the whole run, from the seed to the last
iteration, and compares the solver's state bit for bit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import registry, store
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.game_file import path_in
from pokerlab.formats.spot_file import settings_of
from pokerlab.lab.analyse.thinning import THINNED
from pokerlab.lab.solve.solving import solver_of
from pokerlab.lab.solve.tasks import Task
from pokerlab.solvers.core.algorithm import saved_algorithm
from pokerlab.solvers.core.curve import Curve, CurvePoint
from pokerlab.solvers.core.run import Solver, restore
from pokerlab.specs import read
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load, read_file
from pokerlab.strategy.forms.earlier_classes import CONVERTED
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.tree.measure import Measure
from pokerlab.tree.resources import Resources

TOLERANCE = 1e-11  # relative to the largest payoff
STOPPED = ("target", "solved", "iterations", "seconds", "interrupted", "running", THINNED)
NEVER = ("version", "seconds", "setup_seconds", "stopped")  # cannot be recomputed
BY_RERUN = ("seed", "algorithm", "earlier points of the curve", "the solver's inner state")


@dataclass(frozen=True)
class Statement:
    """A statement of a file, and the recomputed value."""

    what: str
    stated: Any
    recomputed: Any
    agrees: bool


@dataclass(frozen=True)
class Verification:
    """The statements of a file, and the result of verifying them."""

    file: Path
    name: str  # of the game
    stated: Mapping[str, Any]  # the file's manifest
    measure: Measure
    statements: tuple[Statement, ...]  # all that were recomputed
    not_recomputed: tuple[str, ...]

    @property
    def wrong(self) -> tuple[Statement, ...]:
        """The statements that do not match."""
        return tuple(statement for statement in self.statements if not statement.agrees)

    @property
    def matches(self) -> bool:
        """Whether every recomputed statement matches."""
        return not self.wrong

    @property
    def pot(self) -> float | None:
        """The pot of a spot; None for a game."""
        return float(self.stated["spot"]["pot"]) if "spot" in self.stated else None

    @property
    def exploitability_percent(self) -> float:
        """In percent of the pot of a spot."""
        assert self.pot is not None
        return 100 * self.measure.exploitability / self.pot

    @property
    def ev(self) -> list[float]:
        """For a spot: each player's share of the pot, in chips."""
        assert self.pot is not None
        return [value + self.pot / 2 for value in self.measure.values]

    def as_dict(self) -> dict[str, Any]:
        """The numbers and the verdict, for JSON."""
        of_spot: dict[str, Any] = {}
        if self.pot is not None:
            of_spot = {
                "exploitability_percent": self.exploitability_percent,
                "ev": self.ev,
                "stated_exploitability_percent": self.stated.get("exploitability_percent"),
            }
        return {
            "file": str(self.file),
            "game": self.name if self.pot is None else "spot",
            "exploitability": self.measure.exploitability,
            "nash_conv": self.measure.nash_conv,
            "values": list(self.measure.values),
            "stated_exploitability": self.stated.get("exploitability"),
            **of_spot,
            "matches": self.matches,
            "recomputed": [statement.what for statement in self.statements],
            "wrong": [{"what": one.what, "stated": one.stated, "found": one.recomputed} for one in self.wrong],
            "not_recomputed": list(self.not_recomputed),
        }


def verify(path: Path | str, *, rerun: bool = False) -> Verification:
    """Verify a saved solution against its game or spot; with `rerun`, also by solving it from the start."""
    saved = load(path)
    if rerun and saved.stopped == THINNED:
        raise BadSetting(
            f"{path} was thinned out after it was solved, so a rerun cannot reproduce it; leave out --rerun"
        )
    file = read_file(path)
    words = file.manifest
    if rerun and CONVERTED in words:
        raise BadSetting(
            f"an earlier version saved {path}, and a rerun does not repeat its steps exactly; leave out --rerun"
        )
    form = saved.built_form()
    measure, answer = saved.strategy.measure_in(form), saved.strategy.solver_arrays(form)
    expected = strategy_of(form, answer, StrategyNames()).file_contents() if answer else ({}, {})
    scale = form.max_abs_payoff
    method = read(saved.algorithm)[0]
    strange = not registry.is_own(method) and not registry.is_known("algorithms", method)  # most likely user code
    solver = None
    if saved.state and not strange:
        solver = _started(saved, form)
        try:
            restore(solver, saved.state)
        except BadFile as problem:
            raise BadFile(
                f"{path} holds no state of {saved.algorithm} on {saved.game}, so it cannot be verified: {problem}"
            ) from problem
    statements = [
        *(_same(name, file.arrays.get(name), array) for name, array in expected[0].items()),
        *(_same(name, words.get(name), word) for name, word in expected[1].items() if name != "game"),
        *_manifest(saved, form, words, measure),
        *_curve(saved.curve, words, (measure, saved.nodes_touched), scale),
    ]
    unsure = [*NEVER, *(["path of the game file"] if path_in(saved.game) else [])]
    if solver is not None:
        statements += _state(solver, saved, answer)
    else:
        unsure += ["iterations", "nodes_touched", *(["locks"] if saved.locks else [])]
    if strange:
        unsure.append(f"the state of {method}, which is no algorithm of the library")
    if rerun:
        again = _started(saved, form)
        of_run = saved.curve if saved.state else [point for point in saved.curve if point[0] < saved.iterations]
        statements += _rerun(again, saved.state, of_run, iterations=saved.iterations, scale=scale)
        if not saved.state:  # the result of the run, rounded as the file stores it
            arrays, result = (
                saved.strategy.file_contents()[0],
                strategy_of(form, again.strategy_arrays(), StrategyNames()),
            )
            rounded = result.strategy_only().file_contents()[0]
            statements += [_same(f"strategy: {name}", arrays.get(name), array) for name, array in rounded.items()]
    unsure += [] if rerun else BY_RERUN
    return Verification(Path(path), saved.game, store.manifest_of(path), measure, tuple(statements), tuple(unsure))


def _manifest(saved: Solution, form: Any, words: Mapping[str, Any], measure: Measure) -> list[Statement]:
    """The facts of a manifest that can be recomputed; earlier versions state fewer."""
    scale = form.max_abs_payoff
    close: dict[str, Any] = {"values": list(measure.values), "best_responses": list(measure.best_responses)}
    same: dict[str, Any] = {}
    if "exploitability" in words or "exploitability_percent" not in words:  # earlier versions state percents for spots
        close["exploitability"] = measure.exploitability
    if "form" in words:
        same |= {"form": form.kind, "players": form.players}
        same |= {"game": form.name} if path_in(saved.game) is None else {}
    if saved.spot is not None:
        same["spot"] = json.loads(json.dumps(settings_of(saved.spot)))  # tuples become lists, as in a file
    if "nash_conv" in words:
        close["nash_conv"], same["zero_sum"] = measure.nash_conv, form.is_zero_sum
    if "pot" in words:
        close["pot"] = form.pot or 1.0
    if not saved.measure.is_known:  # a training in which measuring did not fit: the file states nothing to compare
        close = {name: value for name, value in close.items() if words.get(name) is not None}
    statements = [_close(name, words.get(name), value, scale) for name, value in close.items()]
    statements += [_same(name, words.get(name), value) for name, value in same.items()]
    if saved.spot is None:
        statements.append(_same("game_file", words.get("game_file") is not None, path_in(saved.game) is not None))
    elif "exploitability_percent" in words:
        stated, percent = words["exploitability_percent"], max(100 * measure.exploitability / saved.pot, 0.0)
        statements.append(_close("exploitability_percent", stated, percent, 100 * scale / saved.pot))
    return statements


def _started(saved: Solution, form: Any) -> Any:
    """The solver of a solution before its first iteration."""
    task, method = Task(saved.spot, saved.locks), saved_algorithm(saved.algorithm)
    return solver_of(task, form, method, seed=saved.seed, resources=Resources(storage=saved.storage))


def _state(solver: Any, saved: Solution, answer: Mapping[str, np.ndarray]) -> list[Statement]:
    """Restore the solver to the saved state and compare its strategy and counts with the file."""
    played = solver.strategy_arrays()
    statements = [
        *(_close("strategy of the solver's state", array, played[name], 1.0) for name, array in answer.items()),
        _same("iterations", saved.iterations, solver.iterations),
        _same("nodes_touched", saved.nodes_touched, solver.nodes_touched),
    ]
    if saved.locks:
        unchanged = solver.keeps_locks()
        states = f"strategies {'as locked' if unchanged else 'that are not'}"
        statements.append(Statement("locks", "strategies as locked", states, unchanged))
    return statements


def _rerun(
    solver: Solver, state: Mapping[str, np.ndarray], curve: Curve, *, iterations: int, scale: float
) -> list[Statement]:
    """Repeat the whole run with the same measurements: the curve, and the final state."""
    rerun: Curve = []
    for at in [*(point.iterations for point in curve), iterations]:
        if solver.iterations < min(at, iterations):
            solver.advance(min(at, iterations) - solver.iterations)
        measure = solver.measure()
        gap, values = measure.exploitability, measure.values
        rerun.append(CurvePoint(solver.iterations, 0.0, gap, solver.nodes_touched, values))
    rerun.pop()  # the final state, which the curve may omit
    stated, counted = ([(point.iterations, point.nodes_touched) for point in points] for points in (curve, rerun))
    gaps, measured = ([point.exploitability for point in points] for points in (curve, rerun))
    valued = [(one.values, two.values) for one, two in zip(curve, rerun, strict=True) if one.values]
    return [
        _same("iterations and nodes of the curve", stated, counted),
        _close("exploitability of the curve", gaps, measured, scale),
        _close("values of the curve", [one for one, _ in valued], [two for _, two in valued], scale),
        *(_same(f"state: {name}", state.get(name), array) for name, array in solver.arrays().items() if state),
    ]


def _curve(curve: Curve, words: Mapping[str, Any], end: tuple[Measure, int], scale: float) -> list[Statement]:
    """Check that the curve advances and ends as the run did, unless the run was stopped between measurements.

    `end` is the measure and the nodes touched of the file's solution.
    """
    ended, iterations = words.get("stopped"), words.get("iterations")
    rising = all(one[0] <= two[0] and one[1] <= two[1] and one[3] <= two[3] for one, two in pairwise(curve))
    sane = all(math.isfinite(number) and number >= 0 for point in curve for number in (point[0], point[1], point[3]))
    within = all(point[0] <= int(words["iterations"]) and point[1] <= float(words["seconds"]) + 1e-6 for point in curve)
    statements = [
        _same("order of the curve", rising and sane and within, True),
        Statement("a word for why it stopped", ended, f"one of {', '.join(STOPPED)}", ended in STOPPED),
    ]
    last = curve[-1] if curve else None
    if ended != "running" and end[0].is_known and words.get("values") is not None:
        statements.append(_same("last point of the curve", last and last.iterations, iterations))
    if last is not None and last.iterations == iterations:
        measure, nodes = end
        gap = measure.exploitability
        statements.append(_close("exploitability at the last point of the curve", last.exploitability, gap, scale))
        statements.append(_same("nodes at the last point of the curve", last.nodes_touched, nodes))
        if "curve_columns" in words:  # earlier versions stored no values
            statements.append(_close("values at the last point of the curve", last.values, measure.values, scale))
    return statements


def _same(what: str, stated: Any, recomputed: Any) -> Statement:
    if isinstance(recomputed, np.ndarray):
        agrees = (
            isinstance(stated, np.ndarray)
            and stated.dtype == recomputed.dtype
            and np.array_equal(stated, recomputed, equal_nan=recomputed.dtype.kind == "f")
        )
        return Statement(what, "as saved", "as recomputed", bool(agrees))
    return Statement(what, stated, recomputed, type(stated) is type(recomputed) and stated == recomputed)


def _close(what: str, stated: Any, recomputed: Any, scale: float) -> Statement:
    """Compare up to rounding, relative to the largest payoff; nothing to compare if it cannot be measured."""
    if stated is None and np.isnan(np.asarray(recomputed, float)).all():
        return Statement(what, None, None, True)
    try:
        one, other = np.asarray(stated, float), np.asarray(recomputed, float)
        agrees = one.shape == other.shape and bool((np.abs(one - other) <= TOLERANCE * scale).all())
    except (TypeError, ValueError):
        agrees = False
    if np.size(recomputed) > 8:
        return Statement(what, "as saved", "as recomputed", agrees)
    return Statement(what, stated, recomputed, agrees)
