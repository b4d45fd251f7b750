"""Sampled regret matching on games of one decision each: one real deal per round, from which both players learn.

Goykhman, "On self-play computation of equilibrium in poker", sections 4 and 7; see
solvers/preflop/classes/sampled.py. An iteration is one round.
"""

from __future__ import annotations

from pokerlab.solvers.core.algorithm import Algorithm, Engine
from pokerlab.solvers.preflop.classes.sampled import SampledRegret


def algorithm() -> Algorithm:
    """Sampled regret matching."""
    engine: dict[str, Engine] = {"classes": lambda form, seed, resources: SampledRegret(form, seed=seed)}
    return Algorithm("sampled-regret", engine, random=True, unit="rounds")
