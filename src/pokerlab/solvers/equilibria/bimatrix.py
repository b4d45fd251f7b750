"""A two-player game as two matrices of whole numbers, and its equilibria with their exact payoffs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.tree.units import whole_payoffs

PARTS = 2**40  # payoffs that are no small multiples of one unit are rounded to this part of the largest
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

    >>> whole_table(np.array([[[0.5, 0.0]], [[3.0, -1.0]]])).units
    (Fraction(1, 2), Fraction(1, 1))
    """
    whole, units, rounded = [], [], False
    for payoffs in table:
        parts = whole_payoffs(payoffs)
        if parts is None:
            unit = float(np.abs(payoffs).max()) / PARTS
            parts, rounded = (np.rint(payoffs / unit).astype(np.int64), unit), True
        whole.append(parts[0])
        units.append(_fraction(parts[1]))
    return WholePayoffs(np.array(whole), tuple(units), rounded)


def _fraction(unit: float) -> Fraction:
    """The simple fraction that a float was meant to be, or the float itself exactly."""
    simple = Fraction(unit).limit_denominator(10**6)
    return simple if simple and abs(float(simple) - unit) <= 1e-13 * unit else Fraction(unit)


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
