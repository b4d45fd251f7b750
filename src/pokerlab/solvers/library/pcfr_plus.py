"""Predictive CFR+: CFR+ that plays as if the next step's regret will equal this one's; quadratic averaging.

Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell approachability", 2021.
"""

from __future__ import annotations

import numpy as np

from pokerlab.settings import Flag, checked
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import scheduled
from pokerlab.solvers.core.schedule import Delay, Power, Schedule, Step, averaging


@checked
def algorithm(*, power: Power = 2.0, delay: Delay = 0, alternating: Flag = True, pruning: Flag = False) -> Algorithm:
    """Predictive CFR+."""

    def rule(steps: np.ndarray) -> Step:
        keep, weight = averaging(steps, power=power, delay=delay)
        return Step(floor=True, keep_average=keep, average_weight=weight, prediction=1.0)

    return scheduled(Schedule("pcfr+", rule, alternating), pruning=pruning, power=power, delay=delay)
