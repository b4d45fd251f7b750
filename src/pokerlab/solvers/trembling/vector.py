"""Scheduled CFR over a whole tree in which hands tremble, less and less often until they tremble as seldom as asked.

Regret matching looks at each infoset by itself and does not mind how small the values there are, so that infosets
behind several trembles are learned like any other. Each time that hands begin to tremble less, the average begins anew:
what was played before weighs most just where the play now seldom comes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.schedule import Schedule
from pokerlab.solvers.sequence.vector import VectorSolver
from pokerlab.tree.sequence import SequenceForm

FIRST = 0.1  # how often hands tremble at first
STAGE = 16  # iterations of the first stage; each stage is twice as long as the one before, and trembles a quarter


def trembles(tremble: float, first: int, count: int) -> np.ndarray:
    """How often hands tremble at iterations first, first + 1, ... from 1 on.  # [count]

    >>> trembles(0.001, 16, 2).round(4), trembles(0.001, 10**6, 1)
    (array([0.1  , 0.025]), array([0.001]))
    """
    iterations = np.maximum(np.arange(first, first + count), 1)
    stage = np.floor(np.log2((iterations - 1) / STAGE + 1))
    return np.maximum(max(FIRST, tremble) / 4.0 ** np.minimum(stage, 500), tremble)


class TremblingSolver(VectorSolver):
    """CFR with a schedule and trembling hands. `sums.current` is what is meant, `sums.plan` what is played."""

    def __init__(self, form: SequenceForm, schedule: Schedule, *, tremble: float) -> None:
        super().__init__(form, schedule)
        self.tremble = tremble

    def advance(self, iterations: int) -> None:
        """Do this many more iterations."""
        from pokerlab.solvers.trembling._kernels import advance_trembling

        steps = self.schedule.table(self.iterations + 1, iterations)
        shaking = trembles(self.tremble, self.iterations, iterations + 1)
        read = advance_trembling(steps, shaking, self.schedule.alternating, self._treeplexes, self.sums)
        self.leaves_read += int(read)
        self.iterations += iterations

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        from pokerlab.solvers.trembling._kernels import descend_trembling

        super().restore(arrays)
        infosets, _ = self.form.ranges
        shaking = float(trembles(self.tremble, self.iterations, 1)[0])
        descend_trembling(np.uint64(0), infosets[-1, 1], self._treeplexes, self.sums.current, self.sums.plan, shaking)
