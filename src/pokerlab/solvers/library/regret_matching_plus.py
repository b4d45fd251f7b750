"""Simultaneous regret matching+: negative regrets are set to zero, and later strategies weigh more.

Tammelin, "Solving large imperfect information games using CFR+", 2014, introduced the rule. Here all players update
against the same strategies, in games in which each decides once: push or fold with two to nine players.
"""

from __future__ import annotations

from typing import Any

from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.resources import Resources


def algorithm() -> Algorithm:
    """Simultaneous regret matching+."""

    def on_pushes(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.preflop.pushes import RegretMatchingPushes

        return RegretMatchingPushes(form, seed=seed)

    return Algorithm("regret-matching+", {"pushes": on_pushes})
