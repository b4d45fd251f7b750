"""What first-order methods run on: two players' plans, and one operation, the smoothed best response to a plan.

*Vectors* [n] hold a number for each sequence of both players: a plan, or a point in the coordinates of the prox
function. How long they are and which part of them is whose is known to the ground alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.algorithm import Resources
from pokerlab.solvers.classes.scheduled import answer_of, measure_classes
from pokerlab.solvers.first_order.prox import ENTROPY, norm_of, prox_of, raised
from pokerlab.solvers.measure import measure_plan
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.solvers.run import Measure
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.form import Form
from pokerlab.tree.normal import NormalForm
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.solvers.sequence._kernels import Treeplexes

Told = Callable[[np.ndarray], dict[str, np.ndarray]]
Measured = Callable[[np.ndarray], Measure]


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

    def __init__(
        self, form: Form, treeplexes: Treeplexes, prox: str, *, nodes: int, answer: Told, measure: Measured
    ) -> None:
        from pokerlab.solvers.first_order._kernels.prox import Room

        self.form, self.treeplexes, self.prox, self.nodes = form, treeplexes, prox, nodes
        self.weights = prox_of(treeplexes, prox)
        self.diameter = np.asarray(self.weights.diameter)
        self.norm = norm_of(treeplexes)
        self._start = np.asarray(treeplexes.start).astype(np.int64)
        self._counts = np.diff(self._start)
        self._room = Room(np.zeros(self.sequences), np.zeros(self.sequences))
        self._answer, self._measure = answer, measure
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
        return self._answer(plan)

    def measure(self, plan: np.ndarray) -> Measure:
        return self._measure(plan)


class ClassGround(TreeplexGround):
    """Classes of hands: the betting of each hand is a treeplex, and products of matrices say what sequences win."""

    def __init__(self, form: ClassForm, prox: str) -> None:
        self._classes = form
        nodes = form.fixed.nnz * form.chance.size

        def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
            return answer_of(self._behaviours(plan))

        def measure(plan: np.ndarray) -> Measure:
            return measure_classes(form, self._behaviours(plan))

        super().__init__(form, _by_hand(form), prox, nodes=nodes, answer=answer, measure=measure)
        paid, largest = abs(form.fixed) + abs(form.won), 1.0
        for player in (0, 1):  # as norm_of; what follows a sequence comes with a hand, but for the empty one
            sums = np.asarray(paid.sum(1 - player)).reshape(-1)
            likeliest = float(form.chance.sum(1 - player).max())
            largest *= max(float(sums[0]), likeliest * float(sums[1:].max(initial=0.0)))
        self.norm = float(np.sqrt(largest)) or 1.0

    def answer_smoothly(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        from pokerlab.solvers.first_order._kernels.prox import prox_map

        values = self._classes.values(player, self._table(1 - player, plan))  # [S, hand]
        self._room.value[self.own[player]] = values[1:].T.reshape(-1)
        self._room.value[player] = values[0].sum()
        who = np.uint64(player)
        return float(prox_map(who, smoothing, self.treeplexes, self.weights, prior, point, out, self._room))

    def _table(self, player: int, vector: np.ndarray) -> np.ndarray:
        """A player's part of a vector, the empty sequence first.  # [S, hand]"""
        hands = len(self._classes.hands)
        return np.concatenate([np.ones((1, hands)), vector[self.own[player]].reshape(hands, -1).T])

    def _behaviours(self, plan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = self.behaviour(plan)
        return self._table(0, found), self._table(1, found)


def ground_of(form: Any, prox: str, resources: Resources | None = None) -> Ground:
    """A form of a two-player zero-sum game, with a prox function."""
    if isinstance(form, SequenceForm):
        return _of_sequences(form, prox)
    if isinstance(form, NormalForm):
        return _of_strategies(form, prox)
    if isinstance(form, RoleForm):
        return _of_roles(form, prox)
    if isinstance(form, ClassForm):
        return ClassGround(form, prox)
    from pokerlab.solvers.first_order.public import PublicGround

    assert isinstance(form, PublicTree)
    asked = resources or Resources()
    if asked.storage != Resources().storage:
        raise BadSetting("first-order methods keep their numbers as float64: leave out the storage")
    return PublicGround(form, prox, threads=asked.threads)


def _of_sequences(form: SequenceForm, prox: str) -> TreeplexGround:
    from pokerlab.solvers.sequence._kernels import treeplexes_of

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        return {"probability": form.profile(plan)}

    def measure(plan: np.ndarray) -> Measure:
        return measure_plan(form, form.plan(form.profile(plan)))

    return TreeplexGround(form, treeplexes_of(form), prox, nodes=form.tree.nodes, answer=answer, measure=measure)


def _of_strategies(form: NormalForm, prox: str) -> TreeplexGround:
    """One infoset each, whose actions are the reduced strategies."""
    sizes = [len(plans) for plans in form.plans]

    def behaviour(plan: np.ndarray) -> np.ndarray:
        return form.profile([plan[2 : 2 + sizes[0]], plan[2 + sizes[0] :]])

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        return {"probability": behaviour(plan)}

    def measure(plan: np.ndarray) -> Measure:
        return measure_plan(form.sequence, form.sequence.plan(behaviour(plan)))

    treeplexes, nodes = _dense([1, 1], sizes, form.payoffs[0]), form.payoffs[0].size
    return TreeplexGround(form.sequence, treeplexes, prox, nodes=nodes, answer=answer, measure=measure)


def _of_roles(form: RoleForm, prox: str) -> TreeplexGround:
    """An infoset for each hand, whose actions are not to act and to act."""
    hands = form.chance.shape
    # by (hand, whether it acts) of the first role and of the second
    payoff = form.utilities.transpose(2, 0, 3, 1).reshape(2 * hands[0], 2 * hands[1])

    def acts(plan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first = 2 + 2 * hands[0]
        return np.clip(plan[3:first:2], 0, 1), np.clip(plan[first + 1 :: 2], 0, 1)

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        first, second = acts(plan)
        return {"acts0": first, "acts1": second}

    def measure(plan: np.ndarray) -> Measure:
        return measure_roles(form, *acts(plan))

    treeplexes = _dense(list(hands), [2 * count for count in hands], payoff)
    return TreeplexGround(form, treeplexes, prox, nodes=form.chance.size, answer=answer, measure=measure)


def _dense(infosets: list[int], actions: list[int], payoff: np.ndarray) -> Treeplexes:
    """Treeplexes of depth one, each player's infosets sharing the actions.  # payoff [action, action] to the first"""
    rows, columns = payoff.shape
    start = np.concatenate(
        [
            2 + np.arange(infosets[0]) * (actions[0] // infosets[0]),
            2 + rows + np.arange(infosets[1] + 1) * (actions[1] // infosets[1]),
        ]
    )
    firsts, seconds = 2 + np.arange(rows), 2 + rows + np.arange(columns)
    return _treeplexes(
        infosets,
        (rows, columns),
        start=start,
        parent=np.repeat([0, 1], infosets),
        row=np.concatenate(
            [[0, 0, 0], np.arange(1, rows + 1) * columns, payoff.size + np.arange(1, columns + 1) * rows]
        ),
        other=np.concatenate([np.tile(seconds, rows), np.tile(firsts, columns)]),
        payoff=np.ascontiguousarray(np.concatenate([payoff.reshape(-1), -payoff.T.reshape(-1)])),
    )


def _by_hand(form: ClassForm) -> Treeplexes:
    """The betting of each hand of each player, hand after hand; nothing is paid here."""
    hands = len(form.hands)
    starts, parents, infosets, sizes, offset = [], [], [], [], 2
    for player, own in enumerate(form.own):
        size = own.sequences - 1
        bases = offset - 1 + size * np.arange(hands)[:, None]  # a hand's sequence 1 has the next number
        starts.append((bases + own.start[:-1]).reshape(-1))
        parents.append(np.where(own.parent == 0, player, bases + own.parent).reshape(-1))
        infosets.append(hands * len(own.nodes))
        sizes.append(hands * size)
        offset += hands * size
    return _treeplexes(
        infosets,
        (sizes[0], sizes[1]),
        start=np.concatenate([*starts, [offset]]),
        parent=np.concatenate(parents),
        row=np.zeros(offset + 1),
        other=np.zeros(0),
        payoff=np.zeros(0),
    )


def _treeplexes(
    infosets: list[int],
    sizes: tuple[int, int],
    *,
    start: np.ndarray,
    parent: np.ndarray,
    row: np.ndarray,
    other: np.ndarray,
    payoff: np.ndarray,
) -> Treeplexes:
    from pokerlab.solvers.sequence._kernels import Treeplexes

    return Treeplexes(
        np.array([[0, infosets[0]], [infosets[0], sum(infosets)]], np.uint64),
        np.array([[2, 2 + sizes[0]], [2 + sizes[0], 2 + sum(sizes)]], np.uint64),
        start.astype(np.uint32),
        parent.astype(np.uint32),
        row.astype(np.uint64),
        other.astype(np.uint32),
        payoff,
    )
