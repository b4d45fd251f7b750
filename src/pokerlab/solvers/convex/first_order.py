"""What first-order solvers share: steps along smoothed best responses, with plans as the result."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.tree.form import Form


class FirstOrder(PlanSolver):
    """A solver that follows gradients: the values of one player's sequences against the other's plan."""

    def __init__(self, game: Form, prox: str) -> None:
        super().__init__(game)
        self.smoothed = game.smoothed(prox)

    @property
    @abstractmethod
    def plan(self) -> np.ndarray:
        """The resulting plans, as a vector of `smoothed`."""

    def result(self) -> np.ndarray:
        """The plans as a profile."""
        return self.smoothed.profile(self.plan)

    def respond(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        """A smoothed best response, counted as a pass over the game."""
        self.passes += 1
        return self.smoothed.respond(player, smoothing, plan=plan, prior=prior, point=point, out=out)
