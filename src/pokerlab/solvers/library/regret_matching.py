"""Regret matching in the normal form: play each strategy in proportion to the regret of not having played it.

Hart and Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium", 2000. For two players and zero sum
the averages converge to an equilibrium; for more players the joint play converges only to coarse correlated equilibria,
and the measured best responses show how far the averages are.
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.cfr.normal import MixingSolver
from pokerlab.solvers.core.algorithm import Algorithm, engine_of


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


class RegretMatching(MixingSolver):
    """The score is the cumulative regret."""

    def step(self) -> list[np.ndarray]:
        """The mixed strategies of this iteration; updates the regrets."""
        mixes = [matched(regret) for regret in self.scores]
        for player, mix in enumerate(mixes):
            worth = self.normal.utilities(player, mixes)
            self.scores[player] += worth - mix @ worth
        return mixes
