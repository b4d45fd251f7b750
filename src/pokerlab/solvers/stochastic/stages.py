"""Value and policy iteration of any stochastic game: the game of every state is solved by another algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.stochastic.iteration import ValueIteration
from pokerlab.tree.form import PACKED
from pokerlab.tree.measure import Measure
from pokerlab.tree.stochastic import StochasticForm

SETTLED = 1e-12  # of the largest value: a run is finished when values change by less


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
