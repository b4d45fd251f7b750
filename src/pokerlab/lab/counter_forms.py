"""Counter-strategies in each form that they are computed in: the same questions, answered by the form's own engine.

A profile [A] has a number for each action of each infoset, in the order of its form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.lab.solving import PACES, Pace
from pokerlab.solvers.algorithm import Algorithm, Resources
from pokerlab.solvers.counter.observations import frequencies, seen
from pokerlab.solvers.counter.program import solve_restricted
from pokerlab.solvers.counter.restriction import Restriction, held_by_infoset, held_for_the_game
from pokerlab.solvers.counter.solver import RestrictedSolver, measure_restricted
from pokerlab.solvers.measure import best_response, expected_values, measure
from pokerlab.solvers.run import Measure, Progress, Stop, run
from pokerlab.strategy.kinds import Naming
from pokerlab.strategy.public import PublicStrategy
from pokerlab.strategy.sequence import named
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.sequence import SequenceForm

OnProgress = Callable[[Progress], None]
Answer = tuple[np.ndarray, float, int]  # a profile [A], its distance from equilibrium, the iterations that it took


class CounterForm(ABC):
    """A game in a form, and how restricted games are solved in it."""

    def __init__(
        self, form: Any, algorithm: Algorithm, stop: Stop, *, threads: int = 1, on_progress: OnProgress | None = None
    ) -> None:
        self.form, self.algorithm, self.stop = form, algorithm, stop
        self.threads, self.on_progress = threads, on_progress

    def held_for_the_game(self, model: np.ndarray, p: float, *, player: int) -> Restriction:
        """The opponent of a restricted Nash response."""
        return held_for_the_game(self.form, model, p, player=player)

    def held_by_infoset(self, model: np.ndarray, held: np.ndarray, *, player: int) -> Restriction:
        """The opponent of a data-biased response; `held` as long as what `observations` gives."""
        return held_by_infoset(self.form, model, held, player=player)

    @abstractmethod
    def slots_of(self, player: int) -> slice:
        """Where a player's numbers lie in a profile."""

    @abstractmethod
    def observations(self, counts: np.ndarray) -> np.ndarray:
        """How often each infoset was seen.  # counts [A] -> [I], in the public form [A]"""

    @abstractmethod
    def frequencies(self, counts: np.ndarray, default: np.ndarray) -> np.ndarray:
        """Each action as often as it was seen, and as in `default` where its infoset was not.  # [A], [A] -> [A]"""

    @abstractmethod
    def infosets(self, counts: np.ndarray) -> tuple[int, int]:
        """How many infosets were seen, and how many there are."""

    @abstractmethod
    def best_answer(self, restriction: Restriction) -> np.ndarray:
        """A best response of the free player to the model.  # [A]"""

    @abstractmethod
    def wins(self, profile: np.ndarray, opponent: np.ndarray, *, seat: int) -> float:
        """What a seat wins by its part of a profile from an opponent's part of another."""

    @abstractmethod
    def measure(self, profile: np.ndarray) -> Measure:
        """Values and best responses of the game itself."""

    @abstractmethod
    def named(self, profile: np.ndarray, naming: Naming) -> Any:
        """The strategy with names on it."""

    @abstractmethod
    def solve(self, restriction: Restriction) -> Answer:
        """An equilibrium of the game with a restriction."""

    def answer(self, restriction: Restriction) -> Answer:
        """The free player's answer to a held one."""
        if restriction.is_complete:
            return self.best_answer(restriction), 0.0, 0
        return self.solve(restriction)

    def _run(self, solver: Any, pace: Pace) -> tuple[float, int]:
        """Run a solver to its stop: how far from equilibrium it came, and in how many iterations."""
        done = run(solver, self.stop, on_progress=self.on_progress, measure_every=pace.measure_every)
        if done.stopped == "interrupted":
            raise KeyboardInterrupt
        assert done.last.measure is not None
        return max(done.last.measure.exploitability, 0.0), solver.iterations


class OnSequences(CounterForm):
    """The sequence form: any game whose tree fits, by CFR or by the linear program."""

    form: SequenceForm

    def slots_of(self, player: int) -> slice:
        return self.form.slots_of(player)

    def observations(self, counts: np.ndarray) -> np.ndarray:
        return seen(self.form, counts)

    def frequencies(self, counts: np.ndarray, default: np.ndarray) -> np.ndarray:
        return frequencies(self.form, counts, default)

    def infosets(self, counts: np.ndarray) -> tuple[int, int]:
        return int((seen(self.form, counts) > 0).sum()), self.form.tree.infosets

    def best_answer(self, restriction: Restriction) -> np.ndarray:
        return best_response(self.form, restriction.model, player=1 - restriction.player).profile

    def solve(self, restriction: Restriction) -> Answer:
        form = self.form
        if self.algorithm.schedule is None:
            profile = form.profile(solve_restricted(form, restriction)[0])
            found = measure_restricted(form, restriction, form.plan(profile))  # not by what the program says of itself
            return profile, max(found.exploitability, 0.0), 1
        solver = RestrictedSolver(form, self.algorithm.schedule, restriction)
        distance, iterations = self._run(solver, PACES.get(form.kind, Pace()))
        return solver.profile(), distance, iterations

    def wins(self, profile: np.ndarray, opponent: np.ndarray, *, seat: int) -> float:
        both = opponent.copy()
        both[self.slots_of(seat)] = profile[self.slots_of(seat)]
        return expected_values(self.form, both)[seat]

    def measure(self, profile: np.ndarray) -> Measure:
        return measure(self.form, profile)

    def named(self, profile: np.ndarray, naming: Naming) -> Any:
        return named(self.form, profile)


