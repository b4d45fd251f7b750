"""CFR+: regrets floored at zero, alternating updates, and an average that weights step t by t.

Tammelin, "Solving large imperfect information games using CFR+", 2014. `delay` leaves the first steps out of the
average; `power` is the exponent of the weights.
"""

from __future__ import annotations

import numpy as np

from pokerlab.settings import Flag, checked
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import scheduled
from pokerlab.solvers.core.schedule import Delay, Power, Schedule, Step, averaging


@checked
def algorithm(*, power: Power = 1.0, delay: Delay = 0, alternating: Flag = True, pruning: Flag = False) -> Algorithm:
    """CFR+."""

    def rule(steps: np.ndarray) -> Step:
        keep, weight = averaging(steps, power=power, delay=delay)
        return Step(floor=True, keep_average=keep, average_weight=weight)

    return scheduled(Schedule("cfr+", rule, alternating), pruning=pruning, power=power, delay=delay)
