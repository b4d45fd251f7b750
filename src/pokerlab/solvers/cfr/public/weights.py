"""The weights of steps in a stored average: they grow, instead of what is stored being discounted."""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.core.schedule import AVERAGE_WEIGHT, KEEP_AVERAGE

MOST_WEIGHT = 1e20  # of a step; beyond it the stored average is discounted once


def reweighted(table: np.ndarray, weight: float) -> float:
    """Change the numbers of the next steps [step, 6], given the weight of the last one; returns the new weight.

    So hands that add nothing to the average need not be touched.
    """
    for step in table:
        keep, own = step[KEEP_AVERAGE], step[AVERAGE_WEIGHT]
        if keep > 0 and weight / keep <= MOST_WEIGHT:
            weight /= keep
            step[KEEP_AVERAGE] = 1.0
        else:
            step[KEEP_AVERAGE] = keep / weight
            weight = 1.0
        step[AVERAGE_WEIGHT] = own * weight
    return weight
