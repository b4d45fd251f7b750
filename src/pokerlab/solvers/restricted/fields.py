"""Whole games as oracles see them: two treeplexes, and what a player's sequences win against a plan of the other.

A plan of a player is [sequence], the empty one first; the plans of both together are [S]: the two empty sequences, then
those of the first player, then those of the second, as in tree/sequence.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.algorithm import Resources
from pokerlab.solvers.library.lp import scaled_payoffs
from pokerlab.solvers.run import Measure
from pokerlab.solvers.sequence.treeplex_form import TreeplexForm, as_treeplexes
from pokerlab.solvers.units import far_middle, middle_power
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.form import Form
from pokerlab.tree.normal import NormalForm
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Plex(NamedTuple):
    """The treeplex of one player: the empty sequence is 0."""

    start: np.ndarray  # [infoset + 1] int64: its sequences are start[i] .. start[i + 1] - 1
    parent: np.ndarray  # [infoset] int64: the sequence after which it is met

    @property
    def sequences(self) -> int:
        """How many there are, the empty one included."""
        return int(self.start[-1])

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """What a plan does at each infoset, uniform where it never comes; 1 at the empty sequence.  # [sequence]"""
        counts = np.diff(self.start)
        sums = np.repeat(np.add.reduceat(plan, self.start[:-1]) if len(counts) else np.zeros(0), counts)
        uniform = np.repeat(1.0 / counts, counts)
        shares = np.where(sums > 0, plan[1:] / np.where(sums > 0, sums, 1.0), uniform)
        return np.append(1.0, shares)

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The plan of a behaviour.  # [sequence]"""
        from pokerlab.tree._kernels.forms import realise

        plan = behaviour.copy()
        realise(self.start, self.parent, plan)
        return plan


class Response(NamedTuple):
    """A pure best response to the other's plan."""

    value: float  # in the field's unit
    choice: np.ndarray  # [sequence]: whether it is taken where its infoset is reached, at every infoset
    plan: np.ndarray  # [sequence]


