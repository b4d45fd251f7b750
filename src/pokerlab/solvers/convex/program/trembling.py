"""The linear program of a game with trembling hands: an exact equilibrium in which every action has positive
probability.

With probability `tremble` a player trembles and takes a uniformly random action; otherwise they take the intended one.
As trembles vanish, equilibria of such games converge to extensive-form perfect equilibria, which are sequential: best
play at every infoset, including those off the equilibrium path. Selten, "Reexamination of the perfectness concept",
1975; Farina and Gatti, "Extensive-form perfect equilibrium computation in two-player games", 2017.

An infoset behind k trembles weighs tremble^k in the program, far below float precision, so it is solved to as many
digits as the deepest infosets need (program/refining.py). The program without trembles is that of library/lp.py; here a
plan consists of t, the player's own reach probability of each infoset, and u, the intended play there:

    sequence (I, a) is played with (1 - tremble) u[I, a] + tremble t[I] / actions of I
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.convex.program.refining import minimise_exactly
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DIGITS = 10  # of precision at the deepest infosets
LARGEST = 0.01  # the tremble solved first
LEAST = 1e-9  # the smallest tremble allowed


@dataclass(frozen=True)
class Player:
    """One player's infosets and sequences as rows and columns of the program, the empty sequence first."""

    infosets: np.ndarray  # [S] int64: of each sequence; 0 for the empty one, whose infoset has this sequence alone
    before: np.ndarray  # [I] int64: the sequence before each infoset; infoset 0 is that of the empty sequence
    actions: np.ndarray  # [I] int64: how many

    @staticmethod
    def of(form: SequenceForm, player: int) -> Player:
        """A player of a form."""
        start, parent = form.treeplexes.single(player)
        infosets = np.repeat(np.arange(1, len(parent) + 1), np.diff(start))
        return Player(np.r_[0, infosets], np.r_[0, parent], np.r_[1, np.diff(start)])

    def depth(self) -> int:
        """The largest number of consecutive actions of the player."""
        depths = np.zeros(len(self.before), np.int64)
        for infoset in range(1, len(self.before)):
            depths[infoset] = depths[self.infosets[self.before[infoset]]] + 1
        return int(depths.max())


def solve_trembling(form: SequenceForm, payoff: csr_matrix, *, tremble: float) -> np.ndarray:
    """An equilibrium of the game with trembling hands, trembles included, by slot.  # [A]

    `payoff` are the payoffs to player 0 by sequences, the empty ones first, scaled to about 1. Larger trembles are
    solved first: from some size on, their optimal basis is optimal for every smaller tremble.
    """
    mine, theirs = Player.of(form, 0), Player.of(form, 1)
    sequences, infosets = len(mine.infosets), len(mine.before)
    other_sequences, other_infosets = len(theirs.infosets), len(theirs.before)
    right_side = np.zeros(2 * infosets + other_sequences + other_infosets)
    right_side[infosets] = 1.0  # the root is always reached
    free = np.repeat([False, True, False], (sequences + infosets, 2 * other_infosets, other_sequences))
    cost = np.zeros(len(free))
    cost[sequences + infosets] = -1.0  # maximise the value of the root to player 0
    basis, deep = None, mine.depth() + theirs.depth()
    for one in shrinking(tremble):
        rows, entries = _Rows(mine, theirs, payoff, one).matrix()
        least = one / max(int(mine.actions.max()), int(theirs.actions.max()))
        digits = DIGITS - int(np.floor(np.log10(least) * deep))
        optimum = minimise_exactly(
            cost, rows, right_side=right_side, free=free, digits=digits, basis=basis, entries=entries
        )
        basis = optimum.basis
    meant = optimum.point[:sequences], -optimum.prices[2 * infosets : 2 * infosets + other_sequences]
    return np.concatenate([_behaviour(mine, meant[0], tremble), _behaviour(theirs, meant[1], tremble)])


def shrinking(tremble: float) -> list[float]:
    """A decreasing list of trembles down to this one, each a tenth of the one before.

    >>> shrinking(0.0005)
    [0.01, 0.001, 0.0005]
    """
    optimum = [max(LARGEST, tremble)]
    while optimum[-1] > tremble:
        optimum.append(max(round(optimum[-1] / 10, 12), tremble))
    return optimum


