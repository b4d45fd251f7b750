"""Predictive CFR+: CFR+ that plays as if the next step's regret will equal this one's; quadratic averaging.

Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell approachability", 2021.
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.cfr_family import scheduled
from pokerlab.solvers.schedule import Schedule, Step, at_least_zero, averaging


def algorithm(*, power: float = 2.0, delay: int = 0, alternating: bool = True, pruning: bool = False) -> Algorithm:
    """Predictive CFR+."""
    at_least_zero("power", power)
    at_least_zero("delay", delay)

    def rule(steps: np.ndarray) -> Step:
        keep, weight = averaging(steps, power=power, delay=delay)
        return Step(floor=True, keep_average=keep, average_weight=weight, prediction=1.0)

    return scheduled(Schedule("pcfr+", rule, alternating), pruning=pruning, power=power, delay=delay)
