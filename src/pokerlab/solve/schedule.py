"""A regret-minimising variant as a few numbers a step.

Every member of the CFR family keeps, for each action of each infoset, a cumulative regret and a cumulative strategy.
At step t (from 1) the members differ only in what they do with those sums before adding this step's:

    regret   <- regret * (keep_positive where regret > 0, else keep_negative) + this step's regret, floored at 0 or not
    strategy <- strategy * keep_average + average_weight * reach * current strategy

and in whether the next strategy matches the regret itself or the regret plus a prediction of the next step's. Sums are
kept by decay rather than by growing weights (a weight of t^p is a decay of ((t-1)/t)^p), so they stay in the range
of small floats however long a run is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadSetting


@dataclass(frozen=True)
class Step:
    """The numbers of one step."""

    keep_positive: float = 1.0
    keep_negative: float = 1.0
    floor: bool = False
    keep_average: float = 1.0
    average_weight: float = 1.0
    prediction: float = 0.0  # 1: the next regret is predicted to equal this step's


# The columns of a table of steps, as kernels read them.
KEEP_POSITIVE, KEEP_NEGATIVE, FLOOR, KEEP_AVERAGE, AVERAGE_WEIGHT, PREDICTION = range(6)


@dataclass(frozen=True)
class Schedule:
    """A named rule that gives the numbers of each step, and whether players update in turn or at once."""

    name: str
    step: Callable[[int], Step]
    alternating: bool = True

    def table(self, first: int, count: int) -> np.ndarray:
        """The steps first, first + 1, ... as rows of numbers.  # [count, 6], columns KEEP_POSITIVE ... PREDICTION"""
        rows = np.empty((count, 6))
        for row in range(count):
            step = self.step(first + row)
            rows[row] = (
                step.keep_positive,
                step.keep_negative,
                step.floor,
                step.keep_average,
                step.average_weight,
                step.prediction,
            )
        return rows


def averaging(iteration: int, *, power: float, delay: int = 0) -> tuple[float, float]:
    """keep_average and average_weight of weighting step t by (t - delay)^power, and steps up to `delay` by nothing.

    >>> averaging(4, power=1)
    (0.75, 1.0)
    """
    past = iteration - delay
    if past <= 0:
        return 1.0, 0.0
    return ((past - 1) / past) ** power, 1.0


def discount(iteration: int, exponent: float) -> float:
    """What is kept of earlier regret at step t: s^x / (s^x + 1) with s = t - 1, the steps behind.

    >>> discount(3, 1), discount(3, 0), discount(3, -math.inf), discount(3, math.inf)
    (0.6666666666666666, 0.5, 0.0, 1.0)
    """
    if math.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    behind = iteration - 1
    if behind <= 0:
        return 0.0
    return 1.0 / (1.0 + math.pow(behind, -exponent))


def at_least_zero(name: str, value: float) -> None:
    """Refuse a negative or meaningless setting."""
    if not value >= 0:
        raise BadSetting(f"{name} must be 0 or more, not {value}")
