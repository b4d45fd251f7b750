"""A regret-minimising variant as a few numbers per step.

Every member of the CFR family stores, for each action of each infoset, a cumulative regret and a cumulative strategy.
At step t (from 1) the members differ only in what they do with those sums before adding this step's:

    regret   <- regret * (keep_positive where regret > 0, else keep_negative) + this step's regret, floored at 0 or not
    strategy <- strategy * keep_average + average_weight * reach * current strategy

and in whether the next strategy matches the regret itself or the regret plus a prediction of the next step's. The sums
decay instead of their weights growing (a weight of t^p is a decay of ((t-1)/t)^p), so they stay within the range of
float32 however long a run is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from pokerlab.settings import number, whole

Power = Annotated[float, number(0, below=math.inf)]  # exponent of a step's weight in the average
Delay = Annotated[int, whole(0)]  # steps left out of the average


class Step(NamedTuple):
    """The numbers of one step, or of many steps with each number an array."""

    keep_positive: Any = 1.0
    keep_negative: Any = 1.0
    floor: Any = False
    keep_average: Any = 1.0
    average_weight: Any = 1.0
    prediction: Any = 0.0  # 1: the next regret is predicted to equal this step's


# The columns of a table of steps, as kernels read them: the fields of Step in order.
KEEP_POSITIVE, KEEP_NEGATIVE, FLOOR, KEEP_AVERAGE, AVERAGE_WEIGHT, PREDICTION = range(6)


def as_step(row: np.ndarray) -> Step:
    """A row of a table of steps as kernels take it."""
    return Step(*(bool(number) if column == FLOOR else float(number) for column, number in enumerate(row)))


@dataclass(frozen=True)
class Schedule:
    """A named rule that gives the numbers of each step, and whether players update alternately or simultaneously."""

    name: str
    rule: Callable[[np.ndarray], Step]  # takes an array of step numbers as floats
    alternating: bool = True

    def step(self, iteration: int) -> Step:
        """The numbers of step `iteration`, from 1."""
        return as_step(self.table(iteration, 1)[0])

    def table(self, first: int, count: int) -> np.ndarray:
        """The steps first, first + 1, ... as rows.  # [count, 6], columns KEEP_POSITIVE ... PREDICTION"""
        numbers = self.rule(np.arange(first, first + count, dtype=np.float64))
        rows = np.empty((count, 6))
        for column, of_steps in enumerate(numbers):
            rows[:, column] = of_steps
        return rows


def averaging(steps: np.ndarray, *, power: float, delay: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """keep_average and average_weight when step t is weighted by (t - delay)^power, and steps up to `delay` by 0.

    >>> averaging(np.array([1.0, 2.0, 4.0]), power=1)
    (array([0.  , 0.5 , 0.75]), array([1., 1., 1.]))
    """
    past = np.maximum(steps - delay, 0.0)
    counted = past > 0
    return np.where(counted, ((past - counted) / np.maximum(past, 1.0)) ** power, 1.0), np.where(counted, 1.0, 0.0)


def discount(steps: np.ndarray, exponent: float) -> np.ndarray:
    """The factor applied to earlier regret at step t: s^x / (s^x + 1) with s = t - 1, the number of steps done.

    >>> discount(np.array([1.0, 3.0]), 1), discount(np.array([3.0]), -math.inf), discount(np.array([3.0]), math.inf)
    (array([0.        , 0.66666667]), array([0.]), array([1.]))
    """
    if math.isinf(exponent):
        return np.full(len(steps), 1.0 if exponent > 0 else 0.0)
    behind = steps - 1
    factors = 0.5 * (1.0 + np.tanh(0.5 * exponent * np.log(np.maximum(behind, 1.0))))
    return np.where(behind > 0, factors, 0.0)
