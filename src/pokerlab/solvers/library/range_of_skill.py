"""Range of skill: a list of strategies, each of which beats every mixture of the earlier ones by as much as possible.

Zinkevich, Bowling and Burch, "A new algorithm for generating equilibria in massive zero-sum games", 2007. See
solvers/convex/oracles.py. `epsilon` is a fraction of the game's largest payoff: the list ends when nothing
beats the mixtures of both players by that much.
"""

from __future__ import annotations

from pokerlab.settings import Share, checked
from pokerlab.solvers.convex.oracles import RangeOfSkill
from pokerlab.solvers.core.algorithm import Algorithm, engine_of


@checked
def algorithm(*, epsilon: Share = 1e-4) -> Algorithm:
    """Range of skill."""
    general = engine_of(RangeOfSkill, epsilon=epsilon)
    return Algorithm(
        "range-of-skill", {}, {"epsilon": epsilon}, general=general, two_player_zero_sum=True, unit="rounds"
    )
