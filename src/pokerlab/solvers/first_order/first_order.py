"""What first-order solvers share: they count steps and gradients, and answer with plans."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from pokerlab.solvers.first_order.ground import Ground
from pokerlab.solvers.run import Measure
from pokerlab.tree.form import Form


class FirstOrder(ABC):
    """A solver that steps along gradients: each one is what sequences of one player win against a plan of the other."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.iterations = 0  # steps
        self.gradients = 0  # evaluated

    @property
    @abstractmethod
    def plan(self) -> np.ndarray:
        """The plans that it answers with."""

    @abstractmethod
    def step(self) -> None:
        """One more step."""

    @property
    def form(self) -> Form:
        """What it solves."""
        return self.ground.form

    @property
    def nodes_touched(self) -> int:
        """Each gradient visits every history."""
        return self.gradients * self.ground.nodes

    def advance(self, iterations: int) -> None:
        """Do this many more steps."""
        for _ in range(iterations):
            self.iterations += 1
            self.step()

    def answer_smoothly(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        """As that of the ground; counted."""
        self.gradients += 1
        return self.ground.answer_smoothly(player, smoothing, plan=plan, prior=prior, point=point, out=out)

    def answer(self) -> dict[str, np.ndarray]:
        """The plans, in the form's own arrays."""
        return self.ground.answer(self.plan)

    def measure(self) -> Measure:
        """Exploitability of the plans."""
        return self.ground.measure(self.plan)

    def profile(self) -> np.ndarray:
        """The same as behaviour, of the sequence and the normal form.  # [A]"""
        return self.answer()["probability"]
