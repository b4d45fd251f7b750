"""Statistics of a match: means and variances of a stream in constant memory, their intervals, and the usual units.

The unit of observation is one deal: in a duplicate match the average over all seat rotations of the same cards, in a
plain match one hand. Observations of different deals are independent, so the usual intervals hold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from pokerlab.errors import BadSetting


@dataclass(frozen=True)
class Summary:
    """A mean with its standard error and confidence interval."""

    mean: float
    standard_error: float
    count: int
    deviation: float
    low: float  # of the interval
    high: float
    confidence: float = 0.95

    @property
    def half_width(self) -> float:
        """Half the width of the interval: the number after ±."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Summary:
        """The same in another unit."""
        scaled = ("mean", "standard_error", "deviation", "low", "high")
        return replace(self, **{name: getattr(self, name) * factor for name in scaled})


class WinningsUnit(NamedTuple):
    """A unit for winnings."""

    name: str  # for people, per hand or as `per` says: "mbb/hand", "bb/100"
    key: str  # for JSON
    factor: float  # units per chip
    digits: int  # decimals worth showing
    per: str = "hand"

    @property
    def rate(self) -> str:
        """The unit of winnings over time, for people."""
        return f"{self.name}/{self.per}"

    def of(self, summary: Summary) -> Summary:
        """Chips per hand in this unit."""
        return summary.scaled(self.factor)


@dataclass(frozen=True)
class Units:
    """The units of a game: its big blind and small bet, or the pot of a spot, which has no blinds."""

    big_blind: float
    small_bet: float
    pot: float = 0.0  # of a spot, at its start
    fixed_limit: bool = True
    small_blind: float = 0.0  # of a draw game, whose literature counts in small blinds; else 0

    @property
    def scales(self) -> tuple[WinningsUnit, ...]:
        """The units for results of this game, the usual one first: in fixed limit mbb/hand, otherwise bb/100.

        Draw games also have small blinds per hand (sbb/h in Ee's paper).
        """
        if self.pot:
            percent = WinningsUnit("% of the pot", "pot_percent", 100 / self.pot, 2)
            return WinningsUnit("chips", "chips", 1.0, 2), percent
        mbb = WinningsUnit("mbb", "mbb", 1000 / self.big_blind, 0)
        scales = mbb, self._small_bets
        if not self.fixed_limit:
            scales = WinningsUnit("bb", "bb_per_100", 100 / self.big_blind, 1, per="100"), mbb
        return (*scales, WinningsUnit("sbb", "small_blinds", 1 / self.small_blind, 3)) if self.small_blind else scales

    @property
    def _small_bets(self) -> WinningsUnit:
        return WinningsUnit("small bets", "small_bets", 1 / self.small_bet, 3)

    @property
    def usual(self) -> WinningsUnit:
        """The unit in which results of this game are usually compared."""
        return self.scales[0]

    @property
    def per_hand(self) -> WinningsUnit:
        """The usual unit for winnings per hand, in which the literature states exploitability."""
        return next(scale for scale in self.scales if scale.per == "hand")

    def as_dict(self, summary: Summary) -> dict[str, Any]:
        """A mean and its interval in every unit, for JSON; null where one is not finite."""
        scales = self.scales if self.pot or self.fixed_limit else (*self.scales, self._small_bets)
        shown = {"chips": summary} | {scale.key: scale.of(summary) for scale in scales}
        return {
            unit: {"mean": finite(value.mean), "low": finite(value.low), "high": finite(value.high)}
            for unit, value in shown.items()
        }

    def millibigblinds(self, summary: Summary) -> Summary:
        """Chips per hand as thousandths of a big blind per hand."""
        return summary.scaled(1000 / self.big_blind)


def finite(value: float) -> float | None:
    """A JSON-compatible number: None if it is not finite."""
    return float(value) if isfinite(value) else None


@dataclass(frozen=True, eq=False)
class Moments:
    """Count, mean and sum of squared deviations of each column of a stream of rows."""

    count: int
    mean: np.ndarray  # [column]
    squares: np.ndarray  # [column]: sum of squared deviations from the mean

    @staticmethod
    def none(columns: int) -> Moments:
        """Moments of an empty stream."""
        return Moments(0, np.zeros(columns), np.zeros(columns))

    def add(self, rows: np.ndarray) -> Moments:
        """The moments with these rows [row, column] added (Chan, Golub and LeVeque's pairwise update)."""
        if not len(rows):
            return self
        columns = np.ascontiguousarray(rows.T)  # summing long rows is much faster
        mean = columns.mean(axis=1)
        squares = ((columns - mean[:, None]) ** 2).sum(axis=1)
        count = self.count + len(rows)
        apart = mean - self.mean
        return Moments(
            count,
            self.mean + apart * (len(rows) / count),
            self.squares + squares + apart**2 * (self.count * len(rows) / count),
        )

    def variance(self, column: int) -> float:
        """The unbiased variance of one column."""
        return float(self.squares[column] / (self.count - 1)) if self.count > 1 else float("nan")

    def summary(self, column: int, *, confidence: float = 0.95) -> Summary:
        """Mean and Student interval of one column."""
        from scipy.special import stdtrit  # scipy.stats takes far longer to import

        if not self.count:
            raise BadSetting("there are no hands to summarise")
        mean = float(self.mean[column])
        if self.count == 1:
            return Summary(mean, float("inf"), 1, float("nan"), float("-inf"), float("inf"), confidence)
        deviation = self.variance(column) ** 0.5
        error = deviation / self.count**0.5
        reach = float(stdtrit(self.count - 1, 0.5 + confidence / 2)) * error
        return Summary(mean, error, self.count, deviation, mean - reach, mean + reach, confidence)

    def wins_by_luck(self, column: int) -> float:
        """One-tailed t-test: the p-value of "this agent does not win in the long run"."""
        from scipy.special import stdtr

        mean, deviation = float(self.mean[column]), self.variance(column) ** 0.5
        if self.count < 2:
            return float("nan")
        if deviation == 0:
            return 0.0 if mean > 0 else 1.0
        return float(stdtr(self.count - 1, -mean / (deviation / self.count**0.5)))


def variance_ratio(first: tuple[Moments, int], second: tuple[Moments, int]) -> tuple[float, float]:
    """F-test of equal variances of two columns: the ratio and the two-sided p-value."""
    from scipy.special import fdtrc

    above, below = (moments.variance(column) for moments, column in (first, second))
    if not below > 0:
        return (float("nan"), 1.0) if not above > 0 else (float("inf"), 0.0)
    tail = float(fdtrc(first[0].count - 1, second[0].count - 1, above / below))
    return above / below, 2 * min(tail, 1 - tail)
