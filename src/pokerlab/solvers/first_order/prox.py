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
    from pokerlab.solvers.first_order._kernels.prox import Prox
    from pokerlab.solvers.sequence._kernels import Treeplexes

FORMS = "sequence", "public", "roles", "classes", "normal"  # that first-order methods run on, best first
ENTROPY, EUCLIDEAN = "entropy", "euclidean"
ProxName = Annotated[str, one_of(ENTROPY, EUCLIDEAN)]
ROUNDING = 1e-13  # of the norm: by so much a sum that is not above zero may exceed it
LEAST = 1e-9  # of a centre's probabilities, where their logarithms are used


def prox_of(treeplexes: Treeplexes, name: str) -> Prox:
    """The prox functions of both players."""
    from pokerlab.solvers.first_order._kernels.prox import Prox, weigh

    weight, diameter = np.zeros(len(np.asarray(treeplexes.parent))), np.zeros(2)
    weigh(treeplexes, name == ENTROPY, weight, diameter)
    return Prox(name == ENTROPY, weight, diameter)


def raised(behaviour: np.ndarray) -> np.ndarray:
    """Probabilities of at least a least one, which then sum to a little more than one."""
    return np.asarray(np.maximum(behaviour, LEAST))


def norm_of(treeplexes: Treeplexes) -> float:
    """A bound on the Euclidean norm of the payoffs, at most a few times too large; 1 where nothing is paid.

    See norm_within.
    """
    lengths = np.diff(np.asarray(treeplexes.row)).astype(np.int64)
    paid = np.bincount(np.repeat(np.arange(len(lengths)), lengths), np.abs(treeplexes.payoff), len(lengths))  # [S]
    return norm_within(*(max(float(paid[player]), _most(paid, own)) for player, own in enumerate(treeplexes.own)))


def norm_within(row: float, column: float) -> float:
    """What bounds the norm of a matrix, by the largest sums of sizes in its rows and columns: their geometric mean.

    No product of the two is formed, which huge or tiny payoffs would carry out of range, and a power of two in both
    is one in the mean, bit for bit.
    """
    return math.sqrt(row / column) * column or 1.0 if column else 1.0


def _most(numbers: np.ndarray, span: np.ndarray) -> float:
    return float(numbers[int(span[0]) : int(span[1])].max(initial=0.0))
