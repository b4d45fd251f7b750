"""Learning in the normal form: each player keeps a score per pure strategy and plays a mixture derived from the scores.

Regret matching and fictitious play differ only in the score and the mixture.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.tree.normal import NormalForm


class MixingSolver(ProfileSolver):
    """Simultaneous updates: scores from the mixtures played, then averages."""

    counted = ("iterations",)

    def __init__(self, normal: NormalForm) -> None:
        super().__init__(normal.sequence)
        self.normal = normal
        sizes = [len(plans) for plans in normal.plans]
        self._scores, self._averages = np.zeros(sum(sizes)), np.repeat(1.0 / np.array(sizes), sizes)  # of all players
        self.scores, self.average = (np.split(flat, np.cumsum(sizes)[:-1]) for flat in (self._scores, self._averages))

    @property
    def nodes_touched(self) -> int:
        """Every cell of the payoffs counts as one."""
        return self.iterations * self.normal.payoff_table.size

    @abstractmethod
    def step(self) -> list[np.ndarray]:
        """The mixtures of this iteration; updates the scores."""

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            mixes = self.step()
            self.iterations += 1
            for average, mix in zip(self.average, mixes, strict=True):
                average += (mix - average) / self.iterations

    def result(self) -> np.ndarray:
        """The behaviour of the average mixtures.  # [A]"""
        return self.normal.sequence_profile(self.average)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"scores": self._scores, "average": self._averages}
