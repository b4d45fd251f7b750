"""Where independent work runs: one interface, with back ends by name.

`run(function, items)` yields results in the order of the items, whatever the back end, so a result never depends on
how it was computed. Kernels release the lock, so threads suit compiled work; processes suit work in Python. Another
package can bring a back end, a cluster say, by an entry point of the group `pokerlab.backends` (see `Backend`).

Processes start anew (spawn) on every system, whatever start method a script has set, and do not run the caller's
script again: it needs no `if __name__ == "__main__":` unless the work is made of classes of that script. Work that
cannot go to another process, classes of an interactive session say, is done in this one, and a Notice says so.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from pokerlab import own_code, registry
from pokerlab.errors import BadSetting, Notice, PokerlabError, WorkerLost, shortened
from pokerlab.events import Cancelled, CancelToken

if TYPE_CHECKING:
    from pokerlab.store import Store

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_PROCESSES = 61 if sys.platform == "win32" else 10_000  # Windows waits for no more at a time
_LOOK_AGAIN = 0.2  # seconds between looks at the cancel token; on Windows Ctrl-C waits for it too


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


@runtime_checkable
class Backend(Protocol):
    """Somewhere that work can run.

    Work that leaves this process travels as a `Parcel`: `pack(function, item)` here, `run_parcel(parcel)` there, which
    brings a person's own code along.
    """

    def run(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        workers: int,
        cancel: CancelToken | None = None,
    ) -> Iterator[Result]:
        """Results in the order of the items, as they become ready; items may be endless, so few are in flight.

        Once `cancel` is set, Cancelled is raised.
        """
        ...

    def store(self, folder: Path) -> Store:
        """Where workers put what the caller finds again under the same name; the caller keeps such things in `folder`.

        It is sent to the workers with their work. Workers that see the caller's files use `FolderStore(folder)`.
        """
        ...


class _Local:
    """A back end on this machine, whose workers see the caller's files."""

    def store(self, folder: Path) -> Store:
        from pokerlab.store import FolderStore

        return FolderStore(folder)


class SerialBackend(_Local):
    """One item after another, in the caller's thread."""

    def run(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        workers: int,
        cancel: CancelToken | None = None,
    ) -> Iterator[Result]:
        """See Backend."""
        return _one_by_one(function, items, cancel)


class ThreadBackend(_Local):
    """Threads of this process."""

    def run(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        workers: int,
        cancel: CancelToken | None = None,
    ) -> Iterator[Result]:
        """See Backend."""
        if workers == 1:
            return _one_by_one(function, items, cancel)
        return _pooled(function, items, pool=ThreadPoolExecutor(workers), workers=workers, cancel=cancel)


class ProcessBackend(_Local):
    """Processes of this machine."""

    def run(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        workers: int,
        cancel: CancelToken | None = None,
    ) -> Iterator[Result]:
        """See Backend."""
        return _in_processes(function, items, workers=min(workers, MOST_PROCESSES), cancel=cancel)


BACKENDS: Mapping[str, Backend] = {
    "serial": SerialBackend(),
    "threads": ThreadBackend(),
    "processes": ProcessBackend(),
}


def open_backend(name: str) -> Backend:
    """The back end of this name: one of BACKENDS, of an installed package, or a person's own (`file.py:Class`)."""
    if name in BACKENDS:
        return BACKENDS[name]
    if not registry.is_own(name) and not registry.is_known("backends", name):
        known = [*BACKENDS, *(entry.name for entry in registry.available("backends"))]
        raise BadSetting(f"there is no back end called {shortened(name)!r}; choose one of {', '.join(known)}")
    backend: Backend = registry.load("backends", name, like=Backend)
    return backend


def run(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    backend: str = "threads",
    workers: int | None = None,
    cancel: CancelToken | None = None,
) -> Iterator[Result]:
    """Results of `function` over `items`, in the order of the items, as they become ready.

    At most twice as many items as workers are in flight, so `items` may be long or endless. Once `cancel` is set,
    Cancelled is raised: processes are ended at once, threads after the items that they are working on.

    >>> list(run(abs, [-2, 1], backend="serial"))
    [2, 1]
    """
    if workers is not None and workers < 1:
        raise BadSetting(f"workers must be at least 1, not {workers}")
    return open_backend(backend).run(function, items, workers=workers or core_count(), cancel=cancel)


