"""Bucketed strategies by linear programming, for small games: exact up to float precision.

Like every linear program over sequences, these need perfect recall: buckets that encode those of earlier rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.abstraction.blurred import BlurredGame
from pokerlab.errors import BadSetting
from pokerlab.registry import load
from pokerlab.solvers.convex.program.linear_program import best_plan, plan_rows
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SLACK = 1e-7  # tolerance on the equilibrium value in a program, as a fraction of the largest payoff


@dataclass(frozen=True, eq=False)
class ExactBuckets:
    """A small game with buckets, and the programs that solve it."""

    form: BucketedForm

    def __post_init__(self) -> None:
        if self.form.players != 2:
            raise BadSetting(f"linear programs need two players, and {self.form.name} has {self.form.players}")

    @cached_property
    def inside(self) -> SequenceForm:
        """The abstract game, in which both players see only buckets."""
        return self._seen_by(0, 1)

    @cached_property
    def halves(self) -> tuple[SequenceForm, SequenceForm]:
        """The game in which one player sees only buckets and the other sees cards, by the former."""
        return self._seen_by(0), self._seen_by(1)

    def _seen_by(self, *blurred: int) -> SequenceForm:
        return sequence_form(build(BlurredGame(self.form.game, self.form.buckets, blurred)))

    @cached_property
    def value(self) -> float:
        """The value of the abstract game to player 0."""
        return float(np.mean(self._solved.measure().bounds))

    @cached_property
    def _solved(self) -> Any:
        solver = load("algorithms", "lp").start(self.inside)
        solver.advance(1)
        return solver

    def equilibrium(self) -> np.ndarray:
        """An equilibrium of the abstract game; there may be many.  # [number]"""
        return self.numbers(np.asarray(self._solved.profile()))

    def least_exploitable(self, *, among_equilibria: bool = False) -> np.ndarray:
        """The bucketed strategies, or abstract equilibria, that lose least to one who sees cards.  # [number]"""
        numbers = np.zeros(self.form.numbers)
        for player in (0, 1):
            plan = np.ones(self.inside.sequences)
            plan[self.inside.sequences_of(player)] = self._program(player, among_equilibria)
            numbers += self.numbers(self.inside.behaviour(plan), (player,))
        return numbers

    def _program(self, player: int, among_equilibria: bool) -> np.ndarray:
        """The plan of a player that is best when the opponent sees cards.  # [sequence but the empty one]

        Variables are the plan and the values of the opponent's infosets: with cards, and for equilibria also
        with buckets, where the value of the root is then fixed to that of the abstract game.
        """
        from scipy.sparse import bmat, csr_matrix

        inside, half = self.inside, self.halves[player]
        there = plan_rows(half, 1 - player)
        limits: list[list[Any]] = [[-_payoff(half, player)[self._order(player)].T, there.T]]
        least = np.full(there.shape[0], -np.inf)
        if among_equilibria:
            theirs = plan_rows(inside, 1 - player)
            limits[0].append(None)
            limits.append([-_payoff(inside, player).T, csr_matrix((theirs.shape[1], len(least))), theirs.T])
            values = np.full(theirs.shape[0], -np.inf)
            values[0] = (self.value if player == 0 else -self.value) - SLACK * self.form.max_abs_payoff
            least = np.append(least, values)
        return best_plan(plan_rows(inside, player), csr_matrix(bmat(limits)), least=least).plan[1:]

    def _order(self, player: int) -> np.ndarray:
        """The position of each of a player's sequences in the half-blurred game, in the order of the abstract game."""
        inside, half = self.inside, self.halves[player]
        infosets = {name: index for index, name in enumerate(half.tree.infoset_names)}
        order, own = [0], half.sequences_of(player).start - 1
        low, high = inside.tree.first_infoset[player : player + 2].tolist()
        for name in inside.tree.infoset_names[low:high]:
            start, end = half.start[infosets[name] : infosets[name] + 2].tolist()
            order += range(start - own, end - own)
        return np.array(order)

    def numbers(self, profile: np.ndarray, players: tuple[int, ...] = (0, 1)) -> np.ndarray:
        """A profile of the abstract game as numbers of the bucketed form, of some players.  # [A] -> [number]"""
        tree, numbers = self.inside.tree, np.zeros(self.form.numbers)
        for infoset, name in enumerate(tree.infoset_names):
            if int(tree.infoset_player[infoset]) in players:
                bucket, _, history = name.partition(":")
                first = self.form.first_number(self.form.betting.node_of(history), int(bucket))
                played = profile[tree.start[infoset] : tree.start[infoset + 1]]
                numbers[first : first + len(played)] = played
        return numbers


def _payoff(form: SequenceForm, player: int) -> csr_matrix:
    """Payoffs to a player by own sequences, the empty one first, and by the opponent's."""
    return form.matrix if player == 0 else -form.matrix.T.tocsr()
