"""A two-player game as two matrices of whole numbers, and its equilibria with their exact payoffs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

PARTS = 40  # bits: payoffs that are not multiples of one unit are rounded to these
MOST_DENOMINATOR = 10**6  # of a payoff
GAIN = 1e-9  # of the spread of payoffs: what a player may gain in an equilibrium in floats
ROUNDING = 1e-13  # of the largest payoff
Mix = tuple[Any, ...]  # the probability of each strategy: fractions, or floats


@dataclass(frozen=True)
class Equilibrium:
    """A mixed strategy of each player, and what each wins: fractions where they are exact, else floats."""

    mixes: tuple[Mix, ...]
    payoffs: tuple[Any, ...]

    @property
    def welfare(self) -> Any:
        """The sum of the payoffs."""
        return sum(self.payoffs)

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """The strategies that each player uses."""
        return tuple(tuple(i for i, share in enumerate(mix) if share > 0) for mix in self.mixes)

    @property
    def is_pure(self) -> bool:
        """Whether nobody mixes."""
        return all(len(support) == 1 for support in self.supports)


@dataclass(frozen=True, eq=False)
class WholePayoffs:
    """A payoff table in whole numbers, of as many players as it has axes: the table times `unit` is the game's."""

    table: np.ndarray  # [P, strategy of 0, strategy of 1, ...] int64
    units: tuple[Fraction, ...]  # of each player
    rounded: bool  # whether payoffs were rounded to 12 digits, which whole numbers need

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of strategies of each player."""
        return tuple(self.table.shape[1:])

    def payoff(self, player: int, cell: Sequence[int]) -> Fraction:
        """A payoff in the game's units."""
        return int(self.table[(player, *cell)]) * self.units[player]


def whole_table(table: np.ndarray) -> WholePayoffs:
    """Payoffs in whole numbers, each player in units of their own.

    A payoff is read as the simple fraction that it is up to rounding, since sums over chance round.

    >>> whole_table(np.array([[[0.5, 1 / 3]], [[3.0, -1.0]]])).units
    (Fraction(1, 6), Fraction(1, 1))
    """
    whole, units, rounded = [], [], False
    for payoffs in table:
        unit = _unit(payoffs)
        if unit is None:
            largest = float(np.abs(payoffs).max())
            unit, rounded = Fraction(math.ldexp(1.0, math.frexp(largest)[1] - PARTS)), True
        whole.append(np.rint(payoffs / float(unit)).astype(np.int64))
        units.append(unit)
    return WholePayoffs(np.array(whole), tuple(units), rounded)


def _unit(payoffs: np.ndarray) -> Fraction | None:
    """The largest number of which all payoffs are multiples; None if there is none, or it is too small."""
    sizes = np.unique(np.abs(payoffs))
    largest = float(sizes[-1]) if len(sizes) else 0.0
    if not largest:
        return Fraction(1)
    distinct = sizes[np.r_[True, np.diff(sizes) > ROUNDING * largest]]  # up to rounding
    above, below = 0, 1
    for size in distinct.tolist():
        simple = Fraction(size).limit_denominator(MOST_DENOMINATOR)
        if abs(float(simple) - size) > ROUNDING * largest:
            return None
        above, below = math.gcd(above * simple.denominator, simple.numerator * below), below * simple.denominator
        shared = math.gcd(above, below)
        above, below = above // shared, below // shared
        if below > MOST_DENOMINATOR * 1000:
            return None
    unit = Fraction(above, below)
    return unit if largest / float(unit) < 2.0**PARTS else None


@dataclass(frozen=True, eq=False)
class Bimatrix:
    """Two players' payoffs in whole numbers, [row, column], with positive copies for pivoting."""

    whole: WholePayoffs

    @cached_property
    def rows(self) -> np.ndarray:
        """The row player's payoffs as Python integers."""
        return np.array(self.whole.table[0].tolist(), object).reshape(self.whole.counts)

    @cached_property
    def columns(self) -> np.ndarray:
        """The column player's."""
        return np.array(self.whole.table[1].tolist(), object).reshape(self.whole.counts)

    @cached_property
    def positive(self) -> tuple[np.ndarray, np.ndarray]:
        """Both, shifted so that the least payoff is 1: the same equilibria."""
        return self.rows - (self.rows.min() - 1), self.columns - (self.columns.min() - 1)

    @property
    def counts(self) -> tuple[int, int]:
        """The number of rows and columns."""
        return self.whole.counts[0], self.whole.counts[1]

    def equilibrium(self, x: Sequence[Any], y: Sequence[Any]) -> Equilibrium:
        """Two mixes with their payoffs."""
        own = np.array(x, object), np.array(y, object)
        unit, other = self.whole.units
        return Equilibrium(
            (tuple(x), tuple(y)), ((own[0] @ self.rows @ own[1]) * unit, (own[0] @ self.columns @ own[1]) * other)
        )

    def in_floats(self, x: Sequence[float], y: Sequence[float]) -> Equilibrium | None:
        """Two mixes in floats with their payoffs; None if somebody gains more than a rounding error."""
        tables = self.rows.astype(float), self.columns.astype(float)
        mine, theirs = np.array(x), np.array(y)
        by_row, by_column = tables[0] @ theirs, mine @ tables[1]
        values = float(mine @ by_row), float(by_column @ theirs)
        gains = float(by_row.max()) - values[0], float(by_column.max()) - values[1]
        spreads = (float(np.ptp(table)) for table in tables)
        if any(gain > GAIN * spread for gain, spread in zip(gains, spreads, strict=True)):
            return None
        payoffs = tuple(value * float(unit) for value, unit in zip(values, self.whole.units, strict=True))
        return Equilibrium((tuple(x), tuple(y)), payoffs)

    def gains(self, x: Sequence[Any], y: Sequence[Any]) -> tuple[Any, Any]:
        """What each would gain by a best response: zero in equilibrium, in whole payoffs."""
        own = np.array(x, object), np.array(y, object)
        by_row, by_column = self.rows @ own[1], own[0] @ self.columns
        return max(by_row) - own[0] @ by_row, max(by_column) - by_column @ own[1]

    def is_equilibrium(self, x: Sequence[Any], y: Sequence[Any]) -> bool:
        """Whether two exact mixes are an equilibrium."""
        return not any(self.gains(x, y))


def normalised(weights: Sequence[Any]) -> Mix:
    """Weights divided by their sum."""
    total = sum(weights)
    return tuple(weight / total for weight in weights)
