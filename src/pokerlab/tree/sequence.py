"""The sequence form: each player's decisions as a treeplex, and payoffs by each player's last sequence.

A *sequence* is the list of one player's actions on the way to a history; with perfect recall its last (infoset, action)
pair identifies it. A behaviour strategy becomes a realization plan, the probability of each sequence, and expected
payoffs become linear in each player's plan: for two players a sparse matrix, for more a sparse tensor. Koller, Megiddo
and von Stengel, "Fast algorithms for finding randomized strategies in game trees", 1994.

Sequences of all players are numbered together: 0 .. P-1 are the empty ones, then slot a is sequence P + a. Leaves with
the same sequences are merged, and those with zero payoff are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.errors import BadGame
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import ROUNDING
from pokerlab.games.spot.spot import Spot
from pokerlab.games.stochastic import StochasticGame
from pokerlab.registry import load
from pokerlab.tree.forecast import forecast, run_bytes
from pokerlab.tree.form import SPOT_IS_PUBLIC, Form, FormKind, FormSize, Problem
from pokerlab.tree.history.layout import HistoryTree, build
from pokerlab.tree.treeplex import Treeplexes
from pokerlab.tree.units import far_middle

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LEAST_STAKES = 1e-100  # keeps products and sums of payoffs far from overflow and underflow


@dataclass(frozen=True, eq=False)
class SequenceForm(Form):
    """P treeplexes and the payoffs. I infosets, S = P + A sequences, Z leaves with nonzero payoff, once per player."""

    tree: HistoryTree
    # Indices are unsigned, so that kernels need not check for negative ones.
    start: np.ndarray  # [I + 1] uint32: the sequences of infoset i are start[i] .. start[i + 1] - 1
    parent: np.ndarray  # [I] uint32: the sequence that leads to infoset i
    row: np.ndarray  # [S + 1] uint64: the leaves after sequence s are row[s] .. row[s + 1] - 1
    other: np.ndarray  # [Z, P - 1] uint32: the last sequences of the other players, in the order of seats
    value: np.ndarray  # [Z] float64: chance times payoff, to the player of the row

    kind = "sequence"

    @property
    def name(self) -> str:
        return self.tree.game

    @property
    def players(self) -> int:
        return self.tree.players

    @property
    def max_abs_payoff(self) -> float:
        return self.tree.max_abs_payoff

    @property
    def pot(self) -> float:
        return self.tree.pot or self.tree.max_abs_payoff

    @property
    def is_zero_sum(self) -> bool:
        return self.tree.is_zero_sum

    @property
    def size(self) -> FormSize:
        tree = self.tree
        counts = tree.nodes, tree.terminals, tree.infosets, self.sequences
        return FormSize(tree.nodes, tree.infosets, run_bytes(self.players, *counts))

    def small(self) -> SequenceForm:
        """Kuhn poker for as many players, or for nearly as many."""
        players = 2 if self.players == 2 else min(max(self.players, 3), 4)
        return _small(players)

    def centred(self) -> SequenceForm:
        """With player 0's payoffs shifted towards zero if they are all far to one side of it."""
        middle = far_middle(self.tree.returns[:, 0]) if self.players == 2 else 0.0
        if not middle:
            return self
        return sequence_form(replace(self.tree, returns=self.tree.returns - np.array([middle, -middle])))

    def sampled(self, share: float, seed: int) -> SequenceForm:
        """The form with about this share of the leaves, chosen by a hash, whose payoffs are larger by 1/share.

        Payoffs are unbiased over seeds. A leaf is chosen for both players of a two-player game or for neither, and a
        larger share contains a smaller one of the same seed.
        """
        lengths = np.diff(self.row).astype(np.int64)
        own, other = np.repeat(np.arange(self.sequences, dtype=np.uint64), lengths), self.other[:, 0].astype(np.uint64)
        first = np.minimum(own, other)  # the key is of both sequences in either order
        taken = _hashed(first * np.uint64(self.sequences) + own + other - first, seed) < share
        kept = np.r_[0, np.cumsum(taken)]
        row = kept[self.row.astype(np.int64)].astype(np.uint64)
        return replace(self, row=row, other=self.other[taken], value=self.value[taken] / share)

    def derive(self, kind: str) -> Form | None:
        from pokerlab.tree.normal import normal_form

        return normal_form(self) if kind == "normal" else None

    @property
    def sequences(self) -> int:
        """The number of sequences of all players, including the empty ones."""
        return len(self.row) - 1

    @property
    def bytes(self) -> int:
        """Bytes of the arrays."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def sequences_of(self, player: int) -> slice:
        """A player's sequences except the empty one, which is number `player`."""
        return self.treeplexes.sequences_of(player)

    @cached_property
    def treeplexes(self) -> Treeplexes:
        infosets = np.column_stack([self.tree.first_infoset[:-1], self.tree.first_infoset[1:]]).astype(np.uint64)
        own = self.start[infosets].astype(np.uint64)
        return Treeplexes(self.start, self.parent, infosets, own, self.row, self.other.reshape(-1), self.value)

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        self._gather(np.uint64(player), False, self.treeplexes.arrays, plan, out)

    @cached_property
    def _gather(self) -> Any:
        from pokerlab.tree._kernels.treeplex import gather

        return gather

    def largest_payoff_sum(self, player: int) -> float:
        lengths = np.diff(self.row).astype(np.int64)
        paid = np.bincount(np.repeat(np.arange(len(lengths)), lengths), np.abs(self.value), len(lengths))  # [S]
        return max(float(paid[player]), float(paid[self.sequences_of(player)].max(initial=0.0)))

    @property
    def nodes_per_pass(self) -> int:
        return self.tree.nodes

    def _slot_name(self, slot: int) -> str:
        infoset = int(np.searchsorted(self.tree.start, slot, side="right")) - 1
        return f"infoset {self.tree.infoset_names[infoset]!r}"

    @cached_property
    def matrix(self) -> csr_matrix:
        """Payoffs to player 0 of a two-player zero-sum game, by the sequences of each, the empty one first."""
        from scipy.sparse import csr_matrix

        if self.players != 2 or not self.tree.is_zero_sum:
            raise BadGame(f"{self.tree.game} is not a two-player zero-sum game, so its payoffs are not one matrix")
        mine, theirs = self.sequences_of(0), self.sequences_of(1)
        row = self.row.astype(np.int64)
        leaves = np.r_[row[0] : row[1], row[mine.start] : row[mine.stop]]
        lengths = np.diff(self.row.astype(np.int64))[np.r_[0, mine]]
        column = self.other[leaves, 0].astype(np.int64)
        column = np.where(column == 1, 0, column - theirs.start + 1)
        shape = (mine.stop - mine.start + 1, theirs.stop - theirs.start + 1)
        return csr_matrix((self.value[leaves], column, np.r_[0, np.cumsum(lengths)]), shape=shape)


