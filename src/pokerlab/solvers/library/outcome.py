"""Outcome sampling: each traversal samples one playout; the traversing player explores with some probability.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games", 2009. Regrets
are divided by the probability of the sample, so they are unbiased but noisy.
"""

from __future__ import annotations

from pokerlab.settings import Text, checked
from pokerlab.solvers.cfr.sampled.sampler import Exploration, Sampler, sampled
from pokerlab.solvers.core.algorithm import Algorithm


@checked
def algorithm(*, schedule: Text = "cfr", exploration: Exploration = 0.6) -> Algorithm:
    """Outcome-sampling CFR with a schedule."""
    return sampled(Sampler("outcome", own="explore", exploration=exploration), schedule, exploration=exploration)
