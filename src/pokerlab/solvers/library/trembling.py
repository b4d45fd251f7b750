"""CFR with trembling hands: good play also at infosets where equilibrium play never comes.

Farina, Kroer and Sandholm, "Regret minimization in behaviorally-constrained zero-sum games", 2017: with the probability
`tremble` a hand trembles and takes each action with the same chance, so that every infoset is reached, and play there
is learned. Unlike theirs, hands tremble more at first, and less and less until they tremble as seldom as asked. The
strategy keeps its trembles, and is about that part of the stakes from equilibrium; `lp(tremble=...)` is the exact one.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.settings import Text, checked, number
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.form import Form
from pokerlab.tree.resources import Resources

USUAL = 10_000  # iterations: by then play is good also where accidents alone lead, which exploitability does not tell


@checked
def algorithm(*, schedule: Text = "dcfr", tremble: Annotated[float, number(above=0, below=1)] = 0.001) -> Algorithm:
    """Trembling hands with the schedule of another algorithm."""
    chosen = schedule_of(schedule, purpose="tremble with")

    def start(form: Form, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.cfr.fixed import TremblingCfr

        return TremblingCfr(form, chosen, tremble=tremble)

    return Algorithm("trembling", {}, {"schedule": schedule, "tremble": tremble}, general=start, usual=USUAL)
