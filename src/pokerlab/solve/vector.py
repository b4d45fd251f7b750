"""Scheduled CFR over a whole tree: every infoset updated at every step."""

from __future__ import annotations

from typing import Any

from pokerlab.solve.algorithm import Algorithm
from pokerlab.solve.schedule import Schedule
from pokerlab.solve.solver import Solver


def scheduled(schedule: Schedule, *, pruning: bool, **settings: Any) -> Algorithm:
    """The algorithm that runs a schedule over a whole tree."""

    def make(tree: Any, seed: int) -> Solver:
        raise NotImplementedError

    settings = settings | {"alternating": schedule.alternating, "pruning": pruning}
    return Algorithm(schedule.name, make, settings, schedule)
