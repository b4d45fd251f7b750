"""The CFR family on games of two roles: every hand of both roles updated at every step, without sampling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.measure import Measure
from pokerlab.tree.roles import RoleForm


class ScheduledRoles:
    """The CFR family on a two-role game: every hand of both roles updated at every step, without sampling."""

    def __init__(self, form: RoleForm, schedule: Schedule) -> None:
        self.form, self.schedule = form, schedule
        self.iterations = 0
        self.regrets = [np.zeros((2, count)) for count in form.chance.shape]  # [2, hand] of not acting, acting
        self.sums = [np.zeros((2, count)) for count in form.chance.shape]
        self.playing = [np.full(count, 0.5) for count in form.chance.shape]  # [hand]: what the next step plays

    def answer(self) -> dict[str, np.ndarray]:
        """How often each role acts with each hand."""
        return {"acts0": self.average(0), "acts1": self.average(1)}

    @property
    def nodes_touched(self) -> int:
        """Pairs of hands looked at."""
        return self.iterations * 2 * self.form.chance.size

    def advance(self, iterations: int) -> None:
        """More steps of the schedule; roles update in turn where it says so."""
        for _ in range(iterations):
            self.iterations += 1
            step = self.schedule.step(self.iterations)
            before = list(self.playing)
            for role in (0, 1):
                gains = self.form.counterfactual(role, self._met(role, before))
                mine = np.stack([1 - before[role], before[role]])
                now = gains - (mine * gains).sum(0)
                regret = self.regrets[role]
                regret *= np.where(regret > 0, step.keep_positive, step.keep_negative)
                regret += now
                if step.floor:
                    np.maximum(regret, 0, out=regret)
                self.playing[role] = _matched(np.maximum(regret + step.prediction * now, 0))
                self.sums[role] = self.sums[role] * step.keep_average + step.average_weight * mine

    def _met(self, role: int, before: list[np.ndarray]) -> np.ndarray:
        """What a role meets in a step, before which the strategies were these.  # [hand of the other]"""
        return self.playing[1 - role] if self.schedule.alternating else before[1 - role]

    def average(self, role: int) -> np.ndarray:
        """The average strategy: [hand]."""
        return _matched(self.sums[role])

    def measure(self) -> Measure:
        """Value and best responses of the average strategies."""
        return measure_roles(self.form, self.average(0), self.average(1))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        named: dict[str, Any] = {"iterations": np.array([self.iterations])}
        for role in (0, 1):
            named[f"regret{role}"], named[f"sum{role}"] = self.regrets[role], self.sums[role]
            named[f"playing{role}"] = self.playing[role]
        return named

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        for role in (0, 1):
            self.regrets[role] = np.array(arrays[f"regret{role}"])
            self.sums[role] = np.array(arrays[f"sum{role}"])
            self.playing[role] = np.array(arrays[f"playing{role}"])


def _matched(weights: np.ndarray) -> np.ndarray:
    """How often to act, by weights [2, hand] of not acting and acting; half the time without any. [hand]"""
    total = weights.sum(0)
    return np.asarray(np.where(total > 0, weights[1] / np.where(total > 0, total, 1), 0.5))