def _one_by_one(
    function: Callable[[Item], Result], items: Iterable[Item], cancel: CancelToken | None
) -> Iterator[Result]:
    for item in items:
        if cancel is not None:
            cancel.raise_if_cancelled()
        yield function(item)


class ThreadTeam:
    """Threads that stay ready, for short pieces of work over and over; the caller is one of them.

    >>> done = []
    >>> ThreadTeam(3).run(done.append)
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


def _pooled(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    pool: Executor,
    workers: int,
    cancel: CancelToken | None,
) -> Iterator[Result]:
    with pool:
        remaining = iter(items)
        with _holding_interrupts():
            pending = [pool.submit(function, item) for item in islice(remaining, 2 * workers)]
        try:
            while pending:
                yield _awaited(pending.pop(0), cancel)
                pending.extend(pool.submit(function, item) for item in islice(remaining, 1))
        except Cancelled:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
            raise
        except BrokenProcessPool as problem:
            raise WorkerLost(
                "a process ended before its work was done: it was killed, or there was not enough memory for so many"
            ) from problem
        finally:
            for future in pending:
                future.cancel()


def _awaited(future: Future[Result], cancel: CancelToken | None) -> Result:
    while True:
        if cancel is not None:
            cancel.raise_if_cancelled()
        if wait([future], timeout=_LOOK_AGAIN).done:
            return future.result()


# ---- processes -----------------------------------------------------------------------------------------------------


def _in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int, cancel: CancelToken | None
) -> Iterator[Result]:
    """Results of other processes, or of this one where the work cannot leave it."""
    remaining = iter(items)
    first = list(islice(remaining, 1))
    everything = chain(first, remaining)
    try:
        needs_main = bool(first) and _needs_main(pack(function, first[0]))
    except _Stays as problem:
        warnings.warn(f"all is done in one process: {problem}", Notice, stacklevel=2)
        yield from _one_by_one(function, everything, cancel)
        return
    context = multiprocessing.get_context("spawn") if needs_main else _ScriptlessContext()
    is_diverted = sys.stdout is not sys.__stdout__
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(is_diverted,))
    parcels = map(partial(pack, function), everything)
    yield from _pooled(run_parcel, parcels, pool=pool, workers=workers, cancel=cancel)


class _Stays(PokerlabError):
    """Work that cannot go to another process, and why."""


class Parcel(NamedTuple):
    """Work on its way to another process."""

    contents: bytes
    files: tuple[str, ...]  # of a person's own code that defines what is in it


def pack(function: Callable[[Item], Result], item: Item) -> Parcel:
    """A function and what it is called with, for another process; an error where they cannot be sent."""
    try:
        contents = pickle.dumps((function, item))
    except (pickle.PicklingError, AttributeError, TypeError) as problem:
        raise _Stays(str(problem)) from problem
    return Parcel(contents, own_code.files_behind(contents))


def run_parcel(parcel: Parcel) -> Any:
    """The result of a parcel's work, in the process that received it."""
    with own_code.ready(parcel.files):
        function, item = pickle.loads(parcel.contents)
    return function(item)


def _needs_main(parcel: Parcel) -> bool:
    """Whether work is made of what the caller's script defines, which then is run again; _Stays where it cannot be."""
    if b"__main__" not in parcel.contents:
        return False
    file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None or not Path(file).is_file():
        raise _Stays("it uses what this session defines; put that into a file, to use several")
    if "__main__" not in Path(file).read_text(encoding="utf-8", errors="replace"):
        raise _Stays(f"it uses what {file} defines; put what that runs under `if __name__ == '__main__':`")
    return True


class _ScriptlessProcess(SpawnProcess):
    """A process that does not run the caller's script first."""

    def start(self) -> None:
        """Begin, as if the caller were an interactive session."""
        seen: dict[str, Any] = vars(sys.modules["__main__"])
        hidden: dict[str, Any] = {name: seen.pop(name) for name in ("__file__", "__spec__") if name in seen}
        seen["__spec__"] = None
        try:
            super().start()
        finally:
            seen.update(hidden)


class _ScriptlessContext(SpawnContext):
    Process = _ScriptlessProcess


@contextmanager
def _holding_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started; they start so, and hear it when `_begin_worker` lets them."""
    if sys.platform == "win32":  # it has no such thing; a process that is just starting may end with a traceback
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(is_diverted: bool) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a worker ends without a word; its parent tells of it
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if is_diverted:  # what is printed here must not come among the results of the process that started this one
        sys.stdout = sys.stderr
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
