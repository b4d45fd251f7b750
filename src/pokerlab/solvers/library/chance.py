"""Chance sampling: the cards are sampled, and the whole game tree for that deal is traversed.

Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete information", 2007, who solved
abstracted hold'em this way.
"""

from __future__ import annotations

from pokerlab.settings import Text, checked
from pokerlab.solvers.cfr.sampled.sampler import Sampler, sampled
from pokerlab.solvers.core.algorithm import Algorithm


@checked
def algorithm(*, schedule: Text = "cfr") -> Algorithm:
    """Chance-sampling CFR with a schedule."""
    return sampled(Sampler("chance", others="enumerate"), schedule)
