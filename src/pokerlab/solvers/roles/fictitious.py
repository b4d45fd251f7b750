"""Fictitious play on games of two roles: each answers the other's average with a best response, averaged in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.tree.measure import Measure
from pokerlab.tree.roles import RoleForm

NOTHING = 1e-13  # decisions that differ by less than this share of the largest payoff are worth the same


class FictitiousRoles:
    """The state is the average strategy of each role; the first beliefs are uniform, and count as one answer.

    A hand to which both decisions are worth the same stays as it is.
    """

    def __init__(self, form: RoleForm, *, alternating: bool) -> None:
        self.form = form
        self.alternating = alternating
        self.iterations = 0
        self.averages = [np.full(count, 0.5) for count in form.chance.shape]  # [hand] of each role

    def answer(self) -> dict[str, np.ndarray]:
        """How often each role acts with each hand."""
        return {"acts0": self.averages[0], "acts1": self.averages[1]}

    @property
    def nodes_touched(self) -> int:
        """Pairs of hands looked at."""
        return self.iterations * 2 * self.form.chance.size

    def advance(self, iterations: int) -> None:
        """More answers of both roles; in turn, the second meets what the first has just averaged in."""
        nothing = NOTHING * float(np.abs(self.form.payoffs).max())
        for _ in range(iterations):
            self.iterations += 1
            before = list(self.averages)
            for role in (0, 1):
                met = self.averages[1 - role] if self.alternating else before[1 - role]
                passive, active = self.form.counterfactual(role, met)
                best = np.where(np.abs(active - passive) <= nothing, self.averages[role], active > passive)
                self.averages[role] = self.averages[role] + (best - self.averages[role]) / (self.iterations + 1)

    def measure(self) -> Measure:
        """Value and best responses of the average strategies."""
        return measure_roles(self.form, self.averages[0], self.averages[1])

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"iterations": np.array([self.iterations]), "average0": self.averages[0], "average1": self.averages[1]}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        self.averages = [np.array(arrays[f"average{role}"]) for role in (0, 1)]
