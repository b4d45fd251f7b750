"""Mirror prox: each step looks ahead before it moves, and what was seen ahead is averaged.

Nemirovski, "Prox-method with rate of convergence O(1/t) for variational inequalities with Lipschitz continuous monotone
operators and smooth convex-concave saddle point problems", 2004; on treeplexes as in Kroer, Waugh, Kılınç-Karzan and
Sandholm, "Faster first-order methods for extensive-form game solving", 2015. See solvers/first_order/mirror.py. `power`
is the exponent of a step's weight in the average: 0 is Nemirovski's.
"""

from __future__ import annotations

from typing import Any

from pokerlab.settings import Flag, checked
from pokerlab.solvers.algorithm import Algorithm, Resources
from pokerlab.solvers.first_order.prox import FORMS, ProxName
from pokerlab.solvers.run import Solver
from pokerlab.solvers.schedule import Power


@checked
def algorithm(*, prox: ProxName = "euclidean", aggressive: Flag = True, power: Power = 1.0) -> Algorithm:
    """Mirror prox."""

    def start(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.first_order.ground import ground_of
        from pokerlab.solvers.first_order.mirror import MirrorProx, MirrorSettings

        return MirrorProx(ground_of(form, prox, resources), MirrorSettings(aggressive, power))

    settings = {"prox": prox, "aggressive": aggressive, "power": power}
    engines = dict.fromkeys(FORMS, start)
    return Algorithm("mirror-prox", engines, settings, two_player_zero_sum=True)
