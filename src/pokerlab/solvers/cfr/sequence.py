"""Scheduled CFR over a whole tree: every infoset updated at every step, in the sequence form.

With partial pruning, subtrees that a player's opponents never reach are skipped; the result is the same. Pruning saves
work in two-player zero-sum games; in other games it only cuts short products that have become zero.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.core.run import Profiled
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.measure import Measure
from pokerlab.tree.sequence import SequenceForm


class VectorSolver(Profiled):
    """CFR with a schedule. The state is `sums`: regret, current behaviour and the sum of plans, by sequence."""

    def __init__(self, form: SequenceForm, schedule: Schedule, *, pruning: bool = False) -> None:
        from pokerlab.solvers.cfr._kernels.sequence import SequenceSums

        self.form = form
        self.schedule = schedule
        self.pruning = pruning and form.players == 2 and form.tree.is_zero_sum
        self.iterations = 0
        self.leaves_read = 0
        uniform = form.tree.uniform()
        value, average, regret = np.zeros((3, form.sequences))
        current = np.concatenate([np.ones(form.players), uniform])
        self.sums = SequenceSums(value, current, form.plan(uniform), average, regret)
        self._treeplexes = form.treeplexes.arrays

    @property
    def nodes_touched(self) -> int:
        """Histories visited: all of them for each player whose values are computed, minus those pruned."""
        leaves = max(1, len(self.form.value)) / self.form.players
        return round(self.leaves_read / leaves * self.form.tree.nodes)

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        from pokerlab.solvers.cfr._kernels.sequence import advance

        steps = self.schedule.table(self.iterations + 1, iterations)
        self.leaves_read += int(advance(steps, self.schedule.alternating, self.pruning, self._treeplexes, self.sums))
        self.iterations += iterations

    def profile(self) -> np.ndarray:
        """The average strategy; uniform at infosets that it never reaches.  # [A]"""
        return self.form.behaviour(self.sums.average)

    def measure(self) -> Measure:
        """Exploitability of the average strategy."""
        return self.form.measure(self.profile())

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {
            "regret": self.sums.regret.copy(),
            "current": self.sums.current.copy(),
            "average": self.sums.average.copy(),
            "counts": np.array([self.iterations, self.leaves_read]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""
        for name in ("regret", "current", "average"):
            getattr(self.sums, name)[:] = arrays[name]
        self.iterations, self.leaves_read = (int(count) for count in arrays["counts"])
        self._realise()

    def _realise(self) -> None:
        """The plans of the current behaviour."""
        from pokerlab.tree._kernels.treeplex import descend

        infosets, _ = self.form.ranges
        descend(np.uint64(0), infosets[-1, 1], self._treeplexes, self.sums.current, self.sums.plan)
