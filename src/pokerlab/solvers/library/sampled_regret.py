"""Sampled regret matching on games of one decision each: one real deal per round, from which both players learn.

Goykhman, "On self-play computation of equilibrium in poker", sections 4 and 7; see solvers/classes/sampled.py. An
iteration is one round.
"""

from __future__ import annotations

from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.resources import Resources


def algorithm() -> Algorithm:
    """Sampled regret matching."""

    def on_classes(form: ClassForm, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.preflop.classes.sampled import SampledRegret

        return SampledRegret(form, seed=seed)

    return Algorithm("sampled-regret", {"classes": on_classes}, random=True, unit="rounds")
