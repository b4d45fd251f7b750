"""A solver that solves in one iteration: how linear programs fit the run loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from pokerlab.solvers.core.run import Profiled
from pokerlab.tree.sequence import SequenceForm


class DirectSolver(Profiled):
    """Solves in the first iteration; later ones change nothing. Before that, the profile is uniform."""

    def __init__(self, form: SequenceForm, solve: Callable[[], np.ndarray]) -> None:
        self.form = form
        self.iterations = 0
        self._solve = solve
        self._plan = form.plan(form.tree.uniform())  # [S]

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.iterations > 0

    @property
    def nodes_touched(self) -> int:
        """A program reads the whole game once."""
        return self.form.tree.nodes if self.finished else 0

    def advance(self, iterations: int) -> None:
        """Solve, unless already done."""
        if not self.finished and iterations > 0:
            self._plan = self._solve()
            self.iterations = 1

    def profile(self) -> np.ndarray:
        """The equilibrium.  # [A]"""
        return self.form.behaviour(self._plan)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"plan": self._plan.copy(), "counts": np.array([self.iterations])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._plan = np.array(arrays["plan"])
        self.iterations = int(arrays["counts"][0])
