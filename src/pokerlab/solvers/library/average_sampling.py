"""Average-strategy sampling: the traversing player tries the actions that their average strategy plays.

Gibson, Burch, Lanctot and Szafron, "Efficient Monte Carlo counterfactual regret minimization in games with many player
actions", 2012. An action is tried with probability max(exploration, (bonus + threshold * s) / (bonus + sum of s)), s
being its weight in the average so far.
"""

from __future__ import annotations

import math
from typing import Annotated

from pokerlab.settings import Text, checked, number
from pokerlab.solvers.cfr.sampled.sampler import Exploration, Sampler, sampled
from pokerlab.solvers.core.algorithm import Algorithm


@checked
def algorithm(
    *,
    schedule: Text = "cfr",
    exploration: Exploration = 0.05,
    bonus: Annotated[float, number(above=0, below=math.inf)] = 1e6,
    threshold: Annotated[float, number(1, below=math.inf)] = 1000.0,
) -> Algorithm:
    """Average-strategy-sampling CFR with a schedule."""
    sampler = Sampler("average-sampling", own="average", exploration=exploration, bonus=bonus, threshold=threshold)
    return sampled(sampler, schedule, exploration=exploration, bonus=bonus, threshold=threshold)
