"""CFR-BR on forms of few numbers, whose best responses are read off: games of two roles, and classes of hands."""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.classes.scheduled import ScheduledClasses
from pokerlab.solvers.roles.scheduled import ScheduledRoles
from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.roles import RoleForm


class AnsweredRoles(ScheduledRoles):
    """Each role against a best response to what it does now."""

    def __init__(self, form: RoleForm, schedule: Schedule, *, current: bool = False) -> None:
        super().__init__(form, schedule)
        self.current = current

    @property
    def nodes_touched(self) -> int:
        """Pairs of hands looked at: for a best response to each role, and for the values of each."""
        return 2 * super().nodes_touched

    def _met(self, role: int, before: list[np.ndarray]) -> np.ndarray:
        passive, active = self.form.counterfactual(1 - role, before[role])
        return np.asarray(active > passive, np.float64)

    def average(self, role: int) -> np.ndarray:
        """The average strategy, or the current one where that is asked for: [hand]."""
        return self.playing[role] if self.current else super().average(role)


class AnsweredClasses(ScheduledClasses):
    """Each player against a best response to what he does now."""

    def __init__(self, form: ClassForm, schedule: Schedule, *, current: bool = False) -> None:
        super().__init__(form, schedule)
        self.current = current

    @property
    def nodes_touched(self) -> int:
        """Ends of the betting times pairs of hands: for best responses, and for values against them."""
        return 2 * super().nodes_touched

    def _met(self, player: int, plans: list[np.ndarray]) -> np.ndarray:
        rival = 1 - player
        _, choice = self.form.best_response(rival, self.form.values(rival, plans[player]))
        return self.form.plan(rival, choice)

    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        """The average strategies, or the current ones where those are asked for."""
        return (self.playing[0], self.playing[1]) if self.current else super().behaviours()
