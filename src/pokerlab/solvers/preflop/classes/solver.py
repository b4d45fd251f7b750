"""What the solvers of games of one decision each share."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.tree.classes import ClassForm


class OneDecisionSolver(ProfileSolver):
    """A solver whose result is how often each hand acts."""

    game: ClassForm
    counted, counts_name = ("iterations",), "iterations"

    @property
    @abstractmethod
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        """The probability of acting [hand] of each player, in the order of deciding."""

    def result(self) -> np.ndarray:
        return self.game.profile_of(self.game.behaviours_of(self.acts))
