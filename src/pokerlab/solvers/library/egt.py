"""The excessive gap technique: smoothed best responses, and a gap bounded by the amount of smoothing.

Nesterov, "Excessive gap technique in nonsmooth convex minimization", 2005; Hoda, Gilpin, Peña and Sandholm, "Smoothing
techniques for computing Nash equilibria of sequential games", 2010; Kroer, Farina and Sandholm, "Solving large
sequential games with the excessive gap technique", 2018. See solvers/convex/excessive_gap.py. The gap falls in inverse
proportion to the iterations; with `prox=euclidean` and `restarts` it falls linearly (by a constant factor per restart).
`sample=0.1` takes gradients from a tenth of the leaves, and from more when that stops helping (Gilpin and Sandholm,
"Speeding up gradient-based algorithms for sequential games", 2010); on the sequence form only.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from pokerlab.errors import BadSetting
from pokerlab.settings import Flag, checked, number
from pokerlab.solvers.convex.excessive_gap import ExcessiveGap, GapSettings
from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm
from pokerlab.tree.smoothing import ProxName

LEAST_SAMPLE = 1e-3


@checked
def algorithm(
    *,
    prox: ProxName = "entropy",
    aggressive: Flag = True,
    balancing: Flag = True,
    restarts: Flag = False,
    sample: Annotated[float, number(LEAST_SAMPLE, 1)] = 1.0,
) -> Algorithm:
    """The excessive gap technique."""
    if restarts and not aggressive:
        raise BadSetting("egt restarts with aggressive steps alone: leave out restarts=True, or aggressive=False")
    speedups = GapSettings(aggressive, balancing, restarts, sample)
    settings = {"prox": prox} | asdict(speedups)
    if sample == 1.0:
        return Algorithm("egt", {}, settings, general=engine_of(ExcessiveGap, prox, speedups), two_player_zero_sum=True)

    def sampled(form: SequenceForm, seed: int, resources: Resources) -> ExcessiveGap:
        return ExcessiveGap(form, prox, speedups, seed=seed)

    return Algorithm("egt", {"sequence": sampled}, settings, two_player_zero_sum=True, random=True)
