"""Training progress of a bucketed solver: the share of infosets visited, its regret, and its gain over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.solvers.bucketed.playing import Side, head_to_head

HANDS = 100_000
AT_A_TIME = 1024  # buckets per batch


@dataclass(frozen=True)
class Learned:
    """The state of a solver, and what it wins against its previous snapshot."""

    touched: float  # share of infosets visited by the average
    regret: float | None  # the largest positive regret of an infoset, in chips per iteration, summed over infosets
    gain: float | None = None  # chips per hand
    half: float | None = None  # half-width of its 95 % interval

    def as_dict(self) -> dict[str, Any]:
        """The values for JSON."""
        return {"touched": self.touched, "regret": self.regret, "gain": self.gain, "interval": self.half}


class Watch:
    """Looks at a solver from time to time; if it `compares`, it stores a copy of the averages as the next opponent."""

    def __init__(self, solver: Any, *, compares: bool = True) -> None:
        self.solver, self.compares = solver, compares
        small = solver.form.small()  # so that nothing is compiled while the clock runs
        side = Side(small, np.zeros(small.numbers, solver.strategy_arrays()["average"].dtype))
        head_to_head(side, side, hands=2, seed=0)
        self.before: np.ndarray | None = None
        self.looks = 0

    def look(self) -> Learned:
        """The progress so far, and the gain over the last snapshot."""
        solver = self.solver
        average = solver.strategy_arrays()["average"]
        touched = visited_infosets(solver.form, average) / int(solver.form.infosets)
        gain = half = None
        if self.before is not None:
            sides = Side(solver.form, average), Side(solver.form, self.before)
            won = head_to_head(*sides, hands=HANDS, seed=self.looks)
            gain, half = won.mean, won.half
        self.looks += 1
        if self.before is not None:
            np.copyto(self.before, average)  # in place: these may be gigabytes
        elif self.compares:
            self.before = np.array(average)
        return Learned(touched, _regret(solver), gain, half)


def _regret(solver: Any) -> float | None:
    """A bound on the remaining gain: the largest positive regrets of all infosets, summed, in chips per iteration.

    None if a solver stores no regrets by bucket.
    """
    arrays = solver.arrays()
    if "unit" not in arrays:
        return None
    total = sum(float(np.maximum(part, 0).sum(dtype=np.float64)) for part in _largest(solver.form, arrays["regret"]))
    return total * float(arrays["unit"][0]) / max(int(solver.iterations), 1)


def visited_infosets(form: Any, average: np.ndarray) -> int:
    """The number of infosets visited in training: those with a positive count."""
    return sum(int(np.count_nonzero(part > 0)) for part in _largest(form, average))


def _largest(form: Any, numbers: np.ndarray) -> Iterator[np.ndarray]:
    """The largest number of each infoset, or zero where there is padding and that is larger.  # [bucket, slot]"""
    for round, count in enumerate(form.buckets.counts):
        first = form.betting.slots(round).first
        level = numbers[form.base[round] : form.base[round + 1]].reshape(count, -1)
        if not len(first):
            continue
        for start in range(0, count, AT_A_TIME):
            yield np.maximum.reduceat(level[start : start + AT_A_TIME], first, axis=1)
