"""CFR-BR over the sequence form: every infoset of both players, each against a best response to their behaviour."""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.cfr.sequence import VectorSolver
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.measure import Measure
from pokerlab.tree.sequence import SequenceForm

WALKS = 4  # of the game in an iteration: a best response to each player, and the values of each against it


class SequenceCfrBr(VectorSolver):
    """CFR-BR with a schedule; the state is that of CFR, since best responses are recomputed every time."""

    def __init__(self, form: SequenceForm, schedule: Schedule, *, current: bool = False) -> None:
        super().__init__(form, schedule)
        self.current = current
        self._choice, self._answer = np.ones((2, form.sequences))

    @property
    def nodes_touched(self) -> int:
        """Each best response, and each player's values, visit every history."""
        return self.iterations * WALKS * self.form.tree.nodes

    def advance(self, iterations: int) -> None:
        """Run this many more iterations, each one step per player."""
        from pokerlab.solvers.cfr.cfr_br._kernels import advance_cfr_br

        steps = self.schedule.table(self.iterations + 1, iterations)
        advance_cfr_br(steps, self._treeplexes, self.sums, self._choice, self._answer)
        self.iterations += iterations

    def profile(self) -> np.ndarray:
        """The average strategy, or the current one with `strategy=current`.  # [A]"""
        return self.sums.current[self.form.players :].copy() if self.current else super().profile()

    def measure_current(self) -> Measure:
        """Exploitability of the current strategy, which approaches equilibrium too (with high probability)."""
        return self.form.measure(self.sums.current[self.form.players :])
