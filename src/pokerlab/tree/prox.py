"""Prox functions for treeplexes: dilated entropy and dilated Euclidean distance.

Hoda, Gilpin, Peña and Sandholm, "Smoothing techniques for computing Nash equilibria of sequential games", 2010, dilate
a function of each infoset's behaviour by the reach of the infoset. The weights of infosets are those of Kroer, Waugh,
Kılınç-Karzan and Sandholm, "Faster algorithms for extensive-form game solving via improved smoothing functions", 2020:
with them both functions are strongly convex with modulus 1 in the Euclidean norm, so that the norm of the payoffs below
is all that step lengths need.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import numpy as np

from pokerlab.settings import one_of

if TYPE_CHECKING:
    from pokerlab.tree._kernels.prox import Prox
    from pokerlab.tree.treeplex import Treeplexes

ENTROPY, EUCLIDEAN = "entropy", "euclidean"
ProxName = Annotated[str, one_of(ENTROPY, EUCLIDEAN)]
ROUNDING = 1e-13  # of the norm: tolerance for sums that should be at most zero
LEAST = 1e-9  # minimum probability of a centre whose logarithms are used


def prox_of(treeplexes: Treeplexes, name: str) -> Prox:
    """The prox functions of both players."""
    from pokerlab.tree._kernels.prox import Prox, weigh

    weight, diameter = np.zeros(len(treeplexes.parent)), np.zeros(2)
    weigh(treeplexes.arrays, name == ENTROPY, weight, diameter)
    return Prox(name == ENTROPY, weight, diameter)


def norm_within(row: float, column: float) -> float:
    """A bound on the norm of a matrix, from its largest absolute row and column sums: their geometric mean.

    Their product is never formed, since it could overflow or underflow, and scaling both by a power of two scales
    the result exactly.
    """
    return math.sqrt(row / column) * column or 1.0 if column else 1.0
