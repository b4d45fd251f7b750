"""CFR with trembling hands: good play also at infosets that equilibrium play never reaches.

Farina, Kroer and Sandholm, "Regret minimization in behaviorally-constrained zero-sum games", 2017: with probability
`tremble` a player trembles and takes a uniformly random action, so every infoset is reached and play there is learned.
Unlike in the paper, trembles start out frequent and decrease to the given probability. The resulting strategy includes
its trembles and differs from equilibrium by about that fraction of the largest payoff; `lp(tremble=...)` computes the
exact one.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.settings import Text, checked, number
from pokerlab.solvers.cfr.fixed import TremblingCfr
from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.solvers.core.cfr_family import schedule_of

USUAL = 10_000  # iterations until off-path play is good too, which exploitability does not show


@checked
def algorithm(*, schedule: Text = "dcfr", tremble: Annotated[float, number(above=0, below=1)] = 0.001) -> Algorithm:
    """Trembling hands with the schedule of another algorithm."""
    chosen = schedule_of(schedule, purpose="tremble with")
    general = engine_of(TremblingCfr, chosen, tremble=tremble)
    return Algorithm("trembling", {}, {"schedule": schedule, "tremble": tremble}, general=general, usual=USUAL)
