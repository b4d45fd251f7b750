"""Where independent work runs: one interface, with back ends by name.

`run(function, items)` yields results in the order of the items, whatever the back end, so a result never depends on how
it was computed. Kernels release the GIL, so threads suit compiled work; processes suit work in Python. Another package
can provide a back end, for example a cluster, by an entry point of the group `pokerlab.backends` (see `Backend`).

Processes are spawned on every system, whatever start method a script has set, and do not run the caller's script again:
it needs no `if __name__ == "__main__":` unless the work uses classes of that script. Work that cannot be sent to
another process, such as classes of an interactive session, runs in this one, and a Notice says so.

The back end `ray` (backends/ray.py) runs work on a cluster, and sends the user's files with it (job_files.py).
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
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from pokerlab import own_code, registry, specs
from pokerlab.errors import BadSetting, Notice, PokerlabError, WorkerLost, shortened
from pokerlab.events import SILENT, Cancelled, CancelToken, Watch

if TYPE_CHECKING:
    from pokerlab.store import Store

Item = TypeVar("Item")
Result = TypeVar("Result")
Value = TypeVar("Value")

MOST_PROCESSES = 61 if sys.platform == "win32" else 10_000  # Windows can wait for no more at a time
POLL_SECONDS = 0.2  # seconds between checks of the cancel token; on Windows, also the delay of Ctrl-C


def core_count() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


@runtime_checkable
class Backend(Protocol):
    """A back end: runs work somewhere.

    Work for other processes travels as a `WorkItem`: `pack(function, item)` here, `run_parcel(parcel)` there, which
    loads user code as needed.
    """

    def run(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        workers: int,
        cancel: CancelToken | None = None,
    ) -> Iterator[Result]:
        """Yield results in the order of the items as they become ready; items may be endless, so few are in flight.

        Raises Cancelled once `cancel` is set.
        """

    def store(self, folder: Path) -> Store:
        """A store that workers and the caller share; the caller's copy is in `folder`.

        It is sent to the workers with their work. Workers that see the caller's files use `FolderStore(folder)`.
        """


@runtime_checkable
class Elastic(Protocol):
    """A back end with workers of its own, which may come and go: unless limited, work uses all of them."""

    most_workers: int

    def connect(self) -> None:
        """Reach the machines; raises an error that says why it cannot."""

    def core_count(self) -> int:
        """How many cores the machines have now."""


class LocalBackend:
    """A back end on this machine, whose workers see the caller's files."""

    def __init__(self, run: Callable[..., Iterator[Any]]) -> None:
        self.run = run

    def store(self, folder: Path) -> Store:
        """See Backend."""
        from pokerlab.store import FolderStore

        return FolderStore(folder)


def open_backend(name: str) -> Backend:
    """The back end of this name: one of BACKENDS, of an installed package, or user code (`file.py:Class`)."""
    if name in BACKENDS:
        return BACKENDS[name]
    base, _ = specs.read(name)
    if not registry.is_own(base) and not registry.is_known("backends", base):
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
    """Yield the results of `function` over `items`, in the order of the items, as they become ready.

    At most twice as many items as workers are in flight, so `items` may be long or endless. Once `cancel` is set,
    Cancelled is raised: processes are terminated immediately, threads finish their current items.

    >>> list(run(abs, [-2, 1], backend="serial"))
    [2, 1]
    """
    if workers is not None and workers < 1:
        raise BadSetting(f"workers must be at least 1, not {workers}")
    return open_backend(backend).run(function, items, workers=worker_count(backend, workers), cancel=cancel)


def worker_count(backend: str, workers: int | None = None) -> int:
    """How many workers to use: those asked for, or all: the cores of this machine, or what the back end has."""
    if workers is not None or backend in BACKENDS:
        return workers or core_count()
    opened = open_backend(backend)
    return opened.most_workers if isinstance(opened, Elastic) else core_count()


_elsewhere: ContextVar[str] = ContextVar("_elsewhere", default="")


@contextmanager
def elsewhere(backend: str) -> Iterator[None]:
    """Inside the block, work that `spread` divides runs on this back end: that of papers and of abstractions."""
    before = _elsewhere.set(backend)
    try:
        yield
    finally:
        _elsewhere.reset(before)


def spread(
    function: Callable[[Item, Watch], Result],
    items: Iterable[Item],
    *,
    watch: Watch = SILENT,
    threads: int | None = None,
) -> Iterator[Result]:
    """Yield the results of `function(item, watch)` in order: in threads here, or on the back end of `elsewhere`.

    There, the function gets a silent Watch, and what is large in the items is Shared.

    >>> list(spread(lambda number, watch: number + 1, [1, 2]))
    [2, 3]
    """
    backend = _elsewhere.get()
    if not backend:
        return run(partial(_with_watch, function, watch), items, workers=threads, cancel=watch.cancel)
    return run(partial(_with_watch, function, SILENT), items, backend=backend, cancel=watch.cancel)


def _with_watch(function: Callable[[Item, Watch], Result], watch: Watch, item: Item) -> Result:
    return function(item, watch)


class Shared(Generic[Value]):
    """A large value that many pieces of work need: a cluster stores it once, and every machine fetches it once."""

    reference: Any = None  # where a back end has stored it

    def __init__(self, value: Value) -> None:
        self.value = value


def cores_of(backend: str) -> int:
    """How many cores a back end has now."""
    opened = open_backend(backend)
    return opened.core_count() if isinstance(opened, Elastic) else core_count()


def is_elastic(backend: str) -> bool:
    """Whether a back end has workers of its own."""
    return backend not in BACKENDS and isinstance(open_backend(backend), Elastic)


