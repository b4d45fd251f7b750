"""What an opponent is countered in: a game or a spot, the form that suits it, and how restricted games are solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.abstraction.buckets import Buckets
from pokerlab.errors import BadGame, BadSetting, TooLarge
from pokerlab.events import SILENT, Cancelled, Watch
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot import Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.solve.limits import stopping
from pokerlab.lab.solve.solving import AUTO, check_form, open_algorithm
from pokerlab.lab.solve.tasks import open_task
from pokerlab.lab.solve.training import abstracted
from pokerlab.solvers.analysis.restriction import Restriction, held_for_the_game
from pokerlab.solvers.cfr.fixed import FixedCfr, measure_fixed
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.forecast import available_memory, bytes_text
from pokerlab.tree.form import SHARE_OF_MEMORY, Form, Problem, SuitIsomorphism, build_form, choose, kind_of
from pokerlab.tree.resources import Resources

FORMS = ("sequence", "public", "classes", "bucketed")  # best first; the linear program runs on the first alone
COPIES = 2.5  # memory relative to a solver of a large form: opponents and responses are stored beside it
SPOT_TARGET = "0.1%"  # of the pot: finer than when a spot is solved, since differences of solutions are reported
SAMPLER = "external"  # the sampling algorithm that counters an opponent over buckets
NEEDED = "counter-strategies need lp, or an algorithm of the CFR family that does not sample, such as dcfr"
SAMPLED_SECONDS = 60.0  # of each counter-strategy by sampling, by default
FIRST_SAMPLED_MEASURE = 16  # iterations, each of many deals
OVER_BUCKETS = (
    "counter-strategies of large games are computed over buckets: make some with `pokerlab abstract --recall perfect`, "
    "and name their file with --buckets"
)
INSIDE_TARGET = "1%"  # of the pot, for abstractions of games too large to measure
MEASURE_INSIDE_EVERY = 10  # iterations there: measuring costs as much as an iteration
TARGET_SHARE = 1e-5  # of the largest payoff: the default target in forms that are not large


def restricted_solver(algorithm: str | Algorithm | None) -> Algorithm | None:
    """The algorithm for restricted games; BadSetting if it cannot solve them."""
    if algorithm is None:
        return None
    method = open_algorithm(algorithm)
    if method.name not in ("lp", SAMPLER) and method.schedule is None:
        raise BadSetting(f"{NEEDED}; {method.name} is neither, and over buckets only {SAMPLER} samples")
    return method


def open_problem(game: str | Path | Game | Spot | Mapping[str, Any], buckets: Path | str | Buckets | None) -> Problem:
    """The game or spot, with buckets or without; locks are refused, since they are an opponent that is known."""
    if buckets is not None:
        return abstracted(str(game), buckets)
    task = open_task(game)
    if task.locks:
        raise BadSetting(
            "this spot has locks, and exploit counters an opponent of the spot itself: leave them out, solve the spot "
            "with them, and name that solution as the opponent"
        )
    problem = task.problem
    assert problem is not None
    return problem.spot if isinstance(problem, SpotGame) else problem


def kind_for(problem: Problem, algorithm: Algorithm | None, form: str) -> str:
    """The form in which it is solved."""
    kinds: tuple[str, ...] = FORMS
    if algorithm is not None and algorithm.name == SAMPLER and not isinstance(problem, Abstracted):
        raise BadSetting(f"{NEEDED}; {SAMPLER} samples over buckets alone: add --buckets FILE")
    if algorithm is not None and algorithm.schedule is None:
        kinds = FORMS[-1:] if algorithm.name == SAMPLER else FORMS[:1]
    possible = kinds if form == AUTO else (form,)
    missing = [kind for kind in possible if kind in FORMS and kind_of(kind).why_not(problem)]
    if isinstance(problem, Spot) and len(missing) == len(possible):
        raise BadSetting("a spot is countered in the public form, by algorithms of the CFR family: dcfr, cfr+, pcfr+")
    if form == AUTO:
        return choose(problem, kinds).kind
    check_form(problem, form, kinds, runner="lp" if form in FORMS else "exploit")
    return form


@dataclass(frozen=True, eq=False)
class Opening:
    """A game or a spot before its form is built, and how it will be solved."""

    problem: Problem
    kind: str
    algorithm: Algorithm | None
    limits: Mapping[str, Any]
    threads: int
    watch: Watch
    folded: bool = True  # whether suit-isomorphic boards are stored once
    seed: int = 0

    @property
    def spot(self) -> Spot | None:
        """The spot, if it is one."""
        return self.problem if isinstance(self.problem, Spot) else None

    @cached_property
    def table(self) -> Game:
        """The game as agents play it."""
        if isinstance(self.problem, Spot):
            return SpotGame(self.problem)
        return self.problem.game if isinstance(self.problem, Abstracted) else self.problem

    def build(self) -> CounterGame:
        """Build the form, and choose how restricted games are solved in it."""
        kind = kind_of(self.kind)
        algorithm = self.algorithm or open_algorithm(kind.default_algorithm)
        if self.algorithm is None and algorithm.schedule is None:
            algorithm = open_algorithm("dcfr")
        resources = Resources(self.threads)
        resources.check(self.kind)
        isomorphism = SuitIsomorphism(symmetric=self.folded)
        needed = COPIES * kind.forecast(self.problem, isomorphism).bytes if kind.is_large else 0
        if needed > (limit := SHARE_OF_MEMORY * available_memory()):
            raise TooLarge(
                f"counter-strategies in the {self.kind} form need {bytes_text(needed)}, more than the "
                f"{bytes_text(limit)} available; drop bet sizes, cap the raises, "
                "narrow the ranges, or start on a later street"
            )
        try:
            form = build_form(self.problem, self.kind, isomorphism=isomorphism).on(resources)
        except TooLarge as error:
            if not isinstance(self.problem, PokerGame):
                raise
            raise TooLarge(f"{error}; {OVER_BUCKETS}") from error
        if form.players != 2 or not form.is_zero_sum:
            rake = ": leave out its rake" if self.spot is not None else ""
            raise BadGame(f"counter-strategies exist for two-player zero-sum games, and {form.name} is not one{rake}")
        game = CounterGame(form, algorithm, self._stop(form), resources, self.watch, self.seed)
        if kind.is_large or algorithm.name == SAMPLER:
            game.rehearse()
        return game

    def _stop(self, form: Form) -> Stop:
        """When to stop: by default, at a finer target than when the problem itself is solved."""
        if any(limit is not None for limit in self.limits.values()):
            return stopping(self.limits, form)
        if self.spot is not None:
            return stopping({"target": SPOT_TARGET}, form)
        if self.algorithm is not None and self.algorithm.name == SAMPLER:
            return Stop(seconds=SAMPLED_SECONDS)
        if form.is_measured_inside:
            return stopping({"target": INSIDE_TARGET}, form)
        large = kind_of(form.kind).is_large
        return stopping({}, form) if large else Stop(target=TARGET_SHARE * (form.max_abs_payoff or 1.0))


@dataclass(frozen=True, eq=False)
class CounterGame:
    """A game in a form, and how restricted versions of it are solved."""

    form: Form
    algorithm: Algorithm
    stop: Stop
    resources: Resources
    watch: Watch = SILENT
    seed: int = 0  # of algorithms that sample

    def rehearse(self) -> None:
        """Run for a moment on a tiny game, so that kernels are compiled before a clock starts."""
        small = self.form.small().on(self.resources)
        self.algorithm.rehearse(self.form, resources=self.resources)
        if self.algorithm.schedule is not None or self.algorithm.name == SAMPLER:
            solver = self._solver(small, held_for_the_game(small, small.uniform(), 0.5, player=0))
            solver.advance(1)
            solver.measure()

    def respond(self, restriction: Restriction) -> tuple[np.ndarray, float, int]:
        """A profile of the restricted game's equilibrium [A], its distance from equilibrium, and the iterations."""
        samples = self.algorithm.name == SAMPLER
        if restriction.is_complete and not samples:
            return self.form.best_response(restriction.model, 1 - restriction.player).profile, 0.0, 0
        if self.algorithm.schedule is None and not samples:
            return self._program(restriction)
        solver = self._solver(self.form, restriction)
        every = MEASURE_INSIDE_EVERY if self.form.is_measured_inside else kind_of(self.form.kind).pace.measure_every
        watch = self.watch
        watched: dict[str, Any] = {"on_progress": watch.on_progress, "cancel": watch.cancel, "job": watch.job}
        if samples:
            every, watched["first_measure"] = None, FIRST_SAMPLED_MEASURE
        done = run(solver, self.stop, measure_every=every, **watched)
        if done.stopped == "interrupted":
            raise Cancelled("cancelled")
        assert done.last.measure is not None
        return self.form.unpack(solver.strategy_arrays()), max(done.last.measure.exploitability, 0.0), solver.iterations

    def _solver(self, form: Any, restriction: Restriction) -> Any:
        """CFR in the restricted game."""
        if self.algorithm.name == SAMPLER:
            from pokerlab.solvers.bucketed.restricted import RestrictedSampled

            name = str(self.algorithm.settings.get("schedule", "cfr"))
            return RestrictedSampled(form, schedule_of(name, purpose="sample with"), restriction, seed=self.seed)
        schedule = self.algorithm.schedule
        assert schedule is not None
        engine = ENGINES.get(form.kind)
        if engine is not None:
            return engine(form, schedule, restriction, self.resources)
        return FixedCfr(form, schedule, restriction.fixed(form))

    def _program(self, restriction: Restriction) -> tuple[np.ndarray, float, int]:
        """The linear program, which the sequence form alone has."""
        from pokerlab.solvers.analysis.restricted_program import solve_restricted

        form: Any = self.form
        profile = form.behaviour(solve_restricted(form, restriction)[0])
        measure = measure_fixed(form, restriction.fixed(form), form.plan(profile))
        return profile, max(measure.exploitability, 0.0), 1  # not by what the program says of itself

    def wins(self, profile: np.ndarray, opponent: np.ndarray, *, seat: int) -> float:
        """What a seat wins by its part of a profile from an opponent's part of another."""
        both, own = opponent.copy(), self.form.slots_of(seat)
        both[own] = profile[own]
        return self.form.expected_values(both)[seat]


def _on_public(form: Any, schedule: Any, restriction: Restriction, resources: Resources) -> Any:
    """The engine of the public form, which walks boards and keeps no plans."""
    from pokerlab.solvers.cfr.public.restricted import RestrictedPublicSolver
    from pokerlab.solvers.cfr.public.solver import PublicSolver

    if restriction.is_free:
        return PublicSolver(form, schedule, threads=resources.threads)
    return RestrictedPublicSolver(form, schedule, restriction, threads=resources.threads)


ENGINES: Mapping[str, Callable[..., Any]] = {"public": _on_public}  # by kind of form, instead of the general solver
