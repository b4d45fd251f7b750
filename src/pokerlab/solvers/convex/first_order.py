"""What first-order solvers share: they step along smoothed best responses, and their result is the plans they hold."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.tree.form import Form


class FirstOrder(PlanSolver):
    """A solver that steps along gradients: each is what the sequences of one player win against the other's plan."""

    def __init__(self, game: Form, prox: str) -> None:
        super().__init__(game)
        self.smoothed = game.smoothed(prox)

    @property
    @abstractmethod
    def plan(self) -> np.ndarray:
        """The plans that are its result, as a vector of `smoothed`."""

    def result(self) -> np.ndarray:
        """The plans as a profile."""
        return self.smoothed.profile(self.plan)

    def respond(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        """A smoothed best response, counted as a pass over the game."""
        self.passes += 1
        return self.smoothed.respond(player, smoothing, plan=plan, prior=prior, point=point, out=out)
