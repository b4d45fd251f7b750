"""Counter-strategies on any form: the general CFR solver, or an engine of the form, solves a restricted game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.events import SILENT, Cancelled, Watch
from pokerlab.solvers.analysis.restriction import Restriction, held_for_the_game
from pokerlab.solvers.cfr.fixed import FixedCfr, measure_fixed
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.form import Form, kind_of
from pokerlab.tree.resources import Resources


@dataclass(frozen=True, eq=False)
class CounterGame:
    """A game in a form, and how restricted versions of it are solved."""

    form: Form
    algorithm: Algorithm
    stop: Stop
    resources: Resources
    watch: Watch = SILENT

    def rehearse(self) -> None:
        """Run for a moment on a tiny game, so that kernels are compiled before a clock starts."""
        small = self.form.small().on(self.resources)
        self.algorithm.rehearse(self.form, resources=self.resources)
        if self.algorithm.schedule is not None:
            solver = self._solver(small, held_for_the_game(small, small.uniform(), 0.5, player=0))
            solver.advance(1)
            solver.measure()

    def respond(self, restriction: Restriction) -> tuple[np.ndarray, float, int]:
        """A profile of the restricted game's equilibrium [A], its distance from equilibrium, and the iterations."""
        if restriction.is_complete:
            return self.form.best_response(restriction.model, 1 - restriction.player).profile, 0.0, 0
        if self.algorithm.schedule is None:
            return self._program(restriction)
        solver = self._solver(self.form, restriction)
        every = kind_of(self.form.kind).pace.measure_every
        watch = self.watch
        watched: dict[str, Any] = {"on_progress": watch.on_progress, "cancel": watch.cancel, "job": watch.job}
        done = run(solver, self.stop, measure_every=every, **watched)
        if done.stopped == "interrupted":
            raise Cancelled("cancelled")
        assert done.last.measure is not None
        return self.form.unpack(solver.strategy_arrays()), max(done.last.measure.exploitability, 0.0), solver.iterations

    def _solver(self, form: Form, restriction: Restriction) -> Any:
        """CFR in the restricted game."""
        schedule = self.algorithm.schedule
        assert schedule is not None
        if form.kind == "public":
            return _on_public(form, schedule, restriction, self.resources)
        return FixedCfr(form, schedule, restriction.fixed(form.treeplexes))

    def _program(self, restriction: Restriction) -> tuple[np.ndarray, float, int]:
        """Solve by the linear program, available only for the sequence form."""
        from pokerlab.solvers.analysis.restricted_program import solve_restricted

        form: Any = self.form
        profile = form.behaviour(solve_restricted(form, restriction)[0])
        measure = measure_fixed(form, restriction.fixed(form.treeplexes), form.plan(profile))
        return profile, max(measure.exploitability, 0.0), 1  # measured, not as reported by the program

    def wins(self, profile: np.ndarray, opponent: np.ndarray, *, seat: int) -> float:
        """A seat's value when its part of one profile plays the opponent's part of another."""
        both, own = opponent.copy(), self.form.slots_of(seat)
        both[own] = profile[own]
        return self.form.expected_values(both)[seat]


def _on_public(form: Any, schedule: Any, restriction: Restriction, resources: Resources) -> Any:
    """The engine of the public form, which traverses boards and stores no realization plans."""
    from pokerlab.solvers.cfr.public.restricted import RestrictedPublicSolver
    from pokerlab.solvers.cfr.public.solver import PublicSolver

    if restriction.is_free:
        return PublicSolver(form, schedule, threads=resources.threads)
    return RestrictedPublicSolver(form, schedule, restriction, threads=resources.threads)