@cache
def _small(players: int) -> SequenceForm:
    return sequence_form(build(load("games", "kuhn", players=players)))


def _hashed(keys: np.ndarray, seed: int) -> np.ndarray:
    """A number from 0 to 1 for each key and a seed: the finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    mixed = keys + np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray((mixed ^ (mixed >> np.uint64(31))) / 2.0**64)


@dataclass(frozen=True)
class RecallFailure:
    """A violation of perfect recall: two histories of one infoset with different own actions before them."""

    player: int
    infoset: str
    histories: tuple[tuple[str, ...], tuple[str, ...]]

    def text(self) -> str:
        """The violation as a sentence."""
        first, second = (" ".join(history) or "the start" for history in self.histories)
        return (
            f"player {self.player} forgets at infoset {self.infoset!r}: it is reached both by {first} and by {second}, "
            "before which that player saw or did different things"
        )


def recall_failure(tree: HistoryTree) -> RecallFailure | None:
    """Where perfect recall fails, or None if every player remembers everything they saw and did."""
    return _trace(tree)[0]


def _trace(tree: HistoryTree) -> tuple[RecallFailure | None, np.ndarray, np.ndarray, np.ndarray]:
    from pokerlab.tree._kernels.forms import trace

    infoset_parent = np.full(tree.infosets, -1, np.int32)
    leaf_sequence = np.empty((tree.terminals, tree.players), np.int32)
    leaf_chance = np.empty(tree.terminals)
    nodes = tree.actor, tree.parent, tree.first_child, tree.label, tree.probability
    first, second = trace(*nodes, tree.start, tree.players, infoset_parent, leaf_sequence, leaf_chance)
    failure = None
    if first >= 0:
        infoset = int(tree.label[first])
        paths = tuple(tree.path(first)), tuple(tree.path(second))
        failure = RecallFailure(int(tree.infoset_player[infoset]), tree.infoset_names[infoset], paths)
    return failure, infoset_parent, leaf_sequence, leaf_chance


def leaves_of(tree: HistoryTree) -> tuple[np.ndarray, np.ndarray]:
    """The last sequence of each player at each terminal, [T, P], and the chance factor of its probability. [T]"""
    return _trace(tree)[2:]


def sequence_form(tree: HistoryTree | SequenceForm) -> SequenceForm:
    """The sequence form of a tree; BadGame, with the location, if recall is not perfect."""
    if isinstance(tree, SequenceForm):
        return tree
    failure, infoset_parent, leaf_sequence, leaf_chance = _trace(tree)
    if tree.max_abs_payoff and not LEAST_STAKES <= tree.max_abs_payoff <= 1 / LEAST_STAKES:
        raise BadGame(
            f"the largest payoff of {tree.game} is {tree.max_abs_payoff:g}, too far from 1 for floats; "
            f"give payoffs in units that make it {LEAST_STAKES:g} to {1 / LEAST_STAKES:g}"
        )
    if failure is not None:
        raise BadGame(f"{tree.game} is a game of imperfect recall, which has no sequence form: {failure.text()}")
    sequences = tree.players + tree.slots
    sequence, payoff = _merged(leaf_sequence, tree.returns * leaf_chance[:, None], sequences)
    owns, others, values = [], [], []
    for player in range(tree.players):
        paying = payoff[:, player] != 0
        owns.append(sequence[paying, player])
        others.append(np.delete(sequence[paying], player, axis=1))
        values.append(payoff[paying, player])
    own = np.concatenate(owns)
    order = np.argsort(own, kind="stable")
    return SequenceForm(
        tree=tree,
        start=(tree.start + tree.players).astype(np.uint32),
        parent=infoset_parent.astype(np.uint32),
        row=np.r_[0, np.cumsum(np.bincount(own, minlength=sequences))].astype(np.uint64),
        other=np.ascontiguousarray(np.concatenate(others)[order].astype(np.uint32)),
        value=np.concatenate(values)[order],
    )


def _merged(sequence: np.ndarray, payoff: np.ndarray, sequences: int) -> tuple[np.ndarray, np.ndarray]:
    """Leaves with the same sequences summed into one, ordered by sequences.  # [T, P], [T, P] -> [Z, P], [Z, P]

    Payoffs that cancel are set to zero: the rounding error would be a payoff far below all others, which spoils the
    scaling of linear programs.
    """
    if sequences ** sequence.shape[1] < 2**62:
        key = np.ravel_multi_index(tuple(sequence.T), (sequences,) * sequence.shape[1])
        order = np.argsort(key, kind="stable")
    else:
        order = np.lexsort(sequence.T[::-1])
    sequence, payoff = sequence[order], payoff[order]
    fresh = np.ones(len(sequence), bool)
    fresh[1:] = np.any(sequence[1:] != sequence[:-1], axis=1)
    firsts = np.flatnonzero(fresh)
    sums = np.add.reduceat(payoff, firsts, axis=0)
    if len(firsts) < len(fresh):
        sums[np.abs(sums) <= ROUNDING * np.add.reduceat(np.abs(payoff), firsts, axis=0)] = 0.0
    return sequence[firsts], sums


def _why_not(problem: Problem) -> str:
    """Every finite game has a sequence form; a spot is always in public form."""
    if isinstance(problem, Spot):
        return SPOT_IS_PUBLIC
    if isinstance(problem, StochasticGame):
        return f"{problem.name} has no sequence form, because play may never end: solve it in the stochastic form"
    return ""


def _forecast(problem: Problem) -> FormSize:
    assert not isinstance(problem, Spot | Abstracted)
    size = forecast(problem)
    return FormSize(size.nodes, size.infosets, size.bytes)


def _build(problem: Problem, *, watch: Watch = SILENT, most_infosets: int | None = None, **_: Any) -> SequenceForm:
    assert not isinstance(problem, Spot | Abstracted)
    return sequence_form(build(problem, watch=watch, most_infosets=most_infosets))


FORM = FormKind(_why_not, _forecast, _build, has_histories=True, is_usual=True)
