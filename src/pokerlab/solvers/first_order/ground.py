"""What first-order methods run on: two players' plans, and one operation, the smoothed best response to a plan.

*Vectors* [n] hold a number for each sequence of both players: a plan, or a point in the coordinates of the prox
function. How long they are and which part of them is whose is known to the ground alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.algorithm import Resources
from pokerlab.solvers.first_order.prox import ENTROPY, norm_of, norm_within, prox_of, raised
from pokerlab.solvers.run import Measure
from pokerlab.solvers.sequence.treeplex_form import TreeplexForm, as_treeplexes
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.form import Form
from pokerlab.tree.public.layout import PublicTree


class Ground(ABC):
    """A form of a two-player zero-sum game with a prox function of each player's plans."""

    form: Form
    prox: str
    nodes: int  # that a gradient evaluation visits; 0 where nobody counts them
    norm: float  # a bound on that of the payoffs, in the norms in which the prox functions have modulus 1
    diameter: np.ndarray  # [2]: how much larger each prox function becomes, the centre being uniform
    own: tuple[slice, slice]  # the part of a vector that is each player's

    @abstractmethod
    def vector(self) -> np.ndarray:
        """A new vector, of no plan."""

    @abstractmethod
    def answer_smoothly(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        """The best a player can do against the other's plan, less `smoothing` times its divergence from a prior.

        Where that is comes into `point`, in coordinates, and its plan into `out`, the player's part of both; gives what
        it is worth. `plan` may be `out`. One gradient is evaluated.
        """

    @abstractmethod
    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """What plans do at each infoset, uniform where they never come."""

    @abstractmethod
    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The plans of a behaviour."""

    @abstractmethod
    def raised(self, behaviour: np.ndarray) -> np.ndarray:
        """A behaviour whose probabilities are raised to a least one, so that they have logarithms."""

    @abstractmethod
    def answer(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        """Plans as the form's own arrays."""

    @abstractmethod
    def measure(self, plan: np.ndarray) -> Measure:
        """Exploitability of plans."""

    def kept(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        """What files of the form look for among the arrays of a state."""
        return {}

    def point(self, behaviour: np.ndarray) -> np.ndarray:
        """A behaviour in the coordinates of the prox function; where these are logarithms it must not be zero."""
        return np.log(behaviour) if self.prox == ENTROPY else behaviour.copy()

    def uniform(self) -> np.ndarray:
        """The behaviour that takes every action alike."""
        return self.behaviour(np.zeros_like(self.vector()))


class TreeplexGround(Ground):
    """A form as treeplexes with their payoffs, or with another way to find what sequences win."""

    def __init__(self, laid: TreeplexForm, prox: str) -> None:
        from pokerlab.solvers.first_order._kernels.prox import Room

        treeplexes = laid.treeplexes
        self.form, self.treeplexes, self.prox, self.nodes = laid.form, treeplexes, prox, laid.nodes
        self.weights = prox_of(treeplexes, prox)
        self.diameter = np.asarray(self.weights.diameter)
        self.norm = norm_of(treeplexes)
        self._start = np.asarray(treeplexes.start).astype(np.int64)
        self._counts = np.diff(self._start)
        self._room = Room(np.zeros(self.sequences), np.zeros(self.sequences))
        self._laid = laid
        bounds = np.asarray(treeplexes.own).astype(np.int64).tolist()
        self.own = slice(*bounds[0]), slice(*bounds[1])

    @property
    def sequences(self) -> int:
        """Of both players, the empty ones too."""
        return int(self._start[-1])

    def vector(self) -> np.ndarray:
        return np.ones(self.sequences)

    def answer_smoothly(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        from pokerlab.solvers.first_order._kernels.prox import answer_smoothly

        who = np.uint64(player)
        found = answer_smoothly(who, smoothing, self.treeplexes, self.weights, plan, prior, point, out, self._room)
        return float(found)

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        sums = self._spread(np.add.reduceat(plan, self._start[:-1]) if len(self._counts) else np.zeros(0))
        uniform = np.repeat(1.0 / self._counts, self._counts)
        found = np.ones_like(plan)
        found[2:] = np.where(sums > 0, plan[2:] / np.where(sums > 0, sums, 1.0), uniform)
        return found

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        from pokerlab.tree._kernels.forms import realise

        plan = behaviour.copy()
        realise(self.treeplexes.start, self.treeplexes.parent, plan)
        return plan

    def raised(self, behaviour: np.ndarray) -> np.ndarray:
        found = raised(behaviour)
        found[2:] /= self._spread(np.add.reduceat(found, self._start[:-1]))
        return found

    def _spread(self, by_infoset: np.ndarray) -> np.ndarray:
        return np.repeat(by_infoset, self._counts)

    def answer(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        return self._laid.answer(plan)

    def measure(self, plan: np.ndarray) -> Measure:
        return self._laid.measure(plan)


class ClassGround(TreeplexGround):
    """Classes of hands: the betting of each hand is a treeplex, and products of matrices say what sequences win."""

    def __init__(self, form: ClassForm, prox: str) -> None:
        super().__init__(as_treeplexes(form), prox)
        paid, largest = abs(form.fixed) + abs(form.won), []
        for player in (0, 1):  # as norm_of; what follows a sequence comes with a hand, but for the empty one
            sums = np.asarray(paid.sum(1 - player)).reshape(-1)
            likeliest = float(form.chance.sum(1 - player).max())
            largest.append(max(float(sums[0]), likeliest * float(sums[1:].max(initial=0.0))))
        self.norm = norm_within(*largest)

    def answer_smoothly(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        from pokerlab.solvers.first_order._kernels.prox import prox_map

        assert self._laid.won is not None
        won = self._laid.won(player, np.append(1.0, plan[self.own[1 - player]]))
        self._room.value[player], self._room.value[self.own[player]] = won[0], won[1:]
        who = np.uint64(player)
        return float(prox_map(who, smoothing, self.treeplexes, self.weights, prior, point, out, self._room))


def ground_of(form: Any, prox: str, resources: Resources | None = None) -> Ground:
    """A form of a two-player zero-sum game, with a prox function."""
    if isinstance(form, ClassForm):
        return ClassGround(form, prox)
    if not isinstance(form, PublicTree):
        return TreeplexGround(as_treeplexes(form), prox)
    from pokerlab.solvers.first_order.public import PublicGround

    asked = resources or Resources()
    if asked.storage != Resources().storage:
        raise BadSetting("first-order methods keep their numbers as float64: leave out the storage")
    return PublicGround(form, prox, threads=asked.threads)
