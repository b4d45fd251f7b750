"""Scheduled CFR in a game in which one player is held to a strategy; the other's average is the counter-strategy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.counter.restriction import Restriction
from pokerlab.solvers.run import Measure, Profiled
from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.sequence import SequenceForm


class RestrictedSolver(Profiled):
    """CFR with a schedule: the free player minimises regret, and so does the held one as far as they are free.

    Everything that is told of it, its measure too, is of the game with the restriction.
    """

    def __init__(self, form: SequenceForm, schedule: Schedule, restriction: Restriction) -> None:
        from pokerlab.solvers.sequence._kernels import SequenceSums, treeplexes_of

        self.form, self.schedule, self.restriction = form, schedule, restriction
        self.iterations = 0
        self.leaves_read = 0
        uniform = form.tree.uniform()
        value, average, regret = np.zeros((3, form.sequences))
        current = np.concatenate([np.ones(form.players), uniform])
        self.sums = SequenceSums(value, current, form.plan(uniform), average, regret)
        self._treeplexes = treeplexes_of(form)
        self._hold = hold_of(form, restriction)
        self._realise()

    def _realise(self) -> None:
        """The plans of the current behaviour, that of the held player with what they are held to."""
        from pokerlab.solvers.counter._kernels import realise_held
        from pokerlab.solvers.sequence._kernels import descend

        infosets, _ = self.form.ranges
        descend(np.uint64(0), infosets[-1, 1], self._treeplexes, self.sums.current, self.sums.plan)
        realise_held(self._treeplexes, self._hold, self.sums.current, self.sums.plan)

    @property
    def nodes_touched(self) -> int:
        """Histories visited: all of them for each player whose values are gathered."""
        leaves = max(1, len(self.form.value)) / self.form.players
        return round(self.leaves_read / leaves * self.form.tree.nodes)

    def advance(self, iterations: int) -> None:
        """Do this many more iterations."""
        from pokerlab.solvers.counter._kernels import advance_held

        steps = self.schedule.table(self.iterations + 1, iterations)
        self.leaves_read += int(advance_held(steps, self.schedule.alternating, self._treeplexes, self.sums, self._hold))
        self.iterations += iterations

    def profile(self) -> np.ndarray:
        """The averages, uniform where they never come; the held player's with what they are held to.  # [A]"""
        return self.form.profile(self.sums.average)

    def measure(self) -> Measure:
        """How far the averages are from an equilibrium of the restricted game."""
        return measure_restricted(self.form, self.restriction, self.form.plan(self.profile()))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {
            "regret": self.sums.regret.copy(),
            "current": self.sums.current.copy(),
            "average": self.sums.average.copy(),
            "counts": np.array([self.iterations, self.leaves_read]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        for name in ("regret", "current", "average"):
            getattr(self.sums, name)[:] = arrays[name]
        self.iterations, self.leaves_read = (int(count) for count in arrays["counts"])
        self._realise()


def hold_of(form: SequenceForm, restriction: Restriction) -> object:
    """A restriction as kernels read it."""
    from pokerlab.solvers.counter._kernels import Hold

    model = np.concatenate([np.ones(form.players), restriction.model])
    fixed, mixed = form.plan(restriction.model), model.copy()
    return Hold(np.uint64(restriction.player), restriction.held, model, fixed, restriction.whole, mixed)


def measure_restricted(form: SequenceForm, restriction: Restriction, plan: np.ndarray) -> Measure:
    """Values and best responses in the restricted game; the plan of the held player is one of those left to them."""
    from pokerlab.solvers.counter._kernels import respond_held
    from pokerlab.solvers.sequence._kernels import gather, respond, treeplexes_of

    treeplexes, hold = treeplexes_of(form), hold_of(form, restriction)
    value = np.zeros(form.sequences)
    for player in range(2):
        gather(np.uint64(player), False, treeplexes, plan, value)
    own = [np.r_[player, np.arange(*form.ranges[1][player])].astype(np.int64) for player in range(2)]
    values = tuple(float(value[mine] @ plan[mine]) for mine in own)
    free = 1 - restriction.player
    low, high = form.ranges[0][free]
    respond(low, high, treeplexes, value, np.empty(form.sequences))
    best = [0.0, 0.0]
    best[free] = float(value[free])
    best[restriction.player] = float(respond_held(treeplexes, hold, value))
    return Measure(values, (best[0], best[1]), zero_sum=True)
