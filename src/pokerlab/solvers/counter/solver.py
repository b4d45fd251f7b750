"""Scheduled CFR in a game in which one player is held to a strategy; the other's average is the counter-strategy."""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.counter.restriction import Restriction
from pokerlab.solvers.measure import measure_plan
from pokerlab.solvers.run import Measure
from pokerlab.solvers.schedule import Schedule
from pokerlab.solvers.sequence.vector import VectorSolver
from pokerlab.tree.sequence import SequenceForm


class RestrictedSolver(VectorSolver):
    """CFR with a schedule: the free player minimises regret, and so does the held one as far as they are free.

    Everything that is told of it, its measure too, is of the game with the restriction.
    """

    def __init__(self, form: SequenceForm, schedule: Schedule, restriction: Restriction) -> None:
        super().__init__(form, schedule)
        self.restriction = restriction
        self._hold = hold_of(form, restriction)
        self._realise()

    def _realise(self) -> None:
        """The plans of the current behaviour, that of the held player with what they are held to."""
        from pokerlab.solvers.counter._kernels.sequence import realise_held

        super()._realise()
        realise_held(self._treeplexes, self._hold, self.sums.current, self.sums.plan)

    def advance(self, iterations: int) -> None:
        """Do this many more iterations."""
        from pokerlab.solvers.counter._kernels.sequence import advance_held

        steps = self.schedule.table(self.iterations + 1, iterations)
        self.leaves_read += int(advance_held(steps, self.schedule.alternating, self._treeplexes, self.sums, self._hold))
        self.iterations += iterations

    def measure(self) -> Measure:
        """How far the averages are from an equilibrium of the restricted game."""
        return measure_restricted(self.form, self.restriction, self.form.plan(self.profile()))


def hold_of(form: SequenceForm, restriction: Restriction) -> object:
    """A restriction as kernels read it."""
    from pokerlab.solvers.counter._kernels.sequence import Hold

    model = np.concatenate([np.ones(form.players), restriction.model])
    fixed, mixed = form.plan(restriction.model), model.copy()
    return Hold(np.uint64(restriction.player), restriction.held, model, fixed, restriction.whole, mixed)


def measure_restricted(form: SequenceForm, restriction: Restriction, plan: np.ndarray) -> Measure:
    """Values and best responses in the restricted game; the plan of the held player is one of those left to them."""
    from pokerlab.solvers.counter._kernels.sequence import respond_held
    from pokerlab.solvers.sequence._kernels import gather, treeplexes_of

    treeplexes, hold, held = treeplexes_of(form), hold_of(form, restriction), restriction.player
    whole, value = measure_plan(form, plan), np.zeros(form.sequences)  # the free player answers as in the whole game
    gather(np.uint64(held), False, treeplexes, plan, value)
    best = list(whole.best_responses)
    best[held] = float(respond_held(treeplexes, hold, value))
    return Measure(whole.values, (best[0], best[1]), zero_sum=True)
