"""Smoothed best responses, the basic operation of first-order methods.

A smoothed best response maximises the payoff minus a multiple of a prox function of the plan, so that it changes
continuously with the opponent's plan. *Vectors* [n] hold a number for each sequence of both players: a plan, a
behaviour, or a point in the coordinates of the prox function. Only the operation knows their length.

Prox functions are the dilated entropy and the dilated Euclidean distance. Hoda, Gilpin, Peña and Sandholm, "Smoothing
techniques for computing Nash equilibria of sequential games", 2010, dilate a function of each infoset's behaviour by
the reach of the infoset. The weights of infosets are those of Kroer, Waugh, Kılınç-Karzan and Sandholm, "Faster
algorithms for extensive-form game solving via improved smoothing functions", 2020: with them both functions are
strongly convex with modulus 1 in the Euclidean norm, so that step lengths need only the norm of the payoffs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated

import numpy as np

from pokerlab.settings import one_of
from pokerlab.tree.form import Form
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from pokerlab.tree._kernels.prox import Prox

ENTROPY, EUCLIDEAN = "entropy", "euclidean"
ProxName = Annotated[str, one_of(ENTROPY, EUCLIDEAN)]
ROUNDING = 1e-13  # of the norm: tolerance for sums that should be at most zero
LEAST = 1e-9  # minimum probability of a centre whose logarithms are used


class SmoothedBestResponse(ABC):
    """Smoothed best responses in a form of a two-player zero-sum game, with a prox function of each player's plans."""

    form: Form
    prox: str
    norm: float  # a bound on the norm of the payoffs, in the norms in which the prox functions have modulus 1
    diameter: np.ndarray  # [2]: the range of each prox function, with a uniform centre
    own: tuple[slice, slice]  # each player's part of a vector

    @abstractmethod
    def vector(self) -> np.ndarray:
        """A new vector, not yet a plan."""

    @abstractmethod
    def respond(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        """The best response to the opponent's plan, penalised by `smoothing` times its divergence from a prior.

        Writes the player's part of `point`, in coordinates, and of `out`, as a plan; returns the value. `plan` may be
        `out`. Evaluates one gradient.
        """

    @abstractmethod
    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """The behaviour of plans, uniform at infosets that they never reach."""

    @abstractmethod
    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The plans of a behaviour."""

    @abstractmethod
    def profile(self, plan: np.ndarray) -> np.ndarray:
        """Plans as a profile of the form.  # [A]"""

    def point(self, behaviour: np.ndarray) -> np.ndarray:
        """A behaviour in the coordinates of the prox function; if these are logarithms it must be positive."""
        return np.log(behaviour) if self.prox == ENTROPY else behaviour.copy()

    def raised(self, behaviour: np.ndarray) -> np.ndarray:
        """A behaviour with every probability raised to a small positive minimum, so that logarithms exist."""
        return self.behaviour(np.maximum(behaviour, LEAST))

    def uniform(self) -> np.ndarray:
        """The uniform behaviour."""
        return self.behaviour(np.zeros_like(self.vector()))


class TreeplexSmoothing(SmoothedBestResponse):
    """The general implementation: payoffs by sequence, then one prox map up and down the player's treeplex."""

    def __init__(self, form: Form, prox: str) -> None:
        from pokerlab.tree._kernels.prox import Workspace, prox_map

        self.form, self.prox, self.trees = form, prox, form.treeplexes
        self.weights = prox_of(self.trees, prox)
        self.diameter = np.asarray(self.weights.diameter)
        self.norm = norm_within(form.largest_payoff_sum(0), form.largest_payoff_sum(1))
        self.own = self.trees.sequences_of(0), self.trees.sequences_of(1)
        self._prox_map, self._players = prox_map, (np.uint64(0), np.uint64(1))
        self._work = Workspace(np.zeros(self.trees.sequences), np.zeros(self.trees.sequences))

    def vector(self) -> np.ndarray:
        return np.ones(self.trees.sequences)

    def respond(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        self.form.payoffs(player, plan, self._work.value)
        arrays, who = self.trees.arrays, self._players[player]
        return float(self._prox_map(who, smoothing, arrays, self.weights, prior, point, out, self._work))

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        return np.concatenate([np.ones(2), self.trees.behaviour(plan)])

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        return self.trees.plan(behaviour[2:])

    def profile(self, plan: np.ndarray) -> np.ndarray:
        return self.form.behaviour(plan)


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
