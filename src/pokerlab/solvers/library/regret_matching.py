"""Regret matching in the normal form: play each strategy in proportion to the regret of not having played it.

Hart and Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium", 2000. For two players and zero sum
the averages converge to an equilibrium; for more players the joint play converges only to coarse correlated equilibria,
and the measured best responses show how far the averages are.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.tree.normal import NormalForm


def algorithm() -> Algorithm:
    """Regret matching over reduced pure strategies."""
    return Algorithm("regret-matching", {"normal": engine_of(RegretMatching)})


def matched(regret: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to positive regret; uniform if there is none.

    >>> matched(np.array([-2.4, -0.4, 1.6])).tolist()
    [0.0, 0.0, 1.0]
    """
    positive = np.maximum(regret, 0.0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(regret), 1.0 / len(regret))


class MixingSolver(ProfileSolver):
    """Learning in the normal form: players score their pure strategies and play mixtures derived from the scores.

    Regret matching and fictitious play differ only in the score and the mixture; all players update simultaneously.
    """

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
        return self.normal.sequence_profile(self.average)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"scores": self._scores, "average": self._averages}


class RegretMatching(MixingSolver):
    """The score is the cumulative regret."""

    def step(self) -> list[np.ndarray]:
        mixes = [matched(regret) for regret in self.scores]
        for player, mix in enumerate(mixes):
            utilities = self.normal.utilities(player, mixes)
            self.scores[player] += utilities - mix @ utilities
        return mixes
