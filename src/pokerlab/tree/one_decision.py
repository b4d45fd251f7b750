"""Games in which each of two players makes one yes-or-no decision: von Neumann poker, flop poker, push or fold.

The first player holds hand i and acts or not; the second holds j and acts or not, which matters only if the first has
acted. The payoff depends on the two decisions and on the showdown. A strategy is the probability of acting with each
hand: p over the hands of the first player, q over those of the second. `ClassForm.one_decision` returns the game of a
form. Equation numbers are those of Goykhman, "On self-play computation of equilibrium in poker".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

WIN, TIE, LOSE = range(3)  # of the first player, at a showdown


@dataclass(frozen=True, eq=False)
class OneDecision:
    """The game as arrays over the hands of both players, in deciding order."""

    chance: np.ndarray  # [i, j] probability of the two hands
    win: np.ndarray  # [i, j] probability that the first player wins the showdown, given the hands
    tie: np.ndarray  # [i, j]
    payoffs: np.ndarray  # [3, 2, 2] to the first player by WIN, TIE, LOSE, first acts, second acts

    @cached_property
    def second_decides(self) -> bool:
        """Whether the second player has a decision; not if they are all-in with the blind."""
        return bool((self.payoffs[..., 0] != self.payoffs[..., 1]).any())

    @cached_property
    def utilities(self) -> np.ndarray:
        """Payoffs to the first player weighted by the chance of the hands: [2, 2, i, j] by first acts, second acts."""
        return self.weighted(self.payoffs)

    def weighted(self, payoffs: np.ndarray) -> np.ndarray:
        """Expectation of any payoffs [3, 2, 2], weighted by the chance of the hands: [2, 2, i, j]."""
        outcomes = np.stack([self.win, self.tie, 1 - self.win - self.tie]) * self.chance
        return np.asarray(np.einsum("oij,oab->abij", outcomes, payoffs))

    @cached_property
    def hand_chances(self) -> tuple[np.ndarray, np.ndarray]:
        """The probability of each hand of each player: [i], [j]."""
        return self.chance.sum(1), self.chance.sum(0)

    def counterfactual(self, role: int, other: np.ndarray) -> np.ndarray:
        """The values of not acting and of acting with each hand against the opponent's strategy: [2, hand].

        Weighted by the chance of the hand, so that the value of a strategy is a sum over hands.
        """
        if role == 0:
            return np.asarray(self.utilities[:, 0] @ (1 - other) + self.utilities[:, 1] @ other)
        return -np.asarray((1 - other) @ self.utilities[0] + other @ self.utilities[1])

    def value(self, first: np.ndarray, second: np.ndarray) -> float:
        """The value to the first player."""
        passive, active = self.counterfactual(0, second)
        return float((1 - first) @ passive + first @ active)

    def margins(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The gain of acting over not acting with each hand, given the hand: e_P(i) of (43), e_D(j) of (45)."""
        chances = self.hand_chances
        gains = [self.counterfactual(role, other) for role, other in ((0, second), (1, first))]
        own, others = ((gain[1] - gain[0]) / chance for gain, chance in zip(gains, chances, strict=True))
        return np.asarray(own), np.asarray(others)

    def frequencies(self, first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
        """How often each player acts."""
        chances = self.hand_chances
        return float(chances[0] @ first), float(chances[1] @ second)
