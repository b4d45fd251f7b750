"""Linear CFR: step t has weight t, in the regrets and in the average.

Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019. The same as
Discounted CFR with all three exponents 1.
"""

from __future__ import annotations

import numpy as np

from pokerlab.settings import Flag, checked
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import scheduled
from pokerlab.solvers.core.schedule import Schedule, Step


@checked
def algorithm(*, alternating: Flag = True, pruning: Flag = False) -> Algorithm:
    """Linear CFR."""

    def rule(steps: np.ndarray) -> Step:
        keep = (steps - 1) / steps
        return Step(keep_positive=keep, keep_negative=keep, keep_average=keep)

    return scheduled(Schedule("linear-cfr", rule, alternating), pruning=pruning)
