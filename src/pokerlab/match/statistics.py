"""What a match proves: means with intervals, tests of difference, and units people compare.

The unit of observation is one deal: in a duplicate match the average over all seat rotations of the same cards, in a
plain match one hand. Observations of different deals are independent, so the usual intervals hold.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Units:
    """What chips mean in a game: its big blind and its small bet."""

    big_blind: float
    small_bet: float

    def millibigblinds(self, summary: Summary) -> Summary:
        """Chips per hand as thousandths of a big blind per hand."""
        return summary.scaled(1000 / self.big_blind)

    def small_bets(self, summary: Summary) -> Summary:
        """Chips per hand as small bets per hand."""
        return summary.scaled(1 / self.small_bet)
