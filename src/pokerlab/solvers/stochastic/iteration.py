"""Value iteration and policy iteration over the states of a stochastic game.

A round solves the game of every state, with terminals valued by the next states, and then computes new values: *value
iteration* (L. Shapley, "Stochastic games", 1953) takes the value of one more game followed by the old values, *policy
iteration* (A. Hoffman and R. Karp, 1966) the long-run value of these strategies. With more than two players, or if the
game is not zero-sum, neither is guaranteed to converge, and value iteration may converge to something that is not an
equilibrium; so strategies are measured ex post, by best responses in the whole game.

Values can oscillate from round to round: the value of one state changes the play of others, which changes its value.
mixing.py damps that with a `step` below 1 and a `memory` of earlier rounds. The first round takes the full step, since
the first values are a guess.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.errors import BadFile, BadSetting
from pokerlab.solvers.stochastic.mixing import Mixing
from pokerlab.tree.measure import Measure

METHODS = ("policy", "value")


class Round(NamedTuple):
    """The result of a round."""

    change: float  # the largest difference between the values of the new strategies and those they were solved for
    epsilon: float  # the largest gain of a best response in the whole game; NaN if rounds are not measured


class ValueIteration(ABC):
    """Values and strategies of every state, improved round by round: a solver for the run loop."""

    measures_rounds = True

    def __init__(self, values: np.ndarray, *, method: str = "policy", step: float = 1.0, memory: int = 0) -> None:
        if method not in METHODS:
            raise BadSetting(f"cannot iterate over {method!r}; choose one of {', '.join(METHODS)}")
        self.method = method
        self.mixing = Mixing(step=step, memory=memory)
        self.values = values  # [state, ...]
        self.rounds: list[Round] = []

    @abstractmethod
    def solve_states(self) -> None:
        """Compute strategies of every state for the current values."""

    @abstractmethod
    def backed_up(self) -> np.ndarray:
        """The values of the strategies for one game, followed by the current values."""

    @abstractmethod
    def evaluated(self) -> np.ndarray:
        """The long-run values of the strategies."""

    @abstractmethod
    def measure(self) -> Measure:
        """Each player's long-run value and best-response value, from each state."""

    @abstractmethod
    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The strategies of every state."""

    @abstractmethod
    def restore_strategies(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore the result of `strategy_arrays`."""

    @property
    def iterations(self) -> int:
        """The number of rounds done."""
        return len(self.rounds)

    @property
    def nodes_touched(self) -> int:
        """The number of games solved so far."""
        return self.iterations * len(self.values)

    @property
    def finished(self) -> bool:
        """Whether values have converged; by default never."""
        return False

    @property
    def change(self) -> float:
        """The change of values in the last round."""
        return self.rounds[-1].change if self.rounds else float("inf")

    def advance(self, iterations: int) -> None:
        """Run this many more rounds, unless values have converged."""
        for _ in range(iterations):
            if self.finished:
                break
            self.solve_states()
            values = self.evaluated() if self.method == "policy" else self.backed_up()
            change = float(np.abs(values - self.values).max())
            self.values = self.mixing.following(self.values, values) if self.rounds else values
            self.rounds.append(Round(change, float("nan")))
            if self.measures_rounds:
                self.rounds[-1] = Round(change, self.measure().epsilon)

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        history = np.array(self.rounds, float).reshape(-1, 2)
        return (
            {"values": self.values, "history": history} | self.strategy_arrays() | self.mixing.arrays(self.values.shape)
        )

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; BadFile if it belongs to another game."""
        values = arrays.get("values")
        if values is None or values.shape != self.values.shape or not np.isfinite(values).all():
            raise BadFile("this state belongs to another game: its 'values' do not fit")
        history = arrays.get("history")
        if (
            history is None
            or history.shape[1:] != (2,)
            or not np.isfinite(history[:, : 1 + self.measures_rounds]).all()
        ):
            raise BadFile("this state is damaged: its 'history' is not one of rounds")
        self.mixing.restore(arrays, self.values.shape)
        self.restore_strategies(arrays)
        self.values = np.array(values, float)
        self.rounds = [Round(float(change), float(epsilon)) for change, epsilon in history]
