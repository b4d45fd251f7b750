"""The run loop shared by all algorithms: stop, measure, report, checkpoint, resume.

A solver is anything that can advance by some iterations, measure itself, and put its whole state into arrays.
`advance(3)` followed by `advance(4)` must give exactly the state of `advance(7)`, so a run can be interrupted anywhere
and resumed to the same result. Measurements happen at fixed iterations, independent of the clock, so the iteration at
which a run with a target stops depends on the solver alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import numpy as np

from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.events import CancelToken, Event, OnProgress
from pokerlab.solvers.core.curve import Curve, CurvePoint
from pokerlab.tree.form import Form
from pokerlab.tree.measure import Measure

# Arrays that grow with the length of a run.
GROWING = ("history", "tried", "residuals", "hall0", "hall1", "pool0", "pool1", "basis0", "basis1")
COUNTS = ("counts", "iterations")
MOST_ITERATIONS = 2**62
_PART = 2**22  # entries


class Runnable(Protocol):
    """What the run loop needs from a solver; an optional attribute `finished` says that nothing is left to do."""

    @property
    def nodes_touched(self) -> int:
        """The number of histories, or games, visited so far; 0 if not counted."""

    @property
    def iterations(self) -> int:
        """The number of iterations done so far."""

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""

    def measure(self) -> Measure:
        """Measure the current solution; changes nothing."""


class Solver(Runnable, Protocol):
    """An algorithm running on a form."""

    @property
    def form(self) -> Form:
        """The form being solved."""

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The current strategies, in the form's own arrays, valid until `advance`; strategy/ adds the names."""

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state, for a checkpoint. Large arrays are the solver's own: copy what must outlast `advance`."""

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""


@runtime_checkable
class HasDeadline(Protocol):
    """A solver whose iterations may take very long: it gives up the current one at its deadline."""

    deadline: float  # in seconds of time.perf_counter


@runtime_checkable
class ComputesTogether(Protocol):
    """A solver that computes some iterations at once: fewer of them take as long."""

    @property
    def together(self) -> int:
        """How many the next ones are."""


def restore(solver: Solver, arrays: Mapping[str, np.ndarray]) -> None:
    """Load a saved state into a solver; BadFile if it is not a state of this solver on this game.

    Kernels trust the state, so its arrays must have the same lengths and types as this solver's own, and be finite.
    """
    for name, own in solver.arrays().items():
        saved = arrays.get(name)
        first = 1 if name in GROWING else 0  # the dimension that may differ
        layout = own.dtype, own.ndim, own.shape[first:]
        if saved is None or (saved.dtype, saved.ndim, saved.shape[first:]) != layout:
            raise BadFile(f"this state belongs to another game, algorithm or storage: its {name!r} does not fit")
        if name in COUNTS and not ((saved >= 0) & (saved < MOST_ITERATIONS)).all():
            raise BadFile(f"this state is damaged: its {name!r} are invalid counts")
    check_finite(arrays)
    try:
        solver.restore(arrays)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as problem:
        if isinstance(problem, PokerlabError):
            raise
        raise BadFile(f"this state is damaged: {problem}") from problem
    if not 0 <= solver.iterations < MOST_ITERATIONS:
        raise BadFile(f"this state is damaged: {solver.iterations:.3g} is an invalid count of iterations")


def check_finite(arrays: Mapping[str, np.ndarray]) -> None:
    """Raise BadFile if an array of a saved state is not finite. Checks a part at a time: the arrays may be large."""
    for name, array in arrays.items():
        flat = array.reshape(-1)
        if array.dtype.kind == "f" and not all(
            np.isfinite(flat[start : start + _PART]).all() for start in range(0, len(flat), _PART)
        ):
            raise BadFile(f"this state is damaged: its {name[:40]!r} contains NaN or infinite numbers")


@dataclass(frozen=True)
class Stop:
    """When to stop: whichever limit is reached first. None means no limit."""

    iterations: int | None = None  # in total, including earlier runs of a resumed state
    seconds: float | None = None  # of this run
    target: float | None = None  # exploitability
    epsilon: float | None = None  # the largest gain of any player

    def __post_init__(self) -> None:
        limits = {name: limit for name, limit in vars(self).items() if limit is not None}
        if not limits:
            raise BadSetting("say when to stop: a number of iterations, seconds, or a target exploitability")
        for name, limit in limits.items():
            if not limit > 0:
                raise BadSetting(f"the {name} to stop at must be positive, not {limit}")

    def is_met(self, measure: Measure) -> bool:
        """Whether a measure is within the target."""
        exploitable = self.target is not None and measure.exploitability <= self.target
        return exploitable or (self.epsilon is not None and measure.epsilon <= self.epsilon)


@dataclass(frozen=True)
class Progress:
    """The progress of a run: the payload of its events. `measure` is the latest, taken at iteration `measured_at`."""

    iterations: int
    seconds: float
    measure: Measure | None
    measured_at: int
    fresh: bool  # whether this event brings a new measure
    nodes_touched: int = 0
    stop: Stop | None = None  # when the run will stop


