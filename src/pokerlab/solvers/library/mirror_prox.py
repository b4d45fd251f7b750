"""Mirror prox: each step looks ahead before it moves, and the look-ahead points are averaged.

Nemirovski, "Prox-method with rate of convergence O(1/t) for variational inequalities with Lipschitz continuous monotone
operators and smooth convex-concave saddle point problems", 2004; on treeplexes as in Kroer, Waugh, Kılınç-Karzan and
Sandholm, "Faster first-order methods for extensive-form game solving", 2015. See solvers/convex/mirror_prox.py. `power`
is the exponent of a step's weight in the average. 0 is Nemirovski's choice, and the default with entropy, whose
distances are unbounded; larger powers need a bound. With `prox=euclidean` the default is 1.
"""

from __future__ import annotations

import math
from typing import Annotated

from pokerlab.settings import Flag, checked, number, or_none
from pokerlab.solvers.convex.mirror_prox import MirrorProx
from pokerlab.solvers.core.algorithm import Algorithm, engine_of
from pokerlab.tree.smoothing import EUCLIDEAN, ProxName

SomePower = Annotated[float | None, or_none(number(0, below=math.inf))]


@checked
def algorithm(*, prox: ProxName = "euclidean", aggressive: Flag = True, power: SomePower = None) -> Algorithm:
    """Mirror prox."""
    exponent = power if power is not None else 1.0 if prox == EUCLIDEAN else 0.0
    general = engine_of(MirrorProx, prox, aggressive=aggressive, power=exponent)
    settings = {"prox": prox, "aggressive": aggressive, "power": exponent}
    return Algorithm("mirror-prox", {}, settings, general=general, two_player_zero_sum=True)
