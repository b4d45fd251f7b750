"""The signal form: a betting tree between players who see a signal in each round, such as the bucket of their hand.

A model of poker without cards: a hand is the sequence of its signals, and two matrices say how likely two hands meet
and how often one is ahead in the end. A player's infosets are the decisions times the labels of hands there, which
remember those of earlier rounds. It is solved exactly by every algorithm on plans and payoffs; payoffs are products of
the matrices with the reach of all terminal nodes at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, walk
from pokerlab.tree.form import Form, FormSize
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Signals(NamedTuple):
    """What hands are: H of the first player, G of the second."""

    together: np.ndarray  # [H, G] how likely both are dealt; sums to 1
    ahead: np.ndarray  # [H, G] the same times how often the first player's wins, minus how often it loses
    labels: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]  # [player][round] of [hand]: what the player knows


class FinerPart(NamedTuple):
    """A part of the betting tree in which hands are told apart that are one hand elsewhere."""

    root: Node
    signals: Signals
    merged: tuple[np.ndarray, np.ndarray]  # [player] of [hand of the part]: which hand it is elsewhere


class SignalInfosets(NamedTuple):
    """The infosets of a decision."""

    first: int  # sequence of the player, in the treeplexes
    of_hand: np.ndarray  # [hand] which of the infosets
    is_inside: bool  # whether hands are those of the finer part


class _Terminals(NamedTuple):
    """Terminal nodes under construction, outside or inside the finer part."""

    reached: tuple[list[np.ndarray], list[np.ndarray]]  # [player][terminal] of [hand]: the last sequence
    shares: list[tuple[float, float]]  # [terminal] of `together` and of `ahead`


class _Ends(NamedTuple):
    """The same as arrays, and the signals of their hands."""

    reached: tuple[np.ndarray, np.ndarray]  # [player] of [terminal, hand]
    shares: np.ndarray  # [terminal, 2]
    signals: Signals


@dataclass
class _Walk:
    """The treeplexes under construction; sequences are numbered for each player from 1, and 0 is the empty one."""

    starts: tuple[list[int], list[int]] = field(default_factory=lambda: ([1], [1]))
    parents: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    infosets: dict[Decision, SignalInfosets] = field(default_factory=dict)
    ends: tuple[_Terminals, _Terminals] = field(
        default_factory=lambda: (_Terminals(([], []), []), _Terminals(([], []), []))
    )  # outside and inside the finer part


@dataclass(frozen=True, eq=False)
class SignalForm(Form):
    """A two-player zero-sum game of signals."""

    title: str
    betting: Node
    signals: Signals
    finer: FinerPart | None = None

    kind = "signals"
    players = 2
    is_zero_sum = True

    @property
    def name(self) -> str:
        return self.title

    @cached_property
    def max_abs_payoff(self) -> float:
        return float(max(abs(one) + abs(other) for ends in self._walk.ends for one, other in ends.shares))

    @property
    def pot(self) -> float:
        return self.max_abs_payoff

    @property
    def size(self) -> FormSize:
        nodes = sum(1 for _ in walk(self.betting))
        return FormSize(nodes, len(self.treeplexes.parent), 8.0 * self.treeplexes.sequences)

    @cached_property
    def _walk(self) -> _Walk:
        draft = _Walk()
        empty = tuple(np.zeros(count, np.int64) for count in self.signals.together.shape)
        self._visit(self.betting, 0, empty, False, draft)
        return draft

    def _visit(
        self,
        node: Node,
        number: int,
        reached: Sequence[np.ndarray],
        inside: bool,
        draft: _Walk,
    ) -> None:
        """Add a node, given the last sequence of each hand of each player."""
        if self.finer is not None and node is self.finer.root:
            reached, inside = [own[merged] for own, merged in zip(reached, self.finer.merged, strict=True)], True
        if isinstance(node, Deal):
            self._visit(node.child, number + 1, reached, inside, draft)
            return
        if isinstance(node, Decision):
            player, count = node.player, len(node.children)
            signals = self.finer.signals if inside and self.finer is not None else self.signals
            known, first, of_hand = np.unique(signals.labels[player][number], return_index=True, return_inverse=True)
            parents = reached[player][first]
            if not np.array_equal(parents[of_hand], reached[player]):
                raise BadSetting(f"the labels of {self.title} forget signals of earlier rounds")
            start = draft.starts[player][-1]
            draft.parents[player].extend(parents.tolist())
            draft.starts[player].extend((start + count * np.arange(1, len(known) + 1)).tolist())
            draft.infosets[node] = SignalInfosets(start, of_hand, inside)
            for action, child in enumerate(node.children):
                own = start + count * of_hand + action
                self._visit(child, number, (own, reached[1]) if player == 0 else (reached[0], own), inside, draft)
            return
        ends = draft.ends[inside]
        if isinstance(node, FoldPayoffs):
            ends.shares.append((node.returns[0], 0.0))
        else:
            ends.shares.append(((node.win[0] + node.lose[0]) / 2, (node.win[0] - node.lose[0]) / 2))
        for player in (0, 1):
            ends.reached[player].append(reached[player])

    @cached_property
    def treeplexes(self) -> Treeplexes:
        draft = self._walk
        return Treeplexes.joined(
            [(np.array(draft.starts[player]), np.array(draft.parents[player], np.int64)) for player in (0, 1)]
        )

    @cached_property
    def _ends(self) -> list[_Ends]:
        """The terminal nodes outside and inside the finer part."""
        every = (self.signals, self.finer.signals) if self.finer is not None else (self.signals,)
        return [
            _Ends((np.array(ends.reached[0]), np.array(ends.reached[1])), np.array(ends.shares), signals)
            for ends, signals in zip(self._walk.ends, every, strict=False)
            if ends.shares
        ]

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """Reach at all terminal nodes times the two matrices."""
        other, own = 1 - player, self.treeplexes.sequences_of(player)
        plan_of_other = np.concatenate([[1.0], plan[self.treeplexes.sequences_of(other)]])
        gained, sign = np.zeros(own.stop - own.start + 1), 1.0 if player == 0 else -1.0
        for reached, shares, (together, ahead, _) in self._ends:
            reach = plan_of_other[reached[other]]  # [terminal, opposing hand]
            one, two = (together.T, ahead.T) if player == 0 else (together, ahead)
            shown = np.flatnonzero(shares[:, 1])
            value = (reach @ one) * (sign * shares[:, :1])
            value[shown] += (reach[shown] @ two) * (sign * shares[shown, 1:])
            gained += np.bincount(reached[player].reshape(-1), value.reshape(-1), minlength=len(gained))
        out[player], out[own] = gained[0], gained[1:]

    @property
    def payoff_coefficients(self) -> int:
        """The largest possible number of pairs of sequences with a payoff."""
        return sum(len(shares) * int(np.count_nonzero(signals.together)) for _, shares, signals in self._ends)

    def payoff_matrix(self) -> csr_matrix:
        """The first player's payoffs, for linear programs: [sequence of 0, sequence of 1], the empty ones first."""
        from scipy.sparse import csr_matrix

        shape = [one.stop - one.start + 1 for one in map(self.treeplexes.sequences_of, (0, 1))]
        rows, columns, payoffs = [], [], []
        for reached, shares, (together, ahead, _) in self._ends:
            mine, theirs = np.nonzero(together)
            for first, second, (share, shown) in zip(*reached, shares, strict=True):
                rows.append(first[mine])
                columns.append(second[theirs])
                payoffs.append(share * together[mine, theirs] + shown * ahead[mine, theirs])
        entries = np.concatenate(payoffs), (np.concatenate(rows), np.concatenate(columns))
        return csr_matrix(entries, shape=(shape[0], shape[1]))

    @property
    def decisions(self) -> Sequence[Decision]:
        """Every decision, parents first."""
        return list(self._walk.infosets)

    def hand_at(self, node: Decision, hands: np.ndarray) -> np.ndarray:
        """Hands of the finer part, if there is one, as those at a decision.  # [any] -> [any]"""
        inside = self.finer is None or self._walk.infosets[node].is_inside
        return hands if inside or self.finer is None else self.finer.merged[node.player][hands]

    def slots(self, node: Decision) -> np.ndarray:
        """Where a profile has the actions of each hand at a decision.  # [hand, action]"""
        infosets, count = self._walk.infosets[node], len(node.children)
        first = self.treeplexes.slots_of(node.player).start + infosets.first - 1 + count * infosets.of_hand
        return np.asarray(first[:, None] + np.arange(count))

    def rows(self, profile: np.ndarray, node: Decision) -> np.ndarray:
        """The action probabilities of each hand at a decision.  # [A] -> [hand, action]"""
        return np.asarray(profile[self.slots(node)])