class Field(ABC):
    """A form of a two-player zero-sum game. Payoffs are told in a unit of their own, and may be moved towards zero."""

    form: Form
    plexes: tuple[Plex, Plex]
    unit: float
    nodes: int  # that one look at the game visits

    @property
    def stakes(self) -> float:
        """The largest payoff, what all win alike left aside."""
        return self.form.stakes

    @abstractmethod
    def against(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What a player's sequences win against a plan of the other, without what later choices win.  # [sequence]"""

    @abstractmethod
    def answer(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        """Plans [S] as the form's own arrays."""

    @abstractmethod
    def measure(self, plan: np.ndarray) -> Measure:
        """Value and best responses of plans [S]."""

    def kept(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        """What the form wants to find of the answer in a solver's state."""
        return {}

    def own(self, player: int) -> slice:
        """Where a player's sequences lie in plans [S], but for the empty one."""
        first = 2 + player * (self.plexes[0].sequences - 1)
        return slice(first, first + self.plexes[player].sequences - 1)

    def of(self, player: int, plan: np.ndarray) -> np.ndarray:
        """A player's plan, of plans [S]; made one where rounding has left it less than that."""
        plex = self.plexes[player]
        return plex.plan(plex.behaviour(np.append(1.0, plan[self.own(player)])))

    def uniform(self) -> np.ndarray:
        """The plans that take every action alike.  # [S]"""
        plans = [plex.plan(plex.behaviour(np.zeros(plex.sequences))) for plex in self.plexes]
        return np.concatenate([np.ones(2), plans[0][1:], plans[1][1:]])

    def respond(self, player: int, against: np.ndarray) -> Response:
        """The best that a player can do, by what the sequences win."""
        from pokerlab.solvers.sequence._kernels import respond

        plex = self.plexes[player]
        value, choice = against.copy(), np.zeros(plex.sequences)
        respond(np.uint64(0), np.uint64(len(plex.parent)), _tree_of(plex), value, choice)
        choice[0] = 1.0
        return Response(float(value[0]), choice, plex.plan(choice))


def _tree_of(plex: Plex) -> Any:
    """One treeplex as kernels of the sequence form take it, without payoffs."""
    from pokerlab.solvers.sequence._kernels import Treeplexes

    nothing = np.zeros((1, 2), np.uint64)
    start, parent = plex.start.astype(np.uint32), plex.parent.astype(np.uint32)
    return Treeplexes(nothing, nothing, start, parent, nothing[0], np.zeros(1, np.uint32), np.zeros(1))


class LaidField(Field):
    """A form that is laid out as treeplexes."""

    def __init__(self, form: SequenceForm | RoleForm | NormalForm | ClassForm) -> None:
        self._laid = as_treeplexes(form)
        self.form, self.nodes = self._laid.form, self._laid.nodes
        self.plexes = (_own_plex(self._laid, 0), _own_plex(self._laid, 1))

    def answer(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        """Plans [S] as the form's own arrays."""
        return self._laid.answer(plan)

    def measure(self, plan: np.ndarray) -> Measure:
        """Value and best responses of plans [S]."""
        return self._laid.measure(plan)


class MatrixField(LaidField):
    """A game whose payoffs are one matrix, by the sequences of both: the sequence, the roles and the normal form."""

    def __init__(self, form: SequenceForm | RoleForm | NormalForm) -> None:
        super().__init__(form)
        if isinstance(form, SequenceForm):
            self.matrix, self.unit, _ = scaled_payoffs(form)
        else:
            self.matrix = _matrix(self._laid, self.plexes)
            self.unit = middle_power(self.matrix.data)
            self.matrix.data /= self.unit

    @property
    def stakes(self) -> float:
        """The largest payoff, what all win alike left aside."""
        if not isinstance(self.form, SequenceForm):
            return self.form.stakes
        won = self.form.tree.returns[:, 0]
        return float(np.abs(won - far_middle(won)).max(initial=0.0))

    def against(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What a player's sequences win against a plan of the other."""
        return np.asarray(self.matrix @ plan if player == 0 else -(self.matrix.T @ plan))


def _own_plex(laid: TreeplexForm, player: int) -> Plex:
    trees: Any = laid.treeplexes
    low, high = (int(bound) for bound in trees.infosets[player])
    first = int(trees.own[player, 0])
    parent = trees.parent[low:high].astype(np.int64)
    return Plex(trees.start[low : high + 1].astype(np.int64) - first + 1, np.where(parent < 2, 0, parent - first + 1))


def _matrix(laid: TreeplexForm, plexes: Sequence[Plex]) -> csr_matrix:
    """Payoffs to the first player, by the sequences of each, the empty one first."""
    from scipy.sparse import csr_matrix

    trees: Any = laid.treeplexes
    row, own = trees.row.astype(np.int64), trees.own.astype(np.int64)
    leaves = np.r_[row[0] : row[1], row[own[0, 0]] : row[own[0, 1]]]
    lengths = np.diff(row)[np.r_[0, own[0, 0] : own[0, 1]]]
    column = trees.other[leaves].astype(np.int64)
    column = np.where(column == 1, 0, column - own[1, 0] + 1)
    shape = plexes[0].sequences, plexes[1].sequences
    return csr_matrix((trees.payoff[leaves], column, np.r_[0, np.cumsum(lengths)]), shape=shape)


class ClassField(LaidField):
    """Classes of hands: products of matrices say what sequences win."""

    def __init__(self, form: ClassForm) -> None:
        super().__init__(form)
        self.unit = middle_power(np.array([form.stakes]))

    def against(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What a player's sequences win against a plan of the other."""
        assert self._laid.won is not None
        return self._laid.won(player, plan) / self.unit


def field_of(form: Any, resources: Resources | None = None) -> Field:
    """A form of a two-player zero-sum game as oracles see it."""
    given = resources or Resources()
    if given.storage != Resources().storage:
        raise BadSetting(f"oracles keep whole plans, which are not stored as {given.storage}; leave the storage out")
    if isinstance(form, ClassForm):
        return ClassField(form)
    if form.kind == "public":
        from pokerlab.solvers.restricted.public import PublicField

        return PublicField(form, threads=given.threads)
    return MatrixField(form)
