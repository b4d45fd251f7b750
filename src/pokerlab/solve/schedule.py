"""A regret-minimising variant as a few numbers a step.

Every member of the CFR family keeps, for each action of each infoset, a cumulative regret and a cumulative strategy.
At step t (from 1) the members differ only in what they do with those sums before adding this step's:

    regret   <- regret * (keep_positive where regret > 0, else keep_negative) + this step's regret, floored at 0 or not
    strategy <- strategy * keep_average + average_weight * reach * current strategy

and in whether the next strategy matches the regret itself or the regret plus a prediction of the next step's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """The numbers of one step."""

    keep_positive: float = 1.0
    keep_negative: float = 1.0
    floor: bool = False
    keep_average: float = 1.0
    average_weight: float = 1.0
    prediction: float = 0.0  # 1: the next regret is predicted to equal this step's


@dataclass(frozen=True)
class Schedule:
    """A named rule that gives the numbers of each step, and whether players update in turn or at once."""

    name: str
    step: Callable[[int], Step]
    alternating: bool = True
