"""Means and variances of a stream, block by block, in constant memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.match.statistics import Summary


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
        from scipy import stats

        if not self.count:
            raise BadSetting("there are no hands to summarise")
        mean = float(self.mean[column])
        if self.count == 1:
            return Summary(mean, float("inf"), 1, float("nan"), float("-inf"), float("inf"), confidence)
        deviation = self.variance(column) ** 0.5
        error = deviation / self.count**0.5
        reach = float(stats.t.ppf(0.5 + confidence / 2, self.count - 1)) * error
        return Summary(mean, error, self.count, deviation, mean - reach, mean + reach, confidence)

    def wins_by_luck(self, column: int) -> float:
        """One-tailed t-test: the p-value of "this agent does not win in the long run"."""
        from scipy import stats

        mean, deviation = float(self.mean[column]), self.variance(column) ** 0.5
        if self.count < 2:
            return float("nan")
        if deviation == 0:
            return 0.0 if mean > 0 else 1.0
        return float(stats.t.sf(mean / (deviation / self.count**0.5), self.count - 1))


def variance_ratio(first: tuple[Moments, int], second: tuple[Moments, int]) -> tuple[float, float]:
    """F-test of equal variances of two columns: the ratio and the two-sided p-value."""
    from scipy import stats

    above, below = (moments.variance(column) for moments, column in (first, second))
    if not below > 0:
        return (float("nan"), 1.0) if not above > 0 else (float("inf"), 0.0)
    tail = float(stats.f.sf(above / below, first[0].count - 1, second[0].count - 1))
    return above / below, 2 * min(tail, 1 - tail)