class _Rows:
    """The rows of the program.

    Columns: u and t of player 0; for player 1, the values of infosets, sums over their actions, and the slack of each
    sequence (how much worse it is than the best).

    Player 1 minimises: worth[I] + slack = (1 - tremble) value[I, a] + tremble / actions * sum over I of values,
    where a value is the payoff to player 0 plus the values of the infosets that follow.

    Every entry is computed in exact rationals and rounded once. If the parts were rounded, actions of equal value
    would differ in the seventeenth digit, and the refined program would prefer one of them.
    """

    def __init__(self, mine: Player, theirs: Player, payoff: csr_matrix, tremble: float) -> None:
        self._entries: dict[tuple[int, int], Fraction] = {}
        shaken = Fraction(tremble)
        meant = 1 - shaken
        sequences, infosets = len(mine.infosets), len(mine.before)
        other_sequences, other_infosets = len(theirs.infosets), len(theirs.before)
        self._comes, self._value_columns = sequences, sequences + infosets  # the first columns of t and of values
        self._sums, self._slack = self._value_columns + other_infosets, self._value_columns + 2 * other_infosets
        self._values, self._totals = 2 * infosets, 2 * infosets + other_sequences  # the first rows of player 1
        self.shape = self._totals + other_infosets, self._slack + other_sequences
        self._plans(mine, meant, shaken)
        self._worths(theirs, meant, shaken)
        pairs = payoff.tocoo()
        for own, other, value in zip(pairs.row.tolist(), pairs.col.tolist(), pairs.data.tolist(), strict=True):
            infoset, paid = int(mine.infosets[own]), -Fraction(value)
            for row, weight in (
                (self._values + other, meant if other else 1),
                (self._totals + int(theirs.infosets[other]), 1),
            ):
                self._add(row, own, paid * weight * (meant if own else 1))
                if own:
                    self._add(row, self._comes + infoset, paid * weight * shaken / int(mine.actions[infoset]))

    def _plans(self, mine: Player, meant: Fraction, shaken: Fraction) -> None:
        """Intended play at an infoset sums to its reach; the reach is intended play or a tremble at the parent."""
        infosets = len(mine.before)
        for sequence, infoset in enumerate(mine.infosets.tolist()):
            self._add(infoset, sequence, 1)
        for infoset, before in enumerate(mine.before.tolist()):
            self._add(infoset, self._comes + infoset, -1)
            self._add(infosets + infoset, self._comes + infoset, 1)
            if infoset:
                self._add(infosets + infoset, before, -meant if before else -1)
                if before:
                    last = int(mine.infosets[before])
                    self._add(infosets + infoset, self._comes + last, -shaken / int(mine.actions[last]))

    def _worths(self, theirs: Player, meant: Fraction, shaken: Fraction) -> None:
        """The value equations of player 1, without payoffs."""
        for sequence, infoset in enumerate(theirs.infosets.tolist()):
            row = self._values + sequence
            self._add(row, self._value_columns + infoset, 1)
            self._add(row, self._slack + sequence, 1)
            if sequence:
                self._add(row, self._sums + infoset, -shaken / int(theirs.actions[infoset]))
        for infoset, before in enumerate(theirs.before.tolist()):
            self._add(self._totals + infoset, self._sums + infoset, 1)
            if infoset:
                self._add(self._values + before, self._value_columns + infoset, -meant if before else -1)
                self._add(self._totals + int(theirs.infosets[before]), self._value_columns + infoset, -1)

    def _add(self, row: int, column: int, value: Fraction | int) -> None:
        self._entries[row, column] = self._entries.get((row, column), 0) + Fraction(value)

    def matrix(self) -> tuple[csr_matrix, list[Fraction]]:
        """The rows in floats, and the same entries as fractions, row by row."""
        from scipy.sparse import csr_matrix

        nonzero = sorted(place for place, value in self._entries.items() if value)
        entries = [self._entries[place] for place in nonzero]
        rows, columns = np.array(nonzero).T
        begin = np.r_[0, np.cumsum(np.bincount(rows, minlength=self.shape[0]))]
        return csr_matrix((np.array([float(value) for value in entries]), columns, begin), shape=self.shape), entries


def _behaviour(player: Player, meant: np.ndarray, tremble: float) -> np.ndarray:
    """A player's behaviour at each infoset, in floats, from intended play in integers.  # [S] -> [S - 1]"""
    meant = np.array([max(value, 0) for value in meant], object)
    totals = np.zeros(len(player.before), object)
    np.add.at(totals, player.infosets, meant)
    shares = [
        value / totals[infoset] if totals[infoset] else 1 / int(player.actions[infoset])
        for value, infoset in zip(meant[1:], player.infosets[1:], strict=True)
    ]
    actions = player.actions[player.infosets[1:]]
    return np.asarray((1 - tremble) * np.array(shares) + tremble / actions)
