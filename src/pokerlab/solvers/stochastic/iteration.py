"""Value iteration and policy iteration over the states of a stochastic game.

A round solves the game of every state, with terminals valued by the next states, and then computes new values: *value
iteration* (L. Shapley, "Stochastic games", 1953) takes the value of one more game followed by the old values, *policy
iteration* (A. Hoffman and R. Karp, 1966) the long-run value of these strategies. With more than two players, or if the
game is not zero-sum, neither is guaranteed to converge, and value iteration may converge to something that is not an
equilibrium; so strategies are measured ex post, by best responses in the whole game.

Values can oscillate from round to round: the value of one state changes the play of others, which changes its value. A
*step* below 1 moves only that fraction towards the new values. *Anderson mixing* (D. G. Anderson, "Iterative procedures
for nonlinear integral equations", 1965; in the form of H. F. Walker and P. Ni, 2011) also uses a `memory` of the last
few rounds: it takes the combination of their values whose residuals, new values minus old, are closest to zero, and
takes a step from there. All of them have the same fixed points. Combinations are affine, so that the values of a state
keep their sum. The first round takes the full step, since the first values are a guess.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pokerlab.errors import BadFile, BadSetting
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.form import PACKED
from pokerlab.tree.measure import Measure
from pokerlab.tree.stochastic import StochasticForm

METHODS = ("policy", "value")
MOST_REMEMBERED = 50
SMALLEST = 1e-3  # smaller singular values, relative to the largest, are noise of fictitious play and are dropped
SETTLED = 1e-12  # of the largest value: a run is finished when values change by less


class Round(NamedTuple):
    """The result of a round."""

    change: float  # the largest difference between the values of the new strategies and those they were solved for
    epsilon: float  # the largest gain of a best response in the whole game; NaN if rounds are not measured


class Mixing:
    """The next values, with a memory of the last rounds."""

    def __init__(self, *, step: float = 1.0, memory: int = 0) -> None:
        if not 0 < step <= 1:
            raise BadSetting(f"the step (damping factor) must be above 0 and at most 1, got {step:g}")
        if not 0 <= memory <= MOST_REMEMBERED:
            raise BadSetting(f"values are mixed with 0 to {MOST_REMEMBERED} earlier rounds, not {memory}")
        self.step, self.memory = step, memory
        self._tried: list[np.ndarray] = []  # the last rounds' values, each as those of a round are
        self._residuals: list[np.ndarray] = []  # the resulting values minus themselves

    def following(self, tried: np.ndarray, reached: np.ndarray) -> np.ndarray:
        """The values to try next, after `tried` led to `reached`."""
        if self.step == 1 and not self.memory:
            return reached
        residual = reached - tried
        self._tried = [*self._tried, tried][-self.memory - 1 :]
        self._residuals = [*self._residuals, residual][-self.memory - 1 :]
        following = np.asarray(tried + self.step * residual)
        if len(self._tried) < 2:
            return following
        values, residuals = (np.diff(rounds, axis=0) for rounds in (self._tried, self._residuals))
        across = residuals.reshape(len(residuals), -1).T
        weights = np.linalg.lstsq(across, residual.reshape(-1), rcond=SMALLEST)[0]
        return np.asarray(following - np.tensordot(weights, values + self.step * residuals, axes=1))

    def arrays(self, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
        """What is remembered of rounds whose values have this shape."""
        return {
            "tried": np.array(self._tried).reshape(-1, *shape),
            "residuals": np.array(self._residuals).reshape(-1, *shape),
        }

    def restore(self, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> None:
        """Remember what `arrays` gave, as much as the memory holds; files of earlier versions remember nothing."""
        rounds = [np.asarray(arrays.get(name, np.zeros((0, *shape))), float) for name in ("tried", "residuals")]
        for one in rounds:
            if one.shape[1:] != shape or len(one) != len(rounds[0]) or not np.isfinite(one).all():
                raise BadFile("this state is damaged: the rounds that it remembers belong to another game")
        self._tried, self._residuals = (list(one)[-self.memory - 1 :] for one in rounds)


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


class StageSolver(ValueIteration):
    """Strategies of every state, computed by an algorithm on its sequence form."""

    def __init__(
        self, form: StochasticForm, stage: Algorithm, iterations: int, *, seed: int = 0, **settings: Any
    ) -> None:
        super().__init__(np.zeros((len(form.states), form.players)), **settings)
        self.form = form
        self.profile = form.uniform()
        self._algorithm, self._stage_iterations, self._seed = stage, iterations, seed
        self._measure: Measure | None = None

    @property
    def finished(self) -> bool:
        return self.change <= SETTLED * max(1.0, float(np.abs(self.values).max()))

    def solve_states(self) -> None:
        profile = self.profile.copy()
        for stage, part in zip(self.form.stages, self.form.slots, strict=True):
            solver = self._algorithm.start(stage.with_values(self.values), seed=self._seed)
            every = Stop(iterations=self._stage_iterations)
            run(solver, every, measure_every=self._stage_iterations)
            profile[part] = solver.form.unpack(solver.strategy_arrays())
        self.profile, self._measure = profile, None

    def backed_up(self) -> np.ndarray:
        return self.form.backed_up(self.profile, self.values)

    def evaluated(self) -> np.ndarray:
        return self.form.evaluate(self.profile)

    def measure(self) -> Measure:
        """Values and best responses from the first state."""
        if self._measure is None:
            self._measure = self.form.measure(self.profile)
        return self._measure

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        return self.form.pack(self.profile)

    def restore_strategies(self, arrays: Mapping[str, np.ndarray]) -> None:
        if not np.allclose(self.form.infoset_sums(arrays[PACKED]), 1.0, atol=1e-6) or (arrays[PACKED] < 0).any():
            raise BadFile("this state is damaged: its strategies are not probabilities")
        self.profile, self._measure = np.array(arrays[PACKED], float), None
