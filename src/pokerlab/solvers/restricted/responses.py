"""What oracle methods share: best responses in the whole game, and a plan of each player as the answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.solvers.measure import answer, measure_plan
from pokerlab.solvers.run import Measure, Profiled
from pokerlab.tree.sequence import SequenceForm

ROUNDING = 1e-12  # of the stakes: what beats a plan by less does not beat it


class Response(NamedTuple):
    """A pure best response to the other's plan."""

    value: float
    choice: np.ndarray  # [own sequence]: whether it is taken where its infoset is reached, at every infoset
    plan: np.ndarray  # [own sequence]


class OracleSolver(Profiled):
    """A round asks oracles in the whole game, and solves a restricted one. The state holds `plan` [S], both plans."""

    def __init__(self, form: SequenceForm) -> None:
        from pokerlab.solvers.sequence._kernels import treeplexes_of

        self.form = form
        self.iterations = 0
        self.passes = 0  # over the game: best responses and linear programs
        self.finished = False
        self.plan = form.plan(form.tree.uniform())
        self._treeplexes = treeplexes_of(form)

    @property
    def nodes_touched(self) -> int:
        """Each best response and each program reads the whole game."""
        return self.passes * self.form.tree.nodes

    def response(self, player: int) -> Response:
        """The best that a player can do against the other's plan."""
        from pokerlab.solvers.sequence._kernels import descend

        self.passes += 1
        found, plan = answer(self.form, self.plan, player), np.ones(self.form.sequences)
        low, high = self.form.ranges[0][player]
        descend(low, high, self._treeplexes, found.choice, plan)
        own = self.form.sequences_of(player)
        return Response(float(found.value[player]), found.choice[own], plan[own])

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

    def profile(self) -> np.ndarray:
        """The equilibrium of the restricted game.  # [A]"""
        return self.form.profile(self.plan)

    def measure(self) -> Measure:
        """Its exploitability in the whole game."""
        return measure_plan(self.form, self.form.plan(self.profile()))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"plan": self.plan.copy(), "counts": np.array([self.iterations, self.passes, int(self.finished)])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.plan = np.array(arrays["plan"])
        self.iterations, self.passes = (int(count) for count in arrays["counts"][:2])
        self.finished = bool(arrays["counts"][2])
