"""A schedule's step as the kernels of every engine read it."""

from __future__ import annotations

from pokerlab.compiled import kernel
from pokerlab.solvers.core.schedule import Step


@kernel(allocates=False)
def step_of(steps, k):
    """Row k of a table of steps [count, 6] float64, from Schedule.table."""
    return Step(steps[k, 0], steps[k, 1], steps[k, 2] != 0, steps[k, 3], steps[k, 4], steps[k, 5])
