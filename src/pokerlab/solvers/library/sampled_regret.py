"""Sampled regret matching on games of two roles: one real deal a round, both roles learn from it.

Goykhman, "On self-play computation of equilibrium in poker", sections 4 and 7; see solvers/roles/sampled.py. An
iteration is a round.
"""

from __future__ import annotations

from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.run import Solver
from pokerlab.tree.resources import Resources
from pokerlab.tree.roles import RoleForm


def algorithm() -> Algorithm:
    """Sampled regret matching."""

    def on_roles(form: RoleForm, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.roles.sampled import SampledRoles

        return SampledRoles(form, seed=seed)

    return Algorithm("sampled-regret", {"roles": on_roles}, random=True, unit="rounds")
