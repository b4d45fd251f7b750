"""What solvers share whose result is a profile of their form; general ones compute with the form's operations alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting, shortened
from pokerlab.tree.form import Form, kind_of
from pokerlab.tree.measure import Measure

OF_PLANS = "_of_plans"


class ProfileSolver(ABC):
    """A solver whose result is a profile. Its state is the arrays of `own_arrays` and some counts."""

    counted: tuple[str, ...] = ("iterations", "nodes_touched")  # the attributes that a state stores as counts
    counts_name = "counts"  # of the array that stores them

    def __init__(self, game: Form) -> None:
        self.game = game  # the form it computes on
        self.iterations = 0

    @abstractmethod
    def result(self) -> np.ndarray:
        """The current solution, a profile of `game`.  # [A]"""

    @abstractmethod
    def own_arrays(self) -> dict[str, np.ndarray]:
        """The solver's own arrays, which a state is copied from and restored into."""

    @property
    def form(self) -> Form:
        """The form in which its strategies are named."""
        return self.game.solution_form

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The solution as the form's named arrays."""
        return self.game.pack(self._checked_result())

    def profile(self) -> np.ndarray:
        """The solution as a profile of `form`.  # [A]"""
        return self.form.unpack(self.strategy_arrays())

    def measure(self) -> Measure:
        """Exploitability of the solution."""
        return self.game.measure(self._checked_result())

    def _checked_result(self) -> np.ndarray:
        """The solution; BadSetting if an algorithm gives an array of another shape, which kernels would not notice."""
        profile = self.result()
        if np.shape(profile) != self._shape:
            raise BadSetting(
                f"{type(self).__name__}.result must be a profile of {self._shape[0]:,} numbers, one for each action at "
                f"each infoset; got {shortened(str(np.shape(profile)), 40)}: a plan becomes one by game.behaviour(plan)"
            )
        return profile

    @cached_property
    def _shape(self) -> tuple[int, ...]:
        """The shape of a profile."""
        return self.game.uniform().shape

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state: the strategies under the names that files use, the solver's own arrays, and the counts.

        An own array with the same name as a strategy array is stored under another name.
        """
        packed = self.strategy_arrays() if kind_of(self.game.kind).in_state else {}
        own = {name + OF_PLANS if name in packed else name: array.copy() for name, array in self.own_arrays().items()}
        return packed | own | {self.counts_name: np.array([int(getattr(self, name)) for name in self.counted])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""
        for name, own in self.own_arrays().items():
            own[...] = arrays.get(name + OF_PLANS, arrays[name])
        for name, count in zip(self.counted, arrays[self.counts_name], strict=True):
            setattr(self, name, int(count))


class PlanSolver(ProfileSolver):
    """A solver on any form that has treeplexes and payoffs, which counts iterations and passes over the game."""

    counted: tuple[str, ...] = ("iterations", "passes")

    def __init__(self, game: Form) -> None:
        super().__init__(game)
        self.passes = 0  # evaluations of payoffs

    @abstractmethod
    def step(self) -> None:
        """Run one more iteration."""

    @property
    def nodes_touched(self) -> int:
        """Each evaluation of payoffs visits every history."""
        return self.passes * self.game.nodes_per_pass

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        step: Callable[[], object] = self.step
        for _ in range(iterations):
            self.iterations += 1
            if (returned := step()) is not None:  # a generator has not run
                raise BadSetting(
                    f"{type(self).__name__}.step must change the solver and return nothing; "
                    f"it returned {shortened(repr(returned), 60)}"
                )


class FirstOrder(PlanSolver):
    """A solver that follows gradients: the values of one player's sequences against the other's plan."""

    def __init__(self, game: Form, prox: str) -> None:
        super().__init__(game)
        self.smoothed = game.smoothed(prox)

    def respond(self, player: int, smoothing: float, **vectors: np.ndarray) -> float:
        """A smoothed best response (see SmoothedBestResponse.respond), counted as a pass over the game."""
        self.passes += 1
        return self.smoothed.respond(player, smoothing, **vectors)
