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
ROUNDING = 1e-13  # of the norm: by so much a sum that is not above zero may exceed it
LEAST = 1e-9  # of a centre's probabilities, where their logarithms are used


def prox_of(treeplexes: Treeplexes, name: str) -> Prox:
    """The prox functions of both players."""
    from pokerlab.tree._kernels.prox import Prox, weigh

    weight, diameter = np.zeros(len(treeplexes.parent)), np.zeros(2)
    weigh(treeplexes.arrays, name == ENTROPY, weight, diameter)
    return Prox(name == ENTROPY, weight, diameter)


def raised(behaviour: np.ndarray) -> np.ndarray:
    """Probabilities of at least a least one, which then sum to a little more than one."""
    return np.asarray(np.maximum(behaviour, LEAST))


def norm_within(row: float, column: float) -> float:
    """What bounds the norm of a matrix, by the largest sums of sizes in its rows and columns: their geometric mean.

    No product of the two is formed, which huge or tiny payoffs would carry out of range, and a power of two in both
    is one in the mean, bit for bit.
    """
    return math.sqrt(row / column) * column or 1.0 if column else 1.0
