"""Statistics of a match: a mean with its interval, and the usual units.

The unit of observation is one deal: in a duplicate match the average over all seat rotations of the same cards, in a
plain match one hand. Observations of different deals are independent, so the usual intervals hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple


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
        return Summary(
            self.mean * factor,
            self.standard_error * factor,
            self.count,
            self.deviation * factor,
            self.low * factor,
            self.high * factor,
            self.confidence,
        )


class WinningsUnit(NamedTuple):
    """A unit for winnings."""

    name: str  # for people
    key: str  # for JSON
    factor: float  # units per chip
    digits: int  # decimals worth showing

    def of(self, summary: Summary) -> Summary:
        """Chips per hand in this unit."""
        return summary.scaled(self.factor)


@dataclass(frozen=True)
class Units:
    """The units of a game: its big blind and small bet, or the pot of a spot, which has no blinds."""

    big_blind: float
    small_bet: float
    pot: float = 0.0  # of a spot, at its start

    @property
    def scales(self) -> tuple[WinningsUnit, WinningsUnit]:
        """The units for results of this game, the usual one first."""
        if self.pot:
            return WinningsUnit("chips", "chips", 1.0, 2), WinningsUnit(
                "% of the pot", "pot_percent", 100 / self.pot, 2
            )
        mbb = WinningsUnit("mbb", "mbb", 1000 / self.big_blind, 0)
        return mbb, WinningsUnit("small bets", "small_bets", 1 / self.small_bet, 3)

    @property
    def usual(self) -> WinningsUnit:
        """The unit in which results of this game are usually compared."""
        return self.scales[0]

    def as_dict(self, summary: Summary) -> dict[str, Any]:
        """A mean and its interval in every unit, for JSON; null where one is not finite."""
        shown = {"chips": summary} | {scale.key: scale.of(summary) for scale in self.scales}
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
