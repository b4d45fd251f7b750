"""Value iteration and policy iteration over the states of a stochastic game.

A round solves the game of every state, with terminals worth what the values of the next states say, and then computes
new values: *value iteration* (L. Shapley, "Stochastic games", 1953) takes the value of one more game with the old
values behind it, *policy iteration* (A. Hoffman and R. Karp, 1966) the value of these strategies to the end. With more
than two players, or without zero sum, neither is guaranteed to converge, and value iteration may converge to something
that is no equilibrium; so strategies are measured ex post, by best responses in the whole game.

Values can swing from round to round: the value of one state changes the play of others, which changes its value.
mixing.py damps that by a `step` below 1 and a `memory` of earlier rounds. The first round takes the full step, since
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
    """What a round did."""

    change: float  # the largest difference between the values of the new strategies and those they were solved for
    epsilon: float  # the largest gain of a best response to the end; NaN where rounds are not measured


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
        """Compute strategies of every state, for the values as they are."""

    @abstractmethod
    def backed_up(self) -> np.ndarray:
        """The values of the strategies for one game, with the values as they are behind it."""

    @abstractmethod
    def evaluated(self) -> np.ndarray:
        """The values of the strategies to the end."""

    @abstractmethod
    def measure(self) -> Measure:
        """Values and best responses to the end of each player, from each state."""

    @abstractmethod
    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The strategies of every state."""

    @abstractmethod
    def restore_strategies(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take back what `strategy_arrays` gave."""

    # ---- the run loop's side -----------------------------------------------------------------------------------------

    @property
    def iterations(self) -> int:
        """How many rounds were done."""
        return len(self.rounds)

    @property
    def nodes_touched(self) -> int:
        """The games solved so far."""
        return self.iterations * len(self.values)

    @property
    def finished(self) -> bool:
        """Whether values have settled; never, unless a solver says so."""
        return False

    @property
    def change(self) -> float:
        """How far values moved in the last round."""
        return self.rounds[-1].change if self.rounds else float("inf")

    def advance(self, iterations: int) -> None:
        """Do this many more rounds, unless values have settled."""
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
        """Restore a state returned by `arrays`; BadFile where it belongs to another game."""
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
