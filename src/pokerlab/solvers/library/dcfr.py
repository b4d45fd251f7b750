"""Discounted CFR: old regret fades, positive more slowly than negative, and the average weights step t by t^gamma.

Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019, with their
recommended alpha 1.5, beta 0, gamma 2. alpha and beta may be infinite: `beta=-inf` forgets negative regret at once.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pokerlab.settings import Flag, checked, number
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import scheduled
from pokerlab.solvers.core.schedule import Delay, Power, Schedule, Step, averaging, discount


@checked
def algorithm(
    *,
    alpha: Annotated[float, number()] = 1.5,
    beta: Annotated[float, number()] = 0.0,
    gamma: Power = 2.0,
    delay: Delay = 0,
    alternating: Flag = True,
    pruning: Flag = False,
) -> Algorithm:
    """Discounted CFR."""

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
