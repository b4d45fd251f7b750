"""Payoffs of plans over buckets from pairs of buckets, as sums of products of betting and cards.

Hoda, Gilpin, Peña and Sandholm, "Smoothing techniques for computing Nash equilibria of sequential games", 2010: the
payoff matrix of a poker game is never stored, but only its factors. Hands that end in a fold pay a number of the
betting, times the chance of the pair of buckets; showdowns pay a number of the betting, times how much more often the
first bucket of the pair wins. Here the rounds in which the two players last acted choose the factors, which is exact
for buckets with perfect recall.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab.tree.bucketed.betting import FOLDED, SHOWN, BettingArrays
from pokerlab.tree.bucketed.inside import outcomes
from pokerlab.tree.bucketed.pairs import NOTHING, BucketPairs

if TYPE_CHECKING:
    from pokerlab.tree.bucketed.form import BucketedForm

Last = Mapping[int, tuple[int, int]]  # by node: the player's decision before it, and the action taken there
NO_DECISION = -1


class Block(NamedTuple):
    """What the betting contributes where the players last acted in two given rounds."""

    round: int  # of the player's own last action
    other: int  # of the opponent's
    is_showdown: bool
    rows: np.ndarray  # [row] int64: those of the player's actions in that round that have such ends
    chips: Any  # csr_matrix [row, action of the opponent]


def _round_of(arrays: BettingArrays, node: int) -> int:
    """The round of a decision; NOTHING if there is none."""
    return NOTHING if node == NO_DECISION else int(arrays.round[node])


class PairPayoffs:
    """Payoffs of two players by sequence."""

    def __init__(
        self, form: BucketedForm, pairs: BucketPairs, sequences: Sequence[Mapping[int, int]], last: Sequence[Last]
    ) -> None:
        """`sequences` has each player's first sequence of a decision, among those of both players."""
        self.pairs = pairs
        self._where: list[dict[tuple[int, int], int]] = []  # [player]: the row of each action in its round
        self.sequences = [self._rows(form, player, sequences[player]) for player in (0, 1)]
        self.blocks = [self._blocks(form, player, last) for player in (0, 1)]

    def _rows(self, form: BucketedForm, player: int, first: Mapping[int, int]) -> dict[int, np.ndarray]:
        """The sequences of a player's actions in each round.  # by round: [action, bucket] int64"""
        arrays, counts = form.betting.arrays, form.buckets.counts
        where = {(NO_DECISION, 0): 0}
        rows: dict[int, list[np.ndarray]] = {NOTHING: [np.array([player])]} | {r: [] for r in range(len(counts))}
        for node, start in first.items():
            round, actions = int(arrays.round[node]), int(arrays.children[node])
            for action in range(actions):
                where[node, action] = len(rows[round])
                rows[round].append(start + action + actions * np.arange(counts[round]))
        self._where.append(where)
        return {round: np.array(own) for round, own in rows.items() if own}

    def _blocks(self, form: BucketedForm, player: int, last: Sequence[Last]) -> list[Block]:
        """The betting's factor of every kind of end."""
        from scipy.sparse import csr_matrix

        arrays = form.betting.arrays
        chips: dict[tuple[int, int, bool], list[tuple[int, int, float]]] = defaultdict(list)
        for node in np.flatnonzero((arrays.actor == FOLDED) | (arrays.actor == SHOWN)).tolist():
            own, other = last[player][node], last[1 - player][node]
            rounds = _round_of(arrays, own[0]), _round_of(arrays, other[0])
            at = self._where[player][own], self._where[1 - player][other]
            if arrays.actor[node] == FOLDED:
                wins = int(form.betting.alive[node]) >> player & 1
                put = arrays.put[node]
                chips[*rounds, False].append((*at, float(put[1 - player]) if wins else -float(put[player])))
                continue
            won, tied, lost = outcomes(arrays, node, player)
            chips[*rounds, True].append((*at, (won - lost) / 2))
            if tied:
                chips[*rounds, False].append((*at, tied))
        blocks = []
        for (round, theirs, is_showdown), entries in chips.items():
            row, column, number = (np.array(part) for part in zip(*entries, strict=True))
            rows, where = np.unique(row, return_inverse=True)
            shape = len(rows), len(self.sequences[1 - player][theirs])
            blocks.append(Block(round, theirs, is_showdown, rows, csr_matrix((number, (where, column)), shape=shape)))
        return blocks

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """Add the values of a player's sequences against the opponent's plan to `out`.  # [S] both"""
        reach = {round: plan[sequences] for round, sequences in self.sequences[1 - player].items()}
        for block in self.blocks[player]:
            factors = self.pairs.gains if block.is_showdown else self.pairs.chances
            values = (block.chips @ reach[block.other]) @ factors[block.round, block.other].T  # [row, bucket]
            out[self.sequences[player][block.round][block.rows]] += values

    def largest_sums(self, player: int, out: np.ndarray) -> None:
        """The same with every payoff as large as it may be, and every action of the opponent counted.  # [S]"""
        for block in self.blocks[player]:
            largest = np.asarray(abs(block.chips).sum(axis=1))  # [row, 1]
            chance = self.pairs.chances[block.round, NOTHING][:, 0]
            out[self.sequences[player][block.round][block.rows]] += largest * chance
