"""Range of skill: a list of strategies of which each beats every mix of those before it by as much as can be.

Zinkevich, Bowling and Burch, "A new algorithm for generating equilibria in massive zero-sum games", 2007. See
solvers/restricted/strategies.py. `epsilon` is a share of the game's largest payoff: the list ends where nothing beats
the mixes of both players by it.
"""

from __future__ import annotations

from typing import Any

from pokerlab.settings import Share, checked
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.resources import Resources


@checked
def algorithm(*, epsilon: Share = 1e-4) -> Algorithm:
    """Range of skill."""

    def start(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.convex.oracles.strategies import RangeOfSkill

        return RangeOfSkill(form, epsilon=epsilon)

    settings = {"epsilon": epsilon}
    return Algorithm("range-of-skill", {}, settings, general=start, two_player_zero_sum=True, unit="rounds")
