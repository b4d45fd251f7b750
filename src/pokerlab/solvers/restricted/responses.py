"""What oracle methods share: best responses in the whole game, and a plan of each player as the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.restricted.fields import Field, Response
from pokerlab.solvers.run import Measure
from pokerlab.tree.form import Form

ROUNDING = 1e-12  # of the stakes: what beats a plan by less does not beat it


class OracleSolver(ABC):
    """A round asks oracles in the whole game, and solves a restricted one. The state holds `plan` [S], both plans."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.iterations = 0
        self.passes = 0  # over the game: best responses and linear programs
        self.finished = False
        self.plan = field.uniform()

    @property
    def form(self) -> Form:
        """What it solves."""
        return self.field.form

    @property
    def nodes_touched(self) -> int:
        """Each best response and each program reads the whole game."""
        return self.passes * self.field.nodes

    def responses(self) -> tuple[list[Response], list[float]]:
        """The best that each player can do against the other's plan, and by how much it beats the own plan."""
        plans = [self.field.of(player, self.plan) for player in (0, 1)]
        found, gains = [], []
        for player in (0, 1):
            self.passes += 1
            against = self.field.against(player, plans[1 - player])
            response = self.field.respond(player, against)
            found.append(response)
            value = float((plans[player] * against).sum())  # a product of vectors is shared among threads, which wait
            gains.append((response.value - value) * self.field.unit)
        return found, gains

    @abstractmethod
    def step(self) -> None:
        """One round; says so in `finished` where nothing is left to do."""

    def advance(self, iterations: int) -> None:
        """Do this many more rounds, or as many as are left."""
        for _ in range(iterations):
            if self.finished:
                return
            self.step()
            self.iterations += 1

    def answer(self) -> dict[str, np.ndarray]:
        """The equilibrium of the restricted game, in the form's own arrays."""
        return self.field.answer(self.plan)

    def profile(self) -> np.ndarray:
        """The same as behaviour, of the sequence and the normal form.  # [A]"""
        return self.answer()["probability"]

    def measure(self) -> Measure:
        """Its exploitability in the whole game."""
        return self.field.measure(self.plan)

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        counts = np.array([self.iterations, self.passes, int(self.finished)])
        return self.field.kept(self.plan) | {"plan": self.plan.copy(), "counts": counts}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.plan = np.array(arrays["plan"])
        self.iterations, self.passes = (int(count) for count in arrays["counts"][:2])
        self.finished = bool(arrays["counts"][2])
