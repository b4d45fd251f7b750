"""Progress and cancellation of long jobs: one `Event` type, and one token that any thread can set.

Every long job takes `on_progress`, which it calls with an `Event`, and `cancel`, a `CancelToken`. A cancelled job
returns its result so far, marked as interrupted, or saves what is finished and raises `Cancelled`. A job that saves can
be resumed. Parts of a job are given both as one `Watch`.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, eq=False)
class Event:
    """The progress of a job.

    >>> Event("match", 50, 200, unit="hands").share
    0.25
    """

    job: str  # "solve", "match"; the same for all events of a job
    done: float  # in `unit`
    total: float | None = None  # None: not known in advance
    seconds: float = 0.0  # since the job began
    unit: str = ""  # "iterations", "hands"; "" if `done` is a share of the work
    message: str = ""  # the current stage, in words
    payload: Any = None  # the latest result, such as the Progress of a run or the row of a board

    @property
    def share(self) -> float | None:
        """The share of the work that is done; None if the total is unknown."""
        return None if not self.total else min(1.0, self.done / self.total)


OnProgress = Callable[[Event], None]


class Cancelled(Exception):  # not a PokerlabError: handlers of bad boards and bad files must let it through
    """A job that was cancelled before it had a result to return."""


class CancelToken:
    """Set once, by any thread or by Ctrl-C, to cancel the jobs that were given it.

    >>> token = CancelToken()
    >>> token.cancel()
    >>> token.raise_if_cancelled()
    Traceback (most recent call last):
    ...
    pokerlab.events.Cancelled: cancelled
    """

    def __init__(self) -> None:
        self._flag = threading.Event()
        self._interrupted = False

    def cancel(self) -> None:
        """Ask the jobs to stop."""
        self._flag.set()

    @property
    def cancelled(self) -> bool:
        """Whether the jobs should stop."""
        return self._flag.is_set()

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled once the token is set."""
        if self.cancelled:
            raise Cancelled("cancelled")

    @contextmanager
    def on_interrupt(self, *, at_once: bool = False) -> Iterator[CancelToken]:
        """Let Ctrl-C set the token inside the block; a second one, or the first `at_once`, raises KeyboardInterrupt.

        An ignored SIGINT (a background job, nohup) stays ignored. Only the main thread receives signals; in others this
        does nothing.
        """
        ignored = signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None)
        if ignored or threading.current_thread() is not threading.main_thread():
            yield self
            return

        def note(number: int, frame: object) -> None:
            self.cancel()
            if at_once or self._interrupted:
                raise KeyboardInterrupt
            self._interrupted = True

        before = signal.signal(signal.SIGINT, note)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Watch:
    """Reports the progress of a job and stops it; passed to the parts of a job.

    >>> watch = Watch("bucket", lambda event: print(event.message, event.share))
    >>> watch.at("assigning", 1, 2)
    assigning 0.5
    >>> watch.within(0.5, 1.0).at("sorting", 0.5)
    sorting 0.75
    """

    job: str = ""
    on_progress: OnProgress | None = None
    cancel: CancelToken | None = None
    unit: str = ""
    began: float = field(default_factory=time.perf_counter)
    part: tuple[float, float] = (0.0, 1.0)  # of the whole job, if `done` is a share
    stage: str = ""  # prefix of every message

    def at(self, message: str, done: float, total: float | None = 1.0, *, payload: Any = None) -> None:
        """Report how far the job is; then raise Cancelled if it should stop."""
        if self.on_progress is not None:
            start, end = self.part
            if self.part != (0.0, 1.0) and total:
                done, total = min(end, start + (end - start) * min(1.0, done / total)), 1.0
            seconds, words = time.perf_counter() - self.began, ": ".join(filter(None, (self.stage, message)))
            self.on_progress(Event(self.job, done, total, seconds, self.unit, words, payload))
        self.check()

    def check(self) -> None:
        """Raise Cancelled if the job should stop."""
        if self.cancel is not None:
            self.cancel.raise_if_cancelled()

    @contextmanager
    def interruptible(self) -> Iterator[Watch]:
        """A Watch for a block in which Ctrl-C cancels the parts in other threads and raises KeyboardInterrupt."""
        with (self.cancel or CancelToken()).on_interrupt(at_once=True) as token:
            yield replace(self, cancel=token)

    def within(self, start: float, end: float, stage: str = "") -> Watch:
        """A Watch for a part of the job, from one share of the whole to another."""
        low, high = self.part
        part = low + (high - low) * start, low + (high - low) * end
        return replace(self, part=part, stage=stage or self.stage)


SILENT = Watch()
