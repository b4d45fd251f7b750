"""What the solvers over classes of hands share: behaviours [S, hand] measured and packed."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from pokerlab.tree.classes import ClassForm
from pokerlab.tree.measure import Measure


class ClassSolver(ABC):
    """A solver whose result is a behaviour of each player."""

    form: ClassForm
    iterations: int

    @abstractmethod
    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        """The strategies: [S, hand] of each player."""

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The strategies as named arrays."""
        return self.form.pack(self.form.profile_of(self.behaviours()))

    def measure(self) -> Measure:
        """Values and best responses of the strategies."""
        return self.form.measure(self.form.profile_of(self.behaviours()))


class OneDecisionSolver(ClassSolver):
    """A solver of a game of one decision each, whose result is how often each hand acts."""

    @property
    @abstractmethod
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        """The probability of acting [hand] of each player, in the order of deciding."""

    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        return self.form.behaviours_of(self.acts)
