"""Measures of a pair of strategies: thresholds, distance from the admissible Dealer, wrong genes, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.papers._goykhman.runs import Exact
from pokerlab.solvers.preflop.classes.one_decision import extreme_second
from pokerlab.tree.one_decision import OneDecision


@dataclass(frozen=True)
class Interval:
    """A mean over seeds and the half-width of its 95 % interval (Student's t)."""

    mean: float
    half_width: float
    count: int

    @property
    def low(self) -> float:
        """Lower end."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end."""
        return self.mean + self.half_width

    def __str__(self) -> str:
        if not np.isfinite(self.half_width):
            return f"{self.mean:.5g}"
        digits = 4 if self.half_width == 0 else min(6, max(1, 1 - int(np.floor(np.log10(self.half_width)))))
        return f"{self.mean:.{digits}f} ± {self.half_width:.{digits}f}"


def interval(values: Sequence[float] | np.ndarray) -> Interval:
    """The 95 % interval of a mean.

    >>> str(interval([1.0, 2.0, 3.0]))
    '2.0 ± 2.5'
    """
    from scipy import stats

    numbers = np.asarray(values, float)
    if len(numbers) < 2:
        return Interval(float(numbers.mean()), float("nan"), len(numbers))
    spread = float(numbers.std(ddof=1) / np.sqrt(len(numbers)))
    return Interval(float(numbers.mean()), float(stats.t.ppf(0.975, len(numbers) - 1)) * spread, len(numbers))


@dataclass(frozen=True)
class Thresholds:
    """The paper's four numbers, read off a pair of strategies over 100 cards, as shares of the cards."""

    x1: float  # cards bet among the lower ones
    x2: float  # one minus cards bet among the upper ones
    c: float  # cards called among those on which the exact Dealer is indifferent
    y0: float  # one minus cards called: where calls would start if the strongest cards call


def indifferent(game: OneDecision, exact: Exact) -> np.ndarray:
    """Dealer's cards on which calling and folding have equal value against the exact Player: [hand] bool."""
    return np.asarray(np.abs(game.margins(exact.solution.first, exact.solution.second)[1]) < 1e-7)


def thresholds(game: OneDecision, exact: Exact, first: np.ndarray, second: np.ndarray) -> Thresholds:
    """Read x1, x2, c and y0 off a pair of strategies."""
    cards = len(first)
    checked = np.flatnonzero(exact.solution.first < 0.5)
    middle = int(checked.mean())
    return Thresholds(
        x1=float(first[:middle].sum()) / cards,
        x2=1 - float(first[middle:].sum()) / cards,
        c=float(second[indifferent(game, exact)].sum()) / cards,
        y0=1 - float(second.sum()) / cards,
    )


def call_range(game: OneDecision, exact: Exact) -> tuple[float, float]:
    """The smallest and largest share of the indifferent cards that an exact Dealer equilibrium calls."""
    zone = indifferent(game, exact).astype(float)
    ends = [sign * (zone @ extreme_second(game, exact.solution.value, sign * zone)) * sign for sign in (-1.0, 1.0)]
    return float(ends[0]), float(ends[1])


@dataclass(frozen=True)
class Admissibility:
    """How close a Dealer strategy is to the admissible equilibrium."""

    distance: float  # mean |q - admissible q| over the indifferent cards
    punishment: float  # 1 for the admissible, 0 for the loosest equilibrium: the loss of a Player who bets every
    # hand that the equilibrium checks, on a scale between the losses to these two


def admissibility(game: OneDecision, exact: Exact, second: np.ndarray) -> Admissibility:
    """Both measures of one Dealer strategy."""
    zone = indifferent(game, exact)
    checked = exact.solution.first < 0.5
    weights = game.hand_chances[0] * checked

    def lost(dealer: np.ndarray) -> float:
        return -float(weights @ game.margins(exact.solution.first, dealer)[0])

    best, worst = lost(exact.admissible), lost(exact.loosest)
    return Admissibility(
        distance=float(np.abs(second - exact.admissible)[zone].mean()),
        punishment=(lost(second) - worst) / (best - worst) if best > worst else float("nan"),
    )


def likeness(strategies: Sequence[np.ndarray], chosen: np.ndarray) -> float:
    """Mean correlation between strategies over the chosen hands: how much runs of different seeds agree."""
    if len(strategies) < 2:
        return float("nan")
    table = np.corrcoef(np.stack([strategy[chosen] for strategy in strategies]))
    return float(table[np.triu_indices(len(strategies), 1)].mean())


@dataclass(frozen=True)
class WrongGenes:
    """Hands on which a strategy leans to the losing side against the exact equilibrium."""

    count: int  # over both roles
    largest: float  # the largest margin |e| among them, chips per hand held
    mean: float  # their mean margin
    mean_of_all: float  # the mean margin of all hands, for comparison


def wrong_genes(game: OneDecision, exact: Exact, first: np.ndarray, second: np.ndarray) -> WrongGenes:
    """Count hands whose rounded decision has the wrong sign, except hands that the equilibrium mixes."""
    margins = np.concatenate(game.margins(exact.solution.first, exact.solution.second))
    answers = np.concatenate([first, second])
    sizes = np.abs(margins)
    wrong = ((answers > 0.5) != (margins > 0)) & (sizes > 1e-7)
    return WrongGenes(
        count=int(wrong.sum()),
        largest=float(sizes[wrong].max(initial=0.0)),
        mean=float(sizes[wrong].mean()) if wrong.any() else 0.0,
        mean_of_all=float(sizes.mean()),
    )