class OnPublic(CounterForm):
    """The public form: spots, and two-player poker of any size that it holds."""

    form: PublicTree

    def slots_of(self, player: int) -> slice:
        from pokerlab.solvers.counter.profiles import slots_of

        return slots_of(self.form, player)

    def observations(self, counts: np.ndarray) -> np.ndarray:
        from pokerlab.solvers.counter.profiles import alike, totals

        return totals(self.form, alike(self.form, counts, summed=True))

    def frequencies(self, counts: np.ndarray, default: np.ndarray) -> np.ndarray:
        from pokerlab.solvers.counter.profiles import alike

        counts, sums = alike(self.form, counts, summed=True), self.observations(counts)
        return np.where(sums > 0, counts / np.maximum(sums, 1), default).astype(np.float32)

    def infosets(self, counts: np.ndarray) -> tuple[int, int]:
        from pokerlab.solvers.counter.profiles import totals

        actions = totals(self.form, np.ones(self.form.slots))
        found = np.where(totals(self.form, counts) > 0, 1 / actions, 0.0).sum()
        return round(float(found)), self.form.infosets

    @cached_property
    def _assessor(self) -> Any:
        from pokerlab.solvers.public.assessor import Assessor

        return Assessor(self.form, threads=self.threads)

    def _sums(self, one: np.ndarray, other: np.ndarray | None = None, *, seat: int = 0) -> list[list[np.ndarray]]:
        """[round][player] A profile; where there is another, the one's part for a seat and the other's for the rest."""
        from pokerlab.solvers.counter.profiles import parts

        mine, theirs = parts(self.form, one), parts(self.form, one if other is None else other)
        return [
            [pair[player] if player == seat else rest[player] for player in (0, 1)]
            for pair, rest in zip(mine, theirs, strict=True)
        ]

    def best_answer(self, restriction: Restriction) -> np.ndarray:
        from pokerlab.solvers.counter.profiles import alike, parts

        player = 1 - restriction.player
        found = np.zeros(self.form.slots, np.float32)
        choice = [pair[player] for pair in parts(self.form, found)]
        self._assessor.hands(self._sums(restriction.model), player, choice)
        return alike(self.form, found)  # of equal actions it takes the one that rounding left ahead

    def rehearse(self) -> None:
        """Run for a moment on a tiny game, so that kernels are compiled before a clock starts."""
        from pokerlab.solvers.counter.public import RestrictedPublicSolver

        small = self.form.small()
        uniform = np.ones(small.slots, np.float32)
        assert self.algorithm.schedule is not None
        self.algorithm.rehearse(self.form, resources=Resources(self.threads))
        held = held_for_the_game(small, uniform, 0.5, player=0)
        solver = RestrictedPublicSolver(small, self.algorithm.schedule, held, threads=self.threads)
        solver.advance(1)
        solver.measure()

    def solve(self, restriction: Restriction) -> Answer:
        from pokerlab.solvers.counter.profiles import joined
        from pokerlab.solvers.counter.public import RestrictedPublicSolver
        from pokerlab.solvers.public.solver import PublicSolver

        schedule = self.algorithm.schedule
        assert schedule is not None
        solver: PublicSolver
        if restriction.is_free:
            solver = PublicSolver(self.form, schedule, threads=self.threads)
        else:
            solver = RestrictedPublicSolver(self.form, schedule, restriction, threads=self.threads)
        distance, iterations = self._run(solver, PACES[self.form.kind])
        return joined(solver.average), distance, iterations

    def wins(self, profile: np.ndarray, opponent: np.ndarray, *, seat: int) -> float:
        return float(self._assessor.totals(self._sums(profile, opponent, seat=seat), seat)[0])

    def measure(self, profile: np.ndarray) -> Measure:
        found: Measure = self._assessor.measure(self._sums(profile))
        return found

    def named(self, profile: np.ndarray, naming: Naming) -> PublicStrategy:
        return PublicStrategy(self.form, self._sums(profile), self.threads, seats=naming.seats)
