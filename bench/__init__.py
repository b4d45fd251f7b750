"""Timings against other programs, as ratios measured in one run. `make bench`, or `python -m bench strength solve`.

A file `bench/bench_NAME.py` defines `measure()`, which yields rows. Machines are shared and noisy, so contenders are
interleaved and the median of repeats is taken; a ratio above one means that we are faster. `QUICK` has its constants in
the quick form (`python -m bench --quick NAME`), which shows that it runs, and whose ratios mean nothing.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, ours and theirs in the same unit, and the ratio asked for."""

    what: str
    ours: float
    theirs: float | None = None
    peer: str = ""
    unit: str = "/s"
    asked: float | None = None  # the least ratio we promise
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times faster we are (for rates; for seconds, theirs over ours)."""
        if self.theirs is None:
            return None
        return self.theirs / self.ours if self.unit == "s" else self.ours / self.theirs

    @property
    def reached(self) -> bool:
        """Whether the ratio asked for is there; without the peer it is not."""
        return self.asked is None or (self.ratio is not None and self.ratio >= self.asked)


def seconds(function: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of one call: of the wall, or by another clock (time.process_time counts this process alone)."""
    began = clock()
    function()
    return clock() - began


def interleaved(
    contenders: dict[str, Callable[[], object]],
    *,
    repeats: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median seconds of each contender, measured in turn, after one unmeasured call of each."""
    for function in contenders.values():
        function()
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, function in contenders.items():
            times[name].append(seconds(function, clock))
    return {name: statistics.median(values) for name, values in times.items()}


@contextmanager
def quick_form(bench: ModuleType) -> Iterator[None]:
    """Within it a bench has the constants of its QUICK, and contenders run once."""
    changed: dict[str, Any] = dict(bench.QUICK)
    if hasattr(bench, "interleaved"):
        changed["interleaved"] = once
    before = {name: getattr(bench, name) for name in changed}
    try:
        for name, value in changed.items():
            setattr(bench, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(bench, name, value)


def once(contenders: dict[str, Callable[[], object]], **_: Any) -> dict[str, float]:
    """Seconds of one call of each contender; not a number for a program that is not installed."""
    times = {}
    for name, function in contenders.items():
        try:
            times[name] = max(seconds(function), 1e-9)
        except ModuleNotFoundError:
            times[name] = math.nan
    return times
