"""What a match proves: means with intervals, tests of difference, and units people compare.

The unit of observation is one deal: in a duplicate match the average over all seat rotations of the same cards, in a
plain match one hand. Observations of different deals are independent, so the usual intervals hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.errors import BadSetting


@dataclass(frozen=True)
class Summary:
    """A mean with what is known about it."""

    mean: float
    standard_error: float
    count: int
    deviation: float
    low: float  # of the interval
    high: float
    confidence: float = 0.95

    @property
    def half_width(self) -> float:
        """Half of the interval: the number behind ±."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Summary:
        """The same in another unit."""
        return Summary(
            self.mean * factor,
            self.standard_error * factor,
            self.count,
            self.deviation * factor,
            self.low * factor,
            self.high * factor,
            self.confidence,
        )


def summarise(observations: np.ndarray, *, confidence: float = 0.95) -> Summary:
    """Mean and Student interval of independent observations.

    >>> summary = summarise(np.array([1.0, 2.0, 3.0, 4.0]))
    >>> round(summary.mean, 3), round(summary.low, 3), round(summary.high, 3)
    (2.5, 0.446, 4.554)
    """
    from scipy import stats

    values = np.asarray(observations, np.float64)
    if not 0 < confidence < 1:
        raise BadSetting(f"a confidence lies between 0 and 1, not {confidence}")
    if values.size == 0:
        raise BadSetting("there are no hands to summarise")
    mean = float(values.mean())
    if values.size == 1:
        return Summary(mean, float("inf"), 1, float("nan"), float("-inf"), float("inf"), confidence)
    deviation = float(values.std(ddof=1))
    error = deviation / float(np.sqrt(values.size))
    reach = float(stats.t.ppf(0.5 + confidence / 2, values.size - 1)) * error
    return Summary(mean, error, int(values.size), deviation, mean - reach, mean + reach, confidence)


def beats_probability(observations: np.ndarray) -> float:
    """One-tailed t-test: the p-value of "this player does not win in the long run"."""
    from scipy import stats

    values = np.asarray(observations, np.float64)
    if values.size < 2:
        raise BadSetting("a t-test needs at least two observations")
    if np.all(values == values[0]):
        return 0.0 if values[0] > 0 else 1.0
    return float(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)


def variance_ratio_test(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """F-test of equal variances: the ratio of the variances and the two-sided p-value."""
    from scipy import stats

    if len(first) < 2 or len(second) < 2:
        raise BadSetting("an F-test needs at least two observations of each")
    above, below = float(np.var(first, ddof=1)), float(np.var(second, ddof=1))
    if below == 0:
        return (float("nan"), 1.0) if above == 0 else (float("inf"), 0.0)
    ratio = above / below
    tail = stats.f.sf(ratio, len(first) - 1, len(second) - 1)
    return ratio, float(2 * min(tail, 1 - tail))


class TellingUnit(NamedTuple):
    """A unit that winnings are told in."""

    name: str  # for people
    key: str  # for JSON
    factor: float  # how many of it one chip is
    digits: int  # behind the point that are worth telling

    def of(self, summary: Summary) -> Summary:
        """Chips per hand in this unit."""
        return summary.scaled(self.factor)


@dataclass(frozen=True)
class Units:
    """What chips mean in a game: its big blind and its small bet, or the pot of a spot, which has no blinds."""

    big_blind: float
    small_bet: float
    pot: float = 0.0  # of a spot, at its start

    @property
    def scales(self) -> tuple[TellingUnit, TellingUnit]:
        """The units that results of this game are told in, the usual one first."""
        if self.pot:
            return TellingUnit("chips", "chips", 1.0, 2), TellingUnit("% of the pot", "pot_percent", 100 / self.pot, 2)
        mbb = TellingUnit("mbb", "mbb", 1000 / self.big_blind, 0)
        return mbb, TellingUnit("small bets", "small_bets", 1 / self.small_bet, 3)

    @property
    def usual(self) -> TellingUnit:
        """The unit that people compare results of this game in."""
        return self.scales[0]

    def millibigblinds(self, summary: Summary) -> Summary:
        """Chips per hand as thousandths of a big blind per hand."""
        return summary.scaled(1000 / self.big_blind)

    def small_bets(self, summary: Summary) -> Summary:
        """Chips per hand as small bets per hand."""
        return summary.scaled(1 / self.small_bet)
