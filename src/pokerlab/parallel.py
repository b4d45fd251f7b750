"""One small interface over ways to run independent work: serial, threads, processes.

`run(function, items)` yields results in the order of the items, whatever the mode, so the answer never depends on
how it was computed. Kernels release the lock, so threads suit compiled work; processes suit work in Python.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from pokerlab.errors import BadSetting, Notice

Item = TypeVar("Item")
Result = TypeVar("Result")

MODES = ("serial", "threads", "processes")


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def run(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    mode: str = "threads",
    workers: int | None = None,
) -> Iterator[Result]:
    """Results of `function` over `items`, in the order of the items, as they become ready.

    At most twice as many items as workers are in flight, so `items` may be long or endless.

    >>> list(run(abs, [-2, 1], mode="serial"))
    [2, 1]
    """
    if mode not in MODES:
        raise BadSetting(f"cannot run in mode {mode!r}; choose one of {', '.join(MODES)}")
    if workers is not None and workers < 1:
        raise BadSetting(f"workers must be at least 1, not {workers}")
    count = workers or core_count()
    if mode == "serial" or (count == 1 and mode == "threads"):
        return map(function, items)
    return _pooled(function, items, mode=mode, workers=count)


class Team:
    """Threads that stay ready, for short pieces of work over and over; the caller is one of them.

    >>> done = []
    >>> Team(3).run(done.append)
    >>> sorted(done)
    [0, 1, 2]
    """

    def __init__(self, members: int) -> None:
        self.members = members
        self._pool: ThreadPoolExecutor | None = None

    def run(self, function: Callable[[int], None]) -> None:
        """Call the function with the number of each member, each in its thread; back when all are."""
        if self.members > 1 and self._pool is None:
            self._pool = ThreadPoolExecutor(self.members - 1)
        started = [self._pool.submit(function, member) for member in range(1, self.members)] if self._pool else []
        try:
            function(0)
        finally:
            wait(started)
        for future in started:
            future.result()


def _pooled(function: Callable[[Item], Result], items: Iterable[Item], *, mode: str, workers: int) -> Iterator[Result]:
    with _executor(mode, workers) as pool:
        remaining = iter(items)
        with _holding_interrupts():
            pending = [pool.submit(function, item) for item in islice(remaining, 2 * workers)]
        try:
            while pending:
                first = pending.pop(0)
                yield first.result()
                pending.extend(pool.submit(function, item) for item in islice(remaining, 1))
        finally:
            for future in pending:
                future.cancel()


def _executor(mode: str, workers: int) -> Executor:
    if mode == "threads":
        return ThreadPoolExecutor(workers)
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=_begin_worker)


@contextmanager
def _holding_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started; they start so, and hear it when `_begin_worker` lets them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a worker ends without a word; its parent tells of it
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    warnings.simplefilter("ignore", Notice)  # the process that a person started tells it
    _leave_with_parent()


def _leave_with_parent() -> None:
    """End this worker when the process that started it is gone, even if that was killed without warning."""
    import threading
    from multiprocessing import connection

    parent = multiprocessing.parent_process()

    def watch() -> None:
        assert parent is not None
        connection.wait([parent.sentinel])
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, daemon=True).start()
