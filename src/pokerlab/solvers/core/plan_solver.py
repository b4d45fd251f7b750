"""What general solvers share: they compute with a form's operations, and their result is a profile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from pokerlab.tree.form import Form, kind_of
from pokerlab.tree.measure import Measure

OF_PLANS = "_of_plans"


class PlanSolver(ABC):
    """A solver on any form that has treeplexes and payoffs.

    It counts its iterations and its passes over the game, and does not depend on how the form stores numbers.
    """

    def __init__(self, game: Form) -> None:
        self.game = game  # the form it computes on
        self.iterations = 0
        self.passes = 0  # evaluations of payoffs

    @abstractmethod
    def result(self) -> np.ndarray:
        """The current solution, a profile of `game`.  # [A]"""

    @abstractmethod
    def step(self) -> None:
        """Run one more iteration."""

    @property
    def form(self) -> Form:
        """The form in which its strategies are named."""
        return self.game.solution_form

    @property
    def nodes_touched(self) -> int:
        """Each evaluation of payoffs visits every history."""
        return self.passes * self.game.nodes_per_pass

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        for _ in range(iterations):
            self.iterations += 1
            self.step()

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The solution as the form's named arrays."""
        return self.game.pack(self.result())

    def profile(self) -> np.ndarray:
        """The solution as a profile of `form`.  # [A]"""
        return self.form.unpack(self.strategy_arrays())

    def measure(self) -> Measure:
        """Exploitability of the solution."""
        return self.game.measure(self.result())

    def state(self, **own: np.ndarray) -> dict[str, np.ndarray]:
        """The counts, the strategies under the names that files use, and the solver's own arrays.

        An own array with the same name as a strategy array is stored under another name; `read` resolves it.
        """
        packed = self.strategy_arrays() if kind_of(self.game.kind).in_state else {}
        named = {name + OF_PLANS if name in packed else name: array.copy() for name, array in own.items()}
        return packed | named | {"counts": np.array([self.iterations, self.passes])}

    @staticmethod
    def read(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
        """One of the solver's own arrays, read from a state."""
        return arrays[name + OF_PLANS if name + OF_PLANS in arrays else name]

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state: `state()` and the solver's own arrays."""

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; subclasses restore their own arrays."""
        self.iterations, self.passes = (int(count) for count in arrays["counts"][:2])
