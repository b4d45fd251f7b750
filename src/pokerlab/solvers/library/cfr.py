"""Counterfactual regret minimisation: regret matching at every infoset, the uniform average converges.

Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete information", 2007. They update
all players simultaneously; alternating updates (`alternating`, the default here) have been standard since.
"""

from __future__ import annotations

from pokerlab.settings import Flag, checked
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import scheduled
from pokerlab.solvers.core.schedule import Schedule, Step


@checked
def algorithm(*, alternating: Flag = True, pruning: Flag = False) -> Algorithm:
    """Plain CFR."""
    return scheduled(Schedule("cfr", lambda steps: Step(), alternating), pruning=pruning)
