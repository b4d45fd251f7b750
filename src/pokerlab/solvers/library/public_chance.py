"""Public chance sampling: public chance events are sampled, private deals are enumerated.

Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium approximation through Monte Carlo
counterfactual regret minimization", 2012. A chance node is public when no infoset holds histories of two of its
outcomes; this is derived from the tree. The same outcome is sampled for every private deal that allows it.
"""

from __future__ import annotations

from pokerlab.settings import Text, checked
from pokerlab.solvers.cfr.sampled.sampler import Sampler, sampled
from pokerlab.solvers.core.algorithm import Algorithm


@checked
def algorithm(*, schedule: Text = "cfr") -> Algorithm:
    """Public-chance-sampling CFR with a schedule."""
    return sampled(Sampler("public-chance", chance="public", others="enumerate"), schedule)
