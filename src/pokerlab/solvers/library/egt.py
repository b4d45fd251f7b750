"""The excessive gap technique: smoothed best responses, and a gap bounded by the amount of smoothing.

Nesterov, "Excessive gap technique in nonsmooth convex minimization", 2005; Hoda, Gilpin, Peña and Sandholm, "Smoothing
techniques for computing Nash equilibria of sequential games", 2010; Kroer, Farina and Sandholm, "Solving large
sequential games with the excessive gap technique", 2018. See solvers/convex/excessive_gap.py. The gap falls in inverse
proportion to the iterations; with `prox=euclidean` and `restarts` it falls linearly (by a constant factor per restart).
"""

from __future__ import annotations

from dataclasses import asdict

from pokerlab.errors import BadSetting
from pokerlab.settings import Flag, checked
from pokerlab.solvers.convex.excessive_gap import ExcessiveGap, GapSettings
from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.tree.smoothing import ProxName


@checked
def algorithm(
    *, prox: ProxName = "entropy", aggressive: Flag = True, balancing: Flag = True, restarts: Flag = False
) -> Algorithm:
    """The excessive gap technique."""
    if restarts and not aggressive:
        raise BadSetting("egt restarts with aggressive steps alone: leave out restarts=True, or aggressive=False")
    speedups = GapSettings(aggressive, balancing, restarts)
    general = engine_of(ExcessiveGap, prox, speedups)
    return Algorithm("egt", {}, {"prox": prox} | asdict(speedups), general=general, two_player_zero_sum=True)
