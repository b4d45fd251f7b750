"""Simultaneous regret matching+: negative regrets are set to zero, and later strategies weigh more.

Tammelin, "Solving large imperfect information games using CFR+", 2014, introduced the rule. Here all players update
against the same strategies, in games in which each decides once: push or fold with two to nine players.
"""

from __future__ import annotations

from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.preflop.pushes import RegretMatchingPushes, on_pushes
from pokerlab.solvers.preflop.three import JointRegretMatching


def algorithm() -> Algorithm:
    """Simultaneous regret matching+."""
    return Algorithm("regret-matching+", {"pushes": on_pushes(RegretMatchingPushes, JointRegretMatching)})
