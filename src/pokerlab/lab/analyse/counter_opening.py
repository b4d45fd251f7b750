"""Set up a counter-strategy: the game or spot, its form, and how restricted games are solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.errors import BadGame, BadSetting, TooLarge
from pokerlab.events import Watch
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.analyse.counter_game import CounterGame
from pokerlab.lab.solve.limits import stopping
from pokerlab.lab.solve.solving import AUTO
from pokerlab.lab.solve.tasks import open_task
from pokerlab.lab.solve.training import abstracted
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop
from pokerlab.tree.forecast import available_memory, bytes_text
from pokerlab.tree.form import (
    KINDS,
    SHARE_OF_MEMORY,
    Form,
    Problem,
    SuitIsomorphism,
    build_form,
    choose,
    kind_of,
    why_not,
)
from pokerlab.tree.public.forecast import size_of
from pokerlab.tree.public.form import outline
from pokerlab.tree.resources import Resources

FORMS = ("sequence", "public", "classes", "bucketed")  # best first; only the first supports the linear program
COPIES = 2.5  # memory relative to a solver of the public form: for opponents, best responses and stored strategies
SPOT_TARGET = "0.1%"  # of the pot
TARGET_SHARE = 1e-5  # of the largest payoff: target exploitability of a restricted game in the sequence form


def solved_by(algorithm: str | Algorithm | None) -> Algorithm | None:
    if algorithm is None:
        return None
    found = registry.load("algorithms", algorithm) if isinstance(algorithm, str) else algorithm
    assert isinstance(found, Algorithm)
    if found.name != "lp" and found.schedule is None:
        raise BadSetting(
            f"counter-strategies are found by lp or by an algorithm of the CFR family that samples nothing, dcfr say; "
            f"{found.name} is none"
        )
    return found


def opened_problem(game: str | Path | Game | Spot | Mapping[str, Any], buckets: Path | str | None) -> Problem:
    """The problem, with or without buckets; locks are rejected, since they model a known opponent."""
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
    """The form to solve it in."""
    kinds = FORMS[:1] if algorithm is not None and algorithm.schedule is None else FORMS
    if isinstance(problem, Spot) and (kinds == FORMS[:1] or form == FORMS[0]):
        raise BadSetting(
            "a spot is countered in the public form, by algorithms of the CFR family: dcfr, cfr+, pcfr+ ..."
        )
    if form == AUTO:
        return choose(problem, kinds).kind
    if form not in KINDS:
        raise BadSetting(f"there is no form called {form[:40]!r}; {registry.nearest(form[:40], list(KINDS))}")
    if form not in kinds:
        name = "lp" if form in FORMS else "exploit"
        raise BadSetting(f"{name} does not run on the {form} form; it runs on {', '.join(kinds)}")
    reason = why_not(problem, form)
    if reason:
        raise BadSetting(reason)
    return form


@dataclass(frozen=True, eq=False)
class Opening:
    """A game or a spot whose form is to be built, and how it will be solved."""

    problem: Problem
    kind: str
    algorithm: Algorithm | None
    limits: Mapping[str, Any]
    threads: int
    watch: Watch
    folded: bool = True  # whether suit-isomorphic boards are merged

    @property
    def spot(self) -> Spot | None:
        """The spot, if it is one."""
        return self.problem if isinstance(self.problem, Spot) else None

    @cached_property
    def table(self) -> Game:
        """The game to play."""
        if isinstance(self.problem, Spot):
            return SpotGame(self.problem)
        return self.problem.game if isinstance(self.problem, Abstracted) else self.problem

    def _limits(self) -> Mapping[str, Any]:
        """When to stop: a spot is solved more precisely than usual, since differences are reported."""
        said = any(limit is not None for limit in self.limits.values())
        return self.limits if said or self.spot is None else {**self.limits, "target": SPOT_TARGET}

    def build(self) -> CounterGame:
        """Build the form and set up how restricted games are solved in it."""
        usual = kind_of(self.kind).default_algorithm if self.kind in FORMS[:2] else "dcfr"
        algorithm = self.algorithm or registry.load("algorithms", usual)
        resources = Resources(self.threads)
        resources.check(self.kind)
        isomorphism = SuitIsomorphism(symmetric=self.folded)
        if self.kind == "public":
            _check_size(self.problem, isomorphism)
        form = build_form(self.problem, self.kind, isomorphism=isomorphism).on(resources)
        if form.players != 2 or not form.is_zero_sum:
            rake = ": leave out its rake" if self.spot is not None else ""
            raise BadGame(f"counter-strategies exist for two-player zero-sum games, and {form.name} is not one{rake}")
        public = self.kind == "public"
        stop = stopping(self._limits(), form, spot=self.spot) if public else _stop(self.limits, form)
        game = CounterGame(form, algorithm, stop, resources, self.watch)
        if public:
            game.rehearse()
        return game


def _check_size(problem: Problem, isomorphism: SuitIsomorphism) -> None:
    """Raise TooLarge if a public form, its solver and the stored strategies would not fit."""
    needed, limit = COPIES * size_of(outline(problem, isomorphism)).bytes, SHARE_OF_MEMORY * available_memory()
    if needed > limit:
        raise TooLarge(
            f"counter-strategies in the public form of this need {bytes_text(needed)}, and {bytes_text(limit)} may be "
            "used; drop bet sizes, cap the raises, narrow the ranges, or start on a later street"
        )


def _stop(limits: Mapping[str, Any], form: Form) -> Stop:
    if any(limit is not None for limit in limits.values()):
        return stopping(limits, form)
    return Stop(target=TARGET_SHARE * (form.max_abs_payoff or 1.0))