def check_usable(backend: str) -> None:
    """Raise an error, before any work, if a back end cannot be used."""
    if isinstance(opened := open_backend(backend), Elastic):
        opened.connect()


class ThreadTeam:
    """A persistent thread pool for short, repeated pieces of work; the caller is one of the threads.

    >>> done = []
    >>> ThreadTeam(3).run(done.append)
    >>> sorted(done)
    [0, 1, 2]
    """

    def __init__(self, members: int) -> None:
        self.members = members
        self._pool: ThreadPoolExecutor | None = None

    def run(self, function: Callable[[int], None]) -> None:
        """Call the function with each member's number, each in its own thread; return when all have finished."""
        if self.members > 1 and self._pool is None:
            self._pool = ThreadPoolExecutor(self.members - 1)
        started = [self._pool.submit(function, member) for member in range(1, self.members)] if self._pool else []
        try:
            function(0)
        finally:
            wait(started)
        for future in started:
            future.result()


# ---- back ends on this machine -------------------------------------------------------------------------------------


def _one_by_one(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int = 1, cancel: CancelToken | None = None
) -> Iterator[Result]:
    for item in items:
        if cancel is not None:
            cancel.raise_if_cancelled()
        yield function(item)


def _in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int, cancel: CancelToken | None = None
) -> Iterator[Result]:
    if workers == 1:
        return _one_by_one(function, items, cancel=cancel)
    return _pooled(function, items, pool=ThreadPoolExecutor(workers), workers=workers, cancel=cancel)


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
                yield _wait_for(pending.pop(0), cancel)
                pending.extend(pool.submit(function, item) for item in islice(remaining, 1))
        except Cancelled:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
            raise
        except BrokenProcessPool as problem:
            raise WorkerLost(
                "a worker process ended before its work was done: killed, or out of memory; try fewer workers"
            ) from problem
        finally:
            for future in pending:
                future.cancel()


def _wait_for(future: Future[Result], cancel: CancelToken | None) -> Result:
    while True:
        if cancel is not None:
            cancel.raise_if_cancelled()
        if wait([future], timeout=POLL_SECONDS).done:
            return future.result()


def _in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int, cancel: CancelToken | None = None
) -> Iterator[Result]:
    """Yield results of other processes, or of this one if the work cannot be sent."""
    remaining = iter(items)
    first = list(islice(remaining, 1))
    everything = chain(first, remaining)
    try:
        needs_main = bool(first) and _needs_main(pack(function, first[0]))
    except _CannotSend as problem:
        warnings.warn(f"everything runs in one process: {problem}", Notice, stacklevel=2)
        yield from _one_by_one(function, everything, cancel=cancel)
        return
    context = multiprocessing.get_context("spawn") if needs_main else _ScriptlessContext()
    workers, is_diverted = min(workers, MOST_PROCESSES), sys.stdout is not sys.__stdout__
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(is_diverted,))
    parcels = map(partial(pack, function), everything)
    yield from _pooled(run_parcel, parcels, pool=pool, workers=workers, cancel=cancel)


BACKENDS: Mapping[str, Backend] = {
    "serial": LocalBackend(_one_by_one),
    "threads": LocalBackend(_in_threads),
    "processes": LocalBackend(_in_processes),
}


class _CannotSend(PokerlabError):
    """Work that cannot be sent to another process, and why."""


class WorkItem(NamedTuple):
    """Work to be sent to another process."""

    contents: bytes
    files: tuple[str, ...]  # of user code that defines its contents


def pack(function: Callable[[Item], Result], item: Item) -> WorkItem:
    """Pack a function and its argument for another process; raises an error if they cannot be sent."""
    try:
        contents = pickle.dumps((function, item))
    except (pickle.PicklingError, AttributeError, TypeError) as problem:
        raise _CannotSend(str(problem)) from problem
    return WorkItem(contents, own_code.files_behind(contents))


def run_parcel(parcel: WorkItem) -> Any:
    """Run a parcel in the process that received it."""
    with own_code.ready(parcel.files):
        function, item = pickle.loads(parcel.contents)
    return function(item)


def _needs_main(parcel: WorkItem) -> bool:
    """Whether work uses definitions of the caller's script, which must then run again; _CannotSend if it cannot."""
    if b"__main__" not in parcel.contents:
        return False
    file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None or not Path(file).is_file():
        raise _CannotSend("the work uses definitions of this session; to use several processes, move them into a file")
    if "__main__" not in Path(file).read_text(encoding="utf-8", errors="replace"):
        raise _CannotSend(
            f"the work uses definitions of {file}; put the code that it runs under `if __name__ == '__main__':`"
        )
    return True


class _ScriptlessProcess(SpawnProcess):
    """A process that does not run the caller's script first."""

    def start(self) -> None:
        """Start as if the caller were an interactive session."""
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
    """Block Ctrl-C while processes start; they inherit the block until `_begin_worker` lifts it."""
    if sys.platform == "win32":  # no signal masks there; a process that is just starting may end with a traceback
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(is_diverted: bool) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a worker ends silently; its parent reports it
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if is_diverted:  # prints of a worker must not mix with the results of its parent
        sys.stdout = sys.stderr
    warnings.simplefilter("ignore", Notice)  # the parent process reports it
    _leave_with_parent()


def _leave_with_parent() -> None:
    """End this worker when its parent process is gone, even if that was killed."""
    import threading
    from multiprocessing import connection

    parent = multiprocessing.parent_process()

    def watch() -> None:
        assert parent is not None
        connection.wait([parent.sentinel])
        os._exit(1)

    if parent is not None:
        threading.Thread(target=watch, daemon=True).start()
