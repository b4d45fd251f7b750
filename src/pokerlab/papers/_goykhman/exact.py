"""The games of the paper, their exact solutions, and how strategies compare with them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from pokerlab.games.von_neumann_continuous import ContinuousPoker, Equilibrium
from pokerlab.registry import load
from pokerlab.solvers.preflop.classes.one_decision import (
    OneDecisionSolution,
    admissible_second,
    extreme_second,
    loosest_second,
    solve_one_decision,
)
from pokerlab.tree.classes import ClassForm, class_form
from pokerlab.tree.one_decision import OneDecision

AMOUNTS = ((1, 2), (1, 4), (8, 1))  # (ante, bet) throughout the paper
VON_NEUMANN, FLOP = "von Neumann poker", "flop poker"


@cache
def form_of(name: str, amounts: tuple[int, int]) -> ClassForm:
    """A game of the paper, as arrays."""
    ante, bet = amounts
    return class_form(load("games", "von-neumann" if name == VON_NEUMANN else "flop-poker", ante=ante, bet=bet))


def continuous(amounts: tuple[int, int]) -> Equilibrium:
    """The equilibrium of von Neumann's continuous game."""
    ante, bet = amounts
    return ContinuousPoker(Fraction(ante), Fraction(bet)).equilibrium


@dataclass(frozen=True)
class Thresholds:
    """The paper's four numbers, read off a pair of strategies over 100 cards, as shares of the cards."""

    x1: float  # cards bet among the lower ones
    x2: float  # one minus cards bet among the upper ones
    c: float  # cards called among those on which the exact Dealer is indifferent
    y0: float  # one minus cards called: where calls would start if the strongest cards call

    @property
    def calls(self) -> float:
        """c in cards of a hundred."""
        return 100 * self.c


@dataclass(frozen=True)
class Admissibility:
    """How close a Dealer strategy is to the admissible equilibrium."""

    distance: float  # mean |q - admissible q| over the indifferent cards
    punishment: float  # 1 for the admissible, 0 for the loosest equilibrium: the loss of a Player who bets every
    # hand that the equilibrium checks, on a scale between the losses to these two


@dataclass(frozen=True)
class WrongGenes:
    """Hands on which a strategy leans to the losing side against the exact equilibrium."""

    count: int  # over both roles
    largest: float  # the largest margin |e| among them, chips per hand held
    mean: float  # their mean margin
    mean_of_all: float  # the mean margin of all hands, for comparison


@dataclass(frozen=True, eq=False)
class Exact:
    """The exact solution of a game: an equilibrium, and the two extremes of Dealer's family."""

    amounts: tuple[int, int]
    game: OneDecision
    solution: OneDecisionSolution
    admissible: np.ndarray  # [hand]
    loosest: np.ndarray  # [hand]
    seconds: float  # of the equilibrium

    @property
    def text(self) -> str:
        """The ante and the bet as text."""
        return f"a={self.amounts[0]}, B={self.amounts[1]}"

    @property
    def margins(self) -> tuple[np.ndarray, np.ndarray]:
        """What acting wins more than not acting at the equilibrium, by role.  # [hand] each"""
        return self.game.margins(self.solution.first, self.solution.second)

    @property
    def indifferent(self) -> np.ndarray:
        """Dealer's cards on which calling and folding have equal value against the exact Player: [hand] bool."""
        return np.asarray(np.abs(self.margins[1]) < 1e-7)

    @property
    def call_range(self) -> tuple[float, float]:
        """The smallest and largest share of the indifferent cards that an exact Dealer equilibrium calls."""
        zone = self.indifferent.astype(float)
        low, high = (
            sign * (zone @ extreme_second(self.game, self.solution.value, sign * zone)) * sign for sign in (-1.0, 1.0)
        )
        return float(low), float(high)

    def thresholds(self, first: np.ndarray, second: np.ndarray) -> Thresholds:
        """Read x1, x2, c and y0 off a pair of strategies."""
        cards = len(first)
        middle = int(np.flatnonzero(self.solution.first < 0.5).mean())
        return Thresholds(
            x1=float(first[:middle].sum()) / cards,
            x2=1 - float(first[middle:].sum()) / cards,
            c=float(second[self.indifferent].sum()) / cards,
            y0=1 - float(second.sum()) / cards,
        )

    def admissibility(self, second: np.ndarray) -> Admissibility:
        """Both measures of one Dealer strategy."""
        weights = self.game.hand_chances[0] * (self.solution.first < 0.5)

        def lost(dealer: np.ndarray) -> float:
            return -float(weights @ self.game.margins(self.solution.first, dealer)[0])

        best, worst = lost(self.admissible), lost(self.loosest)
        return Admissibility(
            distance=float(np.abs(second - self.admissible)[self.indifferent].mean()),
            punishment=(lost(second) - worst) / (best - worst) if best > worst else float("nan"),
        )

    def wrong_genes(self, first: np.ndarray, second: np.ndarray) -> WrongGenes:
        """Count hands whose rounded decision has the wrong sign, except hands that the equilibrium mixes."""
        margins = np.concatenate(self.margins)
        sizes = np.abs(margins)
        wrong = ((np.concatenate([first, second]) > 0.5) != (margins > 0)) & (sizes > 1e-7)
        return WrongGenes(
            count=int(wrong.sum()),
            largest=float(sizes[wrong].max(initial=0.0)),
            mean=float(sizes[wrong].mean()) if wrong.any() else 0.0,
            mean_of_all=float(sizes.mean()),
        )


@cache
def exact_of(name: str, amounts: tuple[int, int]) -> Exact:
    """The exact solution, by linear programs."""
    game = form_of(name, amounts).one_decision
    began = time.perf_counter()
    solution = solve_one_decision(game)
    seconds, value = time.perf_counter() - began, solution.value
    return Exact(amounts, game, solution, admissible_second(game, value), loosest_second(game, value), seconds)


def likeness(strategies: Sequence[np.ndarray], chosen: np.ndarray) -> float:
    """Mean correlation between strategies over the chosen hands: how much runs of different seeds agree."""
    if len(strategies) < 2:
        return float("nan")
    table = np.corrcoef(np.stack([strategy[chosen] for strategy in strategies]))
    return float(table[np.triu_indices(len(strategies), 1)].mean())
