"""What a solver of the bucketed form has learned: how much of the game it came to, its regret, what that is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.solvers.bucketed.playing import Side, head_to_head

HANDS = 100_000
AT_A_TIME = 1024  # buckets looked at
MOST_KEPT = 4e9  # bytes of averages that are kept to be played against


@dataclass(frozen=True)
class Learned:
    """The state of a solver, and what it wins from itself as it was when it was looked at before."""

    touched: float  # share of infosets that an average has come to
    regret: float | None  # the largest positive regret of an infoset, in chips an iteration, summed over infosets
    gain: float | None = None  # chips a hand
    half: float | None = None  # of its 95 % interval

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {"touched": self.touched, "regret": self.regret, "gain": self.gain, "interval": self.half}


class Watch:
    """Looks at a solver now and then."""

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        small = solver.form.small()  # so that nothing is compiled while the clock runs
        head_to_head(
            *(2 * [Side(small, np.zeros(small.numbers, solver.strategy_arrays()["average"].dtype))]), hands=2, seed=0
        )
        self.before: np.ndarray | None = None
        self.looks = 0

    def look(self) -> Learned:
        """What has been learned, and what it wins from what there was at the last look."""
        solver = self.solver
        average = solver.strategy_arrays()["average"]
        touched = visited_infosets(solver.form, average) / int(solver.form.infosets)
        gain = half = None
        if self.before is not None:
            sides = Side(solver.form, average), Side(solver.form, self.before)
            found = head_to_head(*sides, hands=HANDS, seed=self.looks)
            gain, half = found.mean, found.half
        self.looks += 1
        if average.nbytes <= MOST_KEPT:
            self.before = np.array(average)
        return Learned(touched, _regret(solver), gain, half)


def _regret(solver: Any) -> float | None:
    """The sum over infosets of their largest positive regret, in chips an iteration: it bounds what is left to gain.

    None where a solver keeps no regrets by bucket.
    """
    arrays = solver.arrays()
    if "unit" not in arrays:
        return None
    total = sum(float(np.maximum(part, 0).sum(dtype=np.float64)) for part in _largest(solver.form, arrays["regret"]))
    return total * float(arrays["unit"][0]) / max(int(solver.iterations), 1)


def visited_infosets(form: Any, average: np.ndarray) -> int:
    """How many infosets training has visited: those in which some action has been counted."""
    return sum(int(np.count_nonzero(part > 0)) for part in _largest(form, average))


def _largest(form: Any, numbers: np.ndarray) -> Iterator[np.ndarray]:
    """The largest number of each infoset, or zero where there is padding and that is larger.  # [bucket, slot]"""
    for turn, count in enumerate(form.buckets.counts):
        first = form.betting.slots(turn).first
        level = numbers[form.base[turn] : form.base[turn + 1]].reshape(count, -1)
        if not len(first):
            continue
        for start in range(0, count, AT_A_TIME):
            yield np.maximum.reduceat(level[start : start + AT_A_TIME], first, axis=1)
