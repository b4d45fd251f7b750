"""Fictitious play in extensive form: compute a best response to the others' average, and average it in.

Brown, "Iterative solution of games by fictitious play", 1951; Heinrich, Lanctot and Silver, "Fictitious self-play in
extensive-form games", 2015: averages of realization plans are averages of mixed strategies, so the game need never be
written in normal form. It converges in two-player zero-sum games; in others the measured best responses show how close
it is. Players respond in turn (`alternating`) or simultaneously.
"""

from __future__ import annotations

import numpy as np

from pokerlab.settings import Flag, checked
from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.solvers.preflop.pushes import FictitiousPushes, on_pushes
from pokerlab.solvers.preflop.three import JointFictitiousPlay
from pokerlab.tree.form import Form


@checked
def algorithm(*, alternating: Flag = True) -> Algorithm:
    """Extensive-form fictitious play."""
    engines = {"sequence": engine_of(SequenceFictitiousPlay, alternating=alternating)}
    if not alternating:
        engines["pushes"] = on_pushes(FictitiousPushes, JointFictitiousPlay)
    general = engine_of(GeneralFictitiousPlay, alternating=alternating)
    return Algorithm("fictitious-play", engines, {"alternating": alternating}, general=general)


class GeneralFictitiousPlay(PlanSolver):
    """The state is the average plan; the initial beliefs are uniform."""

    def __init__(self, game: Form, *, alternating: bool) -> None:
        super().__init__(game)
        self.alternating, self.trees = alternating, game.treeplexes
        self.average = self.trees.plan(self.trees.uniform())  # [S]
        self._plan, self._choice, self._value = np.ones((3, self.trees.sequences))  # buffers for best responses

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
        return self.game.behaviour(self.average)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"average": self.average}


class SequenceFictitiousPlay(GeneralFictitiousPlay):
    """The same on the sequence form, in one kernel."""

    counted = ("iterations",)

    @property
    def nodes_touched(self) -> int:
        return self.iterations * self.trees.players * self.game.nodes_per_pass

    def advance(self, iterations: int) -> None:
        from pokerlab.solvers.cfr._kernels.sequence import play_fictitiously

        buffers = self._value, self._choice, self._plan
        play_fictitiously(self.iterations, iterations, self.alternating, self.trees.arrays, *buffers, self.average)
        self.iterations += iterations
