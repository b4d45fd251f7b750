"""Fictitious play with the operations of a form: best responses to the others' average, averaged in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.tree.form import Form


class GeneralFictitiousPlay(PlanSolver):
    """The state is the average plan; the initial beliefs are uniform."""

    def __init__(self, game: Form, *, alternating: bool) -> None:
        super().__init__(game)
        self.alternating, self.trees = alternating, game.treeplexes
        self.average = self.trees.plan(self.trees.uniform())  # [S]
        self._plan = np.ones(self.trees.sequences)  # a buffer for best responses

    def step(self) -> None:
        """One best response of every player; in turn, later ones respond to what earlier ones have just averaged in."""
        from pokerlab.tree._kernels.treeplex import descend

        before = self.average if self.alternating else self.average.copy()
        for player in range(self.trees.players):
            self.passes += 1
            response = self.game.best_response_to_plan(player, before)
            low, high = self.trees.infosets[player]
            descend(low, high, self.trees.arrays, response.choice, self._plan)
            own = self.trees.sequences_of(player)
            self.average[own] += (self._plan[own] - self.average[own]) / self.iterations

    def result(self) -> np.ndarray:
        """The average strategies."""
        return self.game.behaviour(self.average)

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return self.state(average=self.average)

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""
        super().restore(arrays)
        self.average[:] = self.read(arrays, "average")
