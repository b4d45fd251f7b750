"""External sampling: chance and the opponents are sampled, the traversing player tries every action.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games", 2009. The
opponents' averages are updated where they were sampled. With more than two players a history is weighted in
an average by one over the probability of what the remaining players did to reach it: unbiased, except for histories
that one of them never plays to.

With `pruning`, for the bucketed form, actions whose regret is below minus that multiple of the largest payoff are
skipped in 19 traversals of 20, except in the last round and where they end the hand (Brown and Sandholm, "Superhuman AI
for multiplayer poker", 2019; regret-based pruning is from their "Regret-based pruning in extensive-form games", 2015).
Regrets are floored a thirtieth below that threshold, so that pruned actions can return.
"""

from __future__ import annotations

import math
from typing import Annotated

from pokerlab.settings import Text, checked, number
from pokerlab.solvers.cfr.sampled.sampler import Sampler, sampled
from pokerlab.solvers.core.algorithm import Algorithm


@checked
def algorithm(*, schedule: Text = "cfr", pruning: Annotated[float, number(0, below=math.inf)] = 0.0) -> Algorithm:
    """External-sampling CFR with a schedule."""
    settings = {"pruning": pruning} if pruning else {}
    return sampled(Sampler("external", pruning=pruning), schedule, **settings)
