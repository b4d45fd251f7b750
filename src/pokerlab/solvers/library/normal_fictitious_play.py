"""Fictitious play in the normal form: each player plays the pure strategy that is best against the others' past play.

Brown, "Iterative solution of games by fictitious play", 1951. Robinson (1951) proved convergence for two-player
zero-sum games. With more players, all respond simultaneously to the product of the others' averages; convergence is
then not guaranteed, and the measured best responses are the check.
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.solvers.library.regret_matching import MixingSolver


def algorithm() -> Algorithm:
    """Fictitious play over reduced pure strategies."""
    return Algorithm("normal-fictitious-play", {"normal": engine_of(NormalFictitiousPlay)})


class NormalFictitiousPlay(MixingSolver):
    """The score is the value of each strategy against the averages, which is all that a best response needs."""

    def step(self) -> list[np.ndarray]:
        responses = []
        for player in range(len(self.average)):
            self.scores[player][:] = self.normal.utilities(player, self.average)
            response = np.zeros(len(self.scores[player]))
            response[int(np.argmax(self.scores[player]))] = 1.0
            responses.append(response)
        return responses
