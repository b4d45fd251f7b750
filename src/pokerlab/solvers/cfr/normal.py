"""Learning in the normal form: each player keeps a score per pure strategy and plays a mixture derived from the scores.

Regret matching and fictitious play differ only in the score and the mixture.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.core.run import Profiled
from pokerlab.tree.normal import NormalForm


class MixingSolver(Profiled):
    """Simultaneous updates: scores from the mixtures played, then averages."""

    def __init__(self, normal: NormalForm) -> None:
        self.normal, self.form = normal, normal.sequence
        self.iterations = 0
        self.scores = [np.zeros(len(plans)) for plans in normal.plans]
        self.average = [np.full(len(plans), 1.0 / len(plans)) for plans in normal.plans]

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

    def profile(self) -> np.ndarray:
        """The behaviour of the average mixtures.  # [A]"""
        return self.normal.sequence_profile(self.average)

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            "scores": np.concatenate(self.scores),
            "average": np.concatenate(self.average),
            "counts": np.array([self.iterations]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        cuts = np.cumsum([len(scores) for scores in self.scores])[:-1]
        self.scores = [part.copy() for part in np.split(np.array(arrays["scores"]), cuts)]
        self.average = [part.copy() for part in np.split(np.array(arrays["average"]), cuts)]
        self.iterations = int(arrays["counts"][0])
