"""Discounted CFR: old regret fades, positive more slowly than negative, and the average weights step t by t^gamma.

Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019, with their
recommended alpha 1.5, beta 0, gamma 2. alpha and beta may be infinite: `beta=-inf` forgets negative regret at once.
"""

from __future__ import annotations

import math

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.cfr_family import scheduled
from pokerlab.solvers.schedule import Schedule, Step, at_least_zero, averaging, discount


def algorithm(
    *,
    alpha: float = 1.5,
    beta: float = 0.0,
    gamma: float = 2.0,
    delay: int = 0,
    alternating: bool = True,
    pruning: bool = False,
) -> Algorithm:
    """Discounted CFR."""
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not isinstance(value, int | float) or math.isnan(value):
            raise BadSetting(f"{name} must be a number, not {value!r}")
    at_least_zero("gamma", gamma)
    at_least_zero("delay", delay)

    def rule(steps: np.ndarray) -> Step:
        keep, weight = averaging(steps, power=gamma, delay=delay)
        return Step(
            keep_positive=discount(steps, alpha),
            keep_negative=discount(steps, beta),
            keep_average=keep,
            average_weight=weight,
        )

    schedule = Schedule("dcfr", rule, alternating)
    return scheduled(schedule, pruning=pruning, alpha=alpha, beta=beta, gamma=gamma, delay=delay)
