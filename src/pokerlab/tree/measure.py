"""How far a profile is from equilibrium: the values of all players, and of each player's best response."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.reading import finite


@dataclass(frozen=True)
class Measure:
    """How far a profile is from equilibrium, by an explicit best response of each player."""

    values: tuple[float, ...]  # of each player under the profile
    best_responses: tuple[float, ...]  # of each player against the others' part of the profile
    zero_sum: bool | None = None  # whether the game is; None if only the values show it
    is_known: bool = True  # whether it was measured; otherwise its numbers are NaN

    def __post_init__(self) -> None:
        if not self.values or len(self.values) != len(self.best_responses):
            raise ValueError(f"{len(self.values)} values and {len(self.best_responses)} best responses")

    @staticmethod
    def unknown(players: int) -> Measure:
        """The measure of a game that is too large to measure: all its numbers are NaN."""
        return Measure((math.nan,) * players, (math.nan,) * players, zero_sum=True, is_known=False)

    @property
    def gains(self) -> tuple[float, ...]:
        """Each player's gain from switching to a best response."""
        return tuple(best - value for best, value in zip(self.best_responses, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        """The sum of the gains."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean gain per player; for two-player zero-sum games, what a best responder wins on average over seats."""
        return self.nash_conv / len(self.values)

    @property
    def epsilon(self) -> float:
        """The largest gain of any player: the profile is an epsilon-equilibrium."""
        return max(self.gains)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound on player 0's value of a two-player zero-sum game."""
        zero_sum = self.zero_sum
        if zero_sum is None:
            largest = max(map(abs, (*self.values, *self.best_responses)))
            zero_sum = abs(sum(self.values)) <= 1e-6 * largest  # to rounding
        if len(self.values) != 2 or not zero_sum:
            raise BadSetting("bounds on the value of a game exist for two players and zero sum only")
        return -self.best_responses[1], self.best_responses[0]


def measure_from(words: Mapping[str, Any], players: int) -> Measure:
    """The measure stored in a manifest; ValueError or similar if it is missing or for another number of players."""
    if words["values"] is None and words["best_responses"] is None:  # the game was too large
        return Measure.unknown(players)
    measure = Measure(tuple(map(finite, words["values"])), tuple(map(finite, words["best_responses"])))
    if len(measure.values) != players:
        raise ValueError(f"a measure of {len(measure.values)} players, not of {players}")
    finite(sum(map(abs, (*measure.values, *measure.best_responses))))  # so what is computed from them is finite too
    return measure


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The most that a player can win against the others' part of a profile, and the strategy that does it."""

    value: float
    profile: np.ndarray  # [A]: the profile with the player's part replaced
