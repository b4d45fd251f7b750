"""CFR+: regrets floored at zero, players in turn, and an average that weights step t by t.

Tammelin, "Solving large imperfect information games using CFR+", 2014. `delay` leaves the first steps out of the
average; `power` is the weight's exponent.
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.cfr_family import scheduled
from pokerlab.solvers.schedule import Schedule, Step, at_least_zero, averaging


def algorithm(*, power: float = 1.0, delay: int = 0, alternating: bool = True, pruning: bool = False) -> Algorithm:
    """CFR+."""
    at_least_zero("power", power)
    at_least_zero("delay", delay)

    def rule(steps: np.ndarray) -> Step:
        keep, weight = averaging(steps, power=power, delay=delay)
        return Step(floor=True, keep_average=keep, average_weight=weight)

    return scheduled(Schedule("cfr+", rule, alternating), pruning=pruning, power=power, delay=delay)
