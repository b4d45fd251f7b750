"""What an opponent is countered in: a game or a spot, the form that suits it, and how restricted games are solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.errors import BadGame, BadSetting
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.counter_forms import CounterForm, OnProgress, OnPublic, OnSequences
from pokerlab.lab.limits import stopping
from pokerlab.lab.solving import AUTO, DEFAULT_ALGORITHMS
from pokerlab.lab.tasks import open_task
from pokerlab.solvers.algorithm import Algorithm, Resources
from pokerlab.solvers.run import Stop
from pokerlab.tree.form import KINDS, Folding, Form, choose, kind_of, lay_out, why_not
from pokerlab.tree.public.layout import PublicTree

FORMS = ("sequence", "public")
TARGET_SHARE = 1e-5  # of the largest payoff: how close to equilibrium a restricted game of the sequence form is solved


def solved_by(algorithm: str | Algorithm | None) -> Algorithm | None:
    if algorithm is None:
        return None
    found = registry.load("algorithms", algorithm) if isinstance(algorithm, str) else algorithm
    assert isinstance(found, Algorithm)
    if found.name != "lp" and (found.schedule is None or found.random):
        raise BadSetting(
            f"counter-strategies are found by lp or by an algorithm of the CFR family that samples nothing, dcfr say; "
            f"{found.name} is none"
        )
    return found


def opened_problem(game: str | Path | Game | Spot | Mapping[str, Any]) -> Game | Spot:
    """What is played; locks are refused, since they are an opponent that is known."""
    task = open_task(game)
    if task.locks:
        raise BadSetting(
            "this spot has locks, and exploit counters an opponent of the spot itself: leave them out, solve the spot "
            "with them, and name that solution as the opponent"
        )
    found = task.problem
    assert found is not None
    assert not isinstance(found, Abstracted)
    return found.spot if isinstance(found, SpotGame) else found


def kind_for(problem: Game | Spot, algorithm: Algorithm | None, form: str) -> str:
    """The form in which it is solved."""
    kinds = FORMS[:1] if algorithm is not None and algorithm.schedule is None else FORMS
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
    """A game or a spot that is to be laid out, and how it will be solved."""

    problem: Game | Spot
    kind: str
    algorithm: Algorithm | None
    limits: Mapping[str, Any]
    threads: int
    on_progress: OnProgress | None
    folded: bool = True  # whether boards that differ by names of suits alone are laid out once

    @property
    def spot(self) -> Spot | None:
        """The spot, where it is one."""
        return self.problem if isinstance(self.problem, Spot) else None

    @cached_property
    def table(self) -> Game:
        """The same to be played."""
        return SpotGame(self.problem) if isinstance(self.problem, Spot) else self.problem

    def way(self) -> CounterForm:
        """The form, laid out."""
        algorithm = self.algorithm or registry.load("algorithms", DEFAULT_ALGORITHMS[self.kind])
        Resources(self.threads).check(self.kind)
        folding, check = Folding(symmetric=self.folded), kind_of(self.kind).check
        if check is not None:
            check(self.problem, folding, "float32")
        form = lay_out(self.problem, self.kind, folding=folding)
        if form.players != 2 or not form.is_zero_sum:
            rake = ": leave out its rake" if self.spot is not None else ""
            raise BadGame(f"counter-strategies are of two-player zero-sum games, and {form.name} is none{rake}")
        if isinstance(form, PublicTree):
            stop = stopping(self.limits, form, spot=self.spot)
            found = OnPublic(form, algorithm, stop, threads=self.threads, on_progress=self.on_progress)
            found.rehearse()
            return found
        return OnSequences(form, algorithm, _stop(self.limits, form), on_progress=self.on_progress)


def _stop(limits: Mapping[str, Any], form: Form) -> Stop:
    if any(limit is not None for limit in limits.values()):
        return stopping(limits, form)
    return Stop(target=TARGET_SHARE * (form.stakes or 1.0))
