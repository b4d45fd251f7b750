"""Fictitious play in extensive form: answer the others' average with a best response, and average that in.

Brown, "Iterative solution of games by fictitious play", 1951; Heinrich, Lanctot and Silver, "Fictitious self-play in
extensive-form games", 2015: averages of realisation plans are averages of mixed strategies, so the game need never be
written in normal form. It converges for two players and zero sum; for others the measured best response says how far it
came. Players answer in turn (`alternating`) or at once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.settings import Flag, checked
from pokerlab.solvers.algorithm import Algorithm, Engine, Resources
from pokerlab.solvers.measure import measure_plan
from pokerlab.solvers.run import Measure, Profiled, Solver
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.sequence import SequenceForm


@checked
def algorithm(*, alternating: Flag = True) -> Algorithm:
    """Extensive-form fictitious play."""

    def on_roles(form: RoleForm, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.roles.fictitious import FictitiousRoles

        return FictitiousRoles(form, alternating=alternating)

    def on_classes(form: ClassForm, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.classes.scheduled import FictitiousClasses

        return FictitiousClasses(form, alternating=alternating)

    engines: dict[str, Engine] = {
        "sequence": lambda form, seed, resources: FictitiousPlay(form, alternating=alternating),
        "roles": on_roles,
        "classes": on_classes,
    }
    return Algorithm("fictitious-play", engines, {"alternating": alternating})


class FictitiousPlay(Profiled):
    """The state is the average plan; the first beliefs are uniform."""

    def __init__(self, form: SequenceForm, *, alternating: bool) -> None:
        from pokerlab.solvers.sequence._kernels import treeplexes_of

        self.form = form
        self.alternating = alternating
        self.iterations = 0
        self.average = form.plan(form.tree.uniform())  # [S]
        self._plan, self._choice, self._value = np.ones((3, form.sequences))
        self._treeplexes = treeplexes_of(form)

    @property
    def nodes_touched(self) -> int:
        """Each answer visits every history."""
        return self.iterations * self.form.players * self.form.tree.nodes

    def advance(self, iterations: int) -> None:
        """Do this many more iterations."""
        from pokerlab.solvers.sequence._kernels import play_fictitiously

        room = self._value, self._choice, self._plan
        play_fictitiously(self.iterations, iterations, self.alternating, self._treeplexes, *room, self.average)
        self.iterations += iterations

    def profile(self) -> np.ndarray:
        """The average strategy.  # [A]"""
        return self.form.profile(self.average)

    def measure(self) -> Measure:
        """Exploitability of the average strategy."""
        return measure_plan(self.form, self.form.plan(self.profile()))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"average": self.average.copy(), "counts": np.array([self.iterations])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.average[:] = arrays["average"]
        self.iterations = int(arrays["counts"][0])