@dataclass
class Run:
    """The result of a run: its last progress, why it stopped, and its measurements."""

    last: Progress
    stopped: str  # "target" | "solved" | "iterations" | "seconds" | "interrupted" | "running"
    curve: Curve = field(default_factory=list)


def next_measure(iterations: int, every: int | None) -> int:
    """The iteration of the first measurement after `iterations`: at fixed intervals, or 5 % apart starting at 1.

    The spacing does not depend on where a run was interrupted, so a resumed run measures at the same iterations.

    >>> [next_measure(iterations, None) for iterations in (0, 1, 40, 41, 1000)]
    [1, 2, 42, 42, 1012]
    """
    if every is not None:
        return (iterations // every + 1) * every
    due = 1
    while due <= iterations:
        due += max(1, due // 20)
    return due


def next_growing(iterations: int, first: int, growth: float = 2.0) -> int:
    """The same for solvers that are slow to measure: first at `first`, then each `growth` times as far as the last.

    >>> [next_growing(iterations, 1000) for iterations in (0, 999, 1000, 5000)]
    [1000, 1000, 2000, 8000]
    """
    due = first
    while due <= iterations:
        due = int(due * growth)
    return due


def _checked(measure: Measure, iterations: int) -> Measure:
    """The measure itself; PokerlabError if the solver's state has become NaN or infinite."""
    if measure.is_known and not math.isfinite(measure.nash_conv):
        raise PokerlabError(
            f"the solution became NaN after {iterations:,} iterations: payoffs or range weights span too many "
            "orders of magnitude for the floats it is stored in"
        )
    return measure


def run(
    solver: Runnable,
    stop: Stop,
    *,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    job: str = "solve",
    message: str = "",
    measure_every: int | None = None,
    first_measure: int | None = None,
    growth: float = 2.0,
    checkpoint: Callable[[Run], None] | None = None,
    checkpoint_seconds: float = 30.0,
    measure_solver: Callable[[], Measure] | None = None,
) -> Run:
    """Advance a solver until a stop limit is reached. Cancelling, or Ctrl-C, stops it between two iterations.

    Events carry this `job` and `message`, with a Progress as payload. `checkpoint` is called at intervals and at
    the end with the run so far; its measure is always of the solver's current state. A measure taken only for a
    checkpoint neither stops a run nor is added to its curve, since both happen at fixed iterations. `measure_solver`
    replaces the solver's own `measure`, where that may be unaffordable.
    """
    if measure_every is not None and measure_every < 1:
        raise BadSetting(f"measure_every must be at least 1, not {measure_every}")
    began = saved = time.perf_counter()
    curve: Curve = []
    measure, measured_at = None, -1
    take_measure = measure_solver or solver.measure

    def following() -> int:
        if first_measure is not None and measure_every is None:
            return next_growing(solver.iterations, first_measure, growth)
        return next_measure(solver.iterations, measure_every)

    due = following()
    chunk, stopped = 1, ""
    if isinstance(solver, HasDeadline):
        solver.deadline = math.inf if stop.seconds is None else began + stop.seconds

    def event(fresh: bool) -> Progress:
        touched = solver.nodes_touched
        seconds = time.perf_counter() - began
        progress = Progress(solver.iterations, seconds, measure, measured_at, fresh, touched, stop)
        if fresh and measure is not None and measure.is_known:
            gap, values = measure.exploitability, measure.values
            curve.append(CurvePoint(solver.iterations, progress.seconds, gap, touched, values))
        if on_progress:
            on_progress(Event(job, solver.iterations, stop.iterations, seconds, "iterations", message, progress))
        return progress

    with (cancel or CancelToken()).on_interrupt() as token:
        while not stopped:
            limit = due if stop.iterations is None else min(due, stop.iterations)
            before = time.perf_counter()
            together = solver.together if isinstance(solver, ComputesTogether) else 1
            count = max(0, min(-(-chunk // together) * together, limit - solver.iterations))
            if count:
                solver.advance(count)
            now = time.perf_counter()
            chunk = max(1, int(count * min(2.0, 0.1 / max(now - before, 1e-9)))) if count else 1
            ended = bool(getattr(solver, "finished", False))
            finished = ended or (stop.iterations is not None and solver.iterations >= stop.iterations)
            late = stop.seconds is not None and now - began >= stop.seconds
            cancelled = token.cancelled  # read once, so that an interrupted run is always measured
            fresh = solver.iterations >= due or finished or late or cancelled
            if fresh:
                measure, measured_at = _checked(take_measure(), solver.iterations), solver.iterations
                due = following()
            progress = event(fresh)
            if ended:
                stopped = "solved"
            elif fresh and measure and stop.is_met(measure):
                stopped = "target"
            elif finished:
                stopped = "iterations"
            elif cancelled:
                stopped = "interrupted"
            elif late:
                stopped = "seconds"
            if checkpoint and (stopped or time.perf_counter() - saved >= checkpoint_seconds):
                if measured_at != solver.iterations:
                    taken = _checked(take_measure(), solver.iterations)
                    progress = replace(progress, measure=taken, measured_at=solver.iterations)
                checkpoint(Run(progress, stopped or "running", list(curve)))
                saved = time.perf_counter()
    return Run(progress, stopped, curve)
