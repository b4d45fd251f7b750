"""External sampling: chance and the opponents are sampled, the walking player tries every action.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games", 2009. The
opponents' averages are updated where they were sampled. With more than two players a history is weighted in
an average by one over the probability of what the remaining players did to reach it: unbiased, except for histories
that one of them never plays to.
"""

from __future__ import annotations

from pokerlab.settings import Text, checked
from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.sampled.sampler import Sampler, sampled


@checked
def algorithm(*, schedule: Text = "cfr") -> Algorithm:
    """External-sampling CFR with a schedule."""
    return sampled(Sampler("external"), schedule)
