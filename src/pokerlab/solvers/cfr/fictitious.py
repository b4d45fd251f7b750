"""Fictitious play with the operations of a form: best responses to the others' average, averaged in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.tree.form import Form, best_response_rule


class GeneralFictitiousPlay(PlanSolver):
    """The state is the average plan; the initial beliefs are uniform."""

    def __init__(self, game: Form, *, alternating: bool) -> None:
        super().__init__(game)
        self.alternating, self.trees = alternating, game.treeplexes
        self.average = self.trees.plan(self.trees.uniform())  # [S]

    def step(self) -> None:
        """A best response of every player; if alternating, later players respond to averages already updated."""
        before = self.average if self.alternating else self.average.copy()
        for player in range(self.trees.players):
            self.passes += 1
            response = self.game.sweep(player, before, best_response_rule)
            own = self.trees.sequences_of(player)
            plan = self.trees.plan(response.choice[self.trees.players :])
            self.average[own] += (plan[own] - self.average[own]) / self.iterations

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
