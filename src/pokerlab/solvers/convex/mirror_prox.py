"""Nemirovski's mirror prox on treeplexes: each step looks ahead before it moves, and the look-aheads are averaged.

Nemirovski, "Prox-method with rate of convergence O(1/t) for variational inequalities with Lipschitz continuous monotone
operators and smooth convex-concave saddle point problems", 2004, which also says how long a step may be: as long as the
condition of its proof holds (`aggressive`). Averages that weight later steps more keep the rate if the distances of the
prox function are bounded, as they are for the Euclidean one: Gao, Kroer and Goldfarb, "Increasing iterate averaging for
solving saddle-point problems", 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.core.plan_solver import FirstOrder
from pokerlab.tree.form import Form
from pokerlab.tree.smoothing import ROUNDING

LONGEST = 2.0**-10  # of the norm: one over the length that an aggressive first step tries
LEAST = 2.0**-40  # of the norm: one over the longest step ever
MOST_TRIES = 50  # of one step, each half as long as the last
GROWTH = 1.1  # of an aggressive step over the last


@dataclass(eq=False)
class Mirror:
    """The current position of both players."""

    point: np.ndarray  # [n]: in coordinates
    plan: np.ndarray  # [n]: the same as plans


class MirrorProx(FirstOrder):
    """The state is the position of both players, the average of the plans between, and the length of the next step.

    Step t has weight t^power in the average; `aggressive` steps grow as long as the condition holds.
    """

    def __init__(self, game: Form, prox: str, *, aggressive: bool, power: float) -> None:
        super().__init__(game, prox)
        self._aggressive, self._power = aggressive, power
        uniform = self.smoothed.uniform()
        self.stand = Mirror(self.smoothed.point(uniform), self.smoothed.plan(uniform))
        self.average = self.stand.plan.copy()
        self._between, self._next = (Mirror(self.smoothed.point(uniform), self.smoothed.vector()) for _ in range(2))
        self._smoothing = self.smoothed.norm * (LONGEST if aggressive else 1.0)  # one over the length of a step
        self._weights = 0.0  # total weight of the average

    def result(self) -> np.ndarray:
        return self.smoothed.profile(self.average)

    def step(self) -> None:
        """A prox step with the gradient here, to `between`; then, from here again, a step with the gradient there.

        The proof needs the second step to gain no more than its divergence costs. The game is zero-sum, so the
        plans between have total value zero, and the condition is that the total value of both prox steps is at
        most zero.
        """
        from pokerlab.tree._kernels.prox import blend

        between, following = self._between, self._next
        for _ in range(MOST_TRIES):
            self._move(self.stand.plan, between)
            value = self._move(between.plan, following)
            if value <= ROUNDING * self.smoothed.norm or not self._aggressive:
                break
            self._smoothing *= 2.0
        weight = float(self.iterations) ** self._power / self._smoothing
        self._weights += weight
        blend(weight / self._weights, self.average, between.plan, self.average)
        self.stand, self._next = following, self.stand
        if self._aggressive:  # at a saddle point, steps would grow forever
            self._smoothing = max(self._smoothing / GROWTH, LEAST * self.smoothed.norm)

    def _move(self, opposing_plan: np.ndarray, to: Mirror) -> float:
        """A prox step of both players from their position, with the gradient at `opposing_plan`; their total gain."""
        return sum(
            self.respond(
                player, self._smoothing, plan=opposing_plan, prior=self.stand.point, point=to.point, out=to.plan
            )
            for player in (0, 1)
        )

    def own_arrays(self) -> dict[str, np.ndarray]:
        numbers = np.array([self._smoothing, self._weights])
        return {"point": self.stand.point, "plan": self.stand.plan, "average": self.average, "numbers": numbers}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError if its step size is invalid."""
        smoothing, weights = (float(number) for number in arrays["numbers"])
        if not (smoothing > 0 and weights >= 0):
            raise ValueError(f"a step and weights of {arrays['numbers']}, which must be above zero")
        self._smoothing, self._weights = smoothing, weights
        super().restore(arrays)
