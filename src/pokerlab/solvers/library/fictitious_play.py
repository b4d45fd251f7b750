"""Fictitious play in extensive form: compute a best response to the others' average, and average it in.

Brown, "Iterative solution of games by fictitious play", 1951; Heinrich, Lanctot and Silver, "Fictitious self-play in
extensive-form games", 2015: averages of realization plans are averages of mixed strategies, so the game need never be
written in normal form. It converges in two-player zero-sum games; in others the measured best responses show how close
it is. Players respond in turn (`alternating`) or simultaneously.
"""

from __future__ import annotations

from pokerlab.settings import Flag, checked
from pokerlab.solvers.cfr.fictitious import GeneralFictitiousPlay, SequenceFictitiousPlay
from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.solvers.preflop.pushes import FictitiousPushes


@checked
def algorithm(*, alternating: Flag = True) -> Algorithm:
    """Extensive-form fictitious play."""
    engines = {"sequence": engine_of(SequenceFictitiousPlay, alternating=alternating)}
    if not alternating:
        engines["pushes"] = lambda form, seed, resources: FictitiousPushes(form, seed=seed)
    general = engine_of(GeneralFictitiousPlay, alternating=alternating)
    return Algorithm("fictitious-play", engines, {"alternating": alternating}, general=general)
