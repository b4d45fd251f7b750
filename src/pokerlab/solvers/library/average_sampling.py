"""Average-strategy sampling: of the walking player's actions, those are tried that his average strategy plays.

Gibson, Burch, Lanctot and Szafron, "Efficient Monte Carlo counterfactual regret minimization in games with many player
actions", 2012. An action is tried with probability max(exploration, (bonus + threshold * s) / (bonus + sum of s)), s
being its weight in the average so far.
"""

from __future__ import annotations

from pokerlab.errors import BadSetting
from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.sampled.sampler import Sampler, sampled, share


def algorithm(
    *, schedule: str = "cfr", exploration: float = 0.05, bonus: float = 1e6, threshold: float = 1000.0
) -> Algorithm:
    """Average-strategy-sampling CFR with a schedule."""
    share("exploration", exploration)
    if not bonus > 0 or not threshold >= 1:
        raise BadSetting(f"bonus must be above 0 and threshold at least 1, not {bonus} and {threshold}")
    sampler = Sampler("average-sampling", own="average", exploration=exploration, bonus=bonus, threshold=threshold)
    return sampled(sampler, schedule, exploration=exploration, bonus=bonus, threshold=threshold)
