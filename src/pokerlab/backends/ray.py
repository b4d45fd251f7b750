"""Runs work on the machines of a Ray cluster; scheduling, retries, the object store and spilling are Ray's.

    ray                                     the cluster that this machine belongs to
    ray(address='10.0.0.1:6379')            that of another head; ray://10.0.0.1:10001 from outside the cluster
    ray(address=local)                      a new cluster of this machine alone
    ray(shared='s3://bucket/folder')        where workers write journals; by default they come back with results
    ray(cores=4, retries=10)                cores of a piece of work; how often one is repeated if its machine is lost

Nothing else imports Ray. A piece of work is a task that brings its files (job_files.py). Tasks outnumber the cores, so
that a machine that joins late finds work, and an autoscaler sees the demand. A machine with another version of pokerlab
is refused: its tasks go elsewhere, and a Notice says so.
"""

from __future__ import annotations

import io
import logging
import os
import pickle
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pokerlab import job_files
from pokerlab.errors import BadSetting, PokerlabError, WorkerLost
from pokerlab.events import CancelToken
from pokerlab.job_files import UserCode
from pokerlab.parallel import POLL_SECONDS, Shared
from pokerlab.settings import Text, checked, whole
from pokerlab.shared_store import shared_store
from pokerlab.store import FolderStore, LineJournal, Store, notify
from pokerlab.version import identity

EVERYTHING = 1_000_000  # workers: as many as there are
QUEUED_PER_CORE = 4  # tasks
LEAST_QUEUED = 64  # tasks: what an autoscaler sees as demand
CONNECT_SECONDS = 10.0
LONGEST_NAME = 4096  # letters of a text that may name a file
_NODE = "ray.io/node-id"  # the label of every machine


@checked
def backend(
    *,
    address: Text = "auto",
    cores: Annotated[int, whole(1, 1024)] = 1,
    retries: Annotated[int, whole(0, 1000)] = 10,
    shared: Text = "",
) -> RayBackend:
    """The machines of a Ray cluster."""
    return RayBackend(address, cores=cores, retries=retries, shared=shared)


class RayBackend:
    """See the module."""

    most_workers = EVERYTHING

    def __init__(self, address: str, *, cores: int, retries: int, shared: str) -> None:
        self.address, self.cores, self.retries, self.shared = address, cores, retries, shared

    def connect(self) -> None:
        """Connect to the cluster, once per process; a Notice shows where its dashboard is."""
        _connect(self.address)

    def core_count(self) -> int:
        """The cores of all machines, now."""
        import ray

        _connect(self.address)
        return int(ray.cluster_resources().get("CPU", 0))

    def store(self, folder: Path) -> Store:
        """A shared place, or a store whose journals come back with the results."""
        return shared_store(self.shared, folder.name) if self.shared else ReturnedStore(folder)

    def run(
        self,
        function: Callable[[Any], Any],
        items: Iterable[Any],
        *,
        workers: int,
        cancel: CancelToken | None = None,
    ) -> Iterator[Any]:
        """See parallel.Backend."""
        _connect(self.address)
        tasks = _Tasks(self, function)
        remaining, pending = iter(items), deque[_Task]()
        try:
            while True:
                while len(pending) < min(workers, tasks.queue_length()):
                    try:
                        pending.append(tasks.submit(tasks.pack(next(remaining))))
                    except StopIteration:
                        break
                if not pending:
                    return
                if tasks.is_ready(pending[0], cancel):
                    task = pending.popleft()
                    result = tasks.result(task)
                    if result is _REFUSED:
                        pending.appendleft(tasks.submit(task.work))
                    else:
                        yield result
        finally:
            tasks.stop(pending)


@dataclass
class _Task:
    """A submitted piece of work."""

    work: _Work
    reference: Any


@dataclass(frozen=True)
class _Work:
    """A piece of work, packed."""

    contents: bytes
    digest: str  # of its files
    references: list[Any]  # of its files, and of its shared values


_REFUSED = object()


class _Tasks:
    """The tasks of one run."""

    def __init__(self, place: RayBackend, function: Callable[[Any], Any]) -> None:
        import ray

        self._ray, self._place, self._function = ray, place, function
        self._code: UserCode | None = None
        self._files: dict[frozenset[str], tuple[str, Any]] = {}  # fingerprint and reference, by texts of the work
        self._references: dict[str, Any] = {}  # by fingerprint
        self._refused: set[str] = set()  # machines
        self._remote = ray.remote(_worker_function())
        name = getattr(function, "__name__", "work")
        self._options: dict[str, Any] = {"num_cpus": place.cores, "max_retries": place.retries, "name": name}

    def queue_length(self) -> int:
        """How many tasks are submitted at a time: more than there are cores."""
        cores = self._ray.cluster_resources().get("CPU", 0) / self._place.cores
        return max(LEAST_QUEUED, int(QUEUED_PER_CORE * cores))

    def pack(self, item: Any) -> _Work:
        """A piece of work: what it is, and the files that it needs."""
        target = io.BytesIO()
        pickler = _pickler()(target)
        try:
            pickler.dump((self._function, item))
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            raise BadSetting(f"this work cannot be sent to other machines: {problem}") from problem
        texts = frozenset(text for text in pickler.texts if "." in text or "/" in text or "\\" in text)
        if texts not in self._files:
            self._code = self._code or UserCode.loaded()
            files = job_files.find(texts, self._code)
            if files.digest not in self._references:
                self._references[files.digest] = self._ray.put(files)
            self._files[texts] = files.digest, self._references[files.digest]
        digest, files = self._files[texts]
        return _Work(target.getvalue(), digest, [files, *map(self._stored, pickler.shared)])

    def _stored(self, value: Shared[Any]) -> Any:
        """The reference of a shared value, which is stored once."""
        if value.reference is None:
            value.reference = self._ray.put(value.value)
        return value.reference

    def submit(self, work: _Work) -> _Task:
        """Give Ray a piece of work, for any machine that is not refused."""
        options = self._options
        if self._refused:
            options = options | {"label_selector": {_NODE: f"!in({','.join(sorted(self._refused))})"}}
        remote = self._remote.options(**options)
        return _Task(work, remote.remote(identity(), work.contents, work.digest, work.references))

    def is_ready(self, task: _Task, cancel: CancelToken | None) -> bool:
        """Wait a little for a task; Cancelled if the job should stop."""
        if cancel is not None:
            cancel.raise_if_cancelled()
        ready, _ = self._ray.wait([task.reference], timeout=POLL_SECONDS)
        return bool(ready)

    def result(self, task: _Task) -> Any:
        """The result of a finished task, with its journals written; or _REFUSED."""
        errors = self._ray.exceptions
        try:
            outcome = self._ray.get(task.reference)
        except errors.RayTaskError as problem:
            raise problem.cause from None
        except errors.RayError as problem:
            why = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
            raise WorkerLost(
                f"work was lost with its machine {self._place.retries + 1} times, and is not tried again: {why}"
            ) from problem
        if outcome[0] == "refused":
            self._refuse(*outcome[1:])
            return _REFUSED
        _, result, journals = outcome
        for (folder, name), lines in journals.items():
            FolderStore(Path(folder)).put(name, lines)
        return result

    def _refuse(self, node: str, host: str, version: str) -> None:
        """Give a machine no more work; an error if there is no other."""
        self._refused.add(node)
        sentence = (
            f"the machine {host} has {version}, and this one pokerlab {identity()}: it is refused, because results "
            "could differ; install the same version there"
        )
        others = [one for one in self._ray.nodes() if one["Alive"] and one["NodeID"] not in self._refused]
        if not any(one["Resources"].get("CPU", 0) for one in others):
            raise BadSetting(f"{sentence}; no other machine is left")
        notify(sentence)

    def stop(self, pending: Iterable[_Task]) -> None:
        """Stop what is not finished."""
        for task in pending:
            try:
                self._ray.cancel(task.reference, force=True)
            except (self._ray.exceptions.RayError, ValueError, ConnectionError):  # the cluster itself may be gone
                return


# ---- the connection --------------------------------------------------------------------------------------------------


def _connect(address: str) -> None:
    try:
        import ray
    except ImportError as problem:
        raise BadSetting(
            "work on a cluster needs Ray, which is not installed: pip install 'pokerlab[cluster]'"
        ) from problem
    if ray.is_initialized():
        return
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "namespace": "pokerlab"}
    if address == "local":  # a cluster of our own: nobody else reaches it, and it reports to nobody
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        quiet["_node_ip_address"] = "127.0.0.1"
    _check_listening(address)
    try:
        context = ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError, ray.exceptions.RayError) as problem:
        raise _unreachable(address, str(problem).strip().splitlines()[0]) from problem
    machines = sum(one["Alive"] for one in ray.nodes())
    cores = int(ray.cluster_resources().get("CPU", 0))
    link = getattr(context, "dashboard_url", "")
    notify(
        f"working on a Ray cluster of {machines} machine{'s' * (machines != 1)} with {cores} cores; "
        + (f"dashboard: http://{link}" if link else "its dashboard does not run (it needs ray[default] on the head)")
    )


def _unreachable(address: str, why: str) -> PokerlabError:
    where = "this machine belongs to no running Ray cluster" if address == "auto" else f"no Ray cluster at {address}"
    return BadSetting(
        f"{where} ({why}): start one with `ray start --head`, join it with `ray start --address HOST:6379`, or use "
        "--cluster local for this machine alone"
    )


def _check_listening(address: str) -> None:
    """Raise an error at once where nobody listens: Ray itself would try for minutes."""
    if address == "local":
        return
    found = os.environ.get("RAY_ADDRESS", "") if address == "auto" else address
    if not found:
        recorded = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray" / "ray_current_cluster"
        found = recorded.read_text(encoding="utf-8").strip() if recorded.is_file() else ""
        if not found:
            return  # Ray looks further, and fails at once
    place = urlsplit(found if "://" in found else f"//{found}")
    try:
        host, port = place.hostname, place.port or 10001
        socket.create_connection((host or "", port), timeout=CONNECT_SECONDS).close()
    except (OSError, ValueError) as problem:
        raise _unreachable(address, f"{found} does not answer: {problem}") from problem


# ---- on the machine of a worker --------------------------------------------------------------------------------------


def _worker_function() -> Callable[..., Any]:
    """The function of a task. It is sent by value, since a machine may have another pokerlab, or none."""

    def work(wanted: str, contents: bytes, digest: str, references: list[Any]) -> tuple[Any, ...]:
        import platform

        import ray

        try:
            import pokerlab.version as version

            own = version.identity() if hasattr(version, "identity") else version.__version__
        except ImportError:
            own = ""
        if own != wanted:
            node = ray.get_runtime_context().get_node_id()
            return "refused", node, platform.node(), f"pokerlab {own}" if own else "no pokerlab"
        from pokerlab.backends.ray import carry_out

        return carry_out(contents, digest, lambda number: ray.get(references[number]))

    return work


def carry_out(contents: bytes, digest: str, fetch: Callable[[int], Any]) -> tuple[Any, ...]:
    """Do a piece of work in this process: its result, and the journals that it wrote.

    `fetch` gets what is in the object store: the files as number 0, then shared values.
    """
    _prepare()
    if digest != _at_hand.get("digest"):
        job_files.install(fetch(0))
        _at_hand["digest"] = digest
    _returned.clear()
    unpickler = pickle.Unpickler(io.BytesIO(contents))
    unpickler.persistent_load = lambda number: Shared(fetch(number))  # type: ignore[method-assign]
    function, item = unpickler.load()
    result = function(item)
    return "done", result, {place: bytes(lines) for place, lines in _returned.items()}


@lru_cache(maxsize=1)
def _prepare() -> None:
    import warnings

    from pokerlab.errors import Notice

    warnings.simplefilter("ignore", Notice)  # the caller reports it


_at_hand: dict[str, str] = {}  # the fingerprint of the files that this process has
_returned: dict[tuple[str, str], bytearray] = {}  # the journals of the current piece of work, by folder and name


@lru_cache(maxsize=1)
def _pickler() -> Any:
    from ray.cloudpickle import CloudPickler

    class Pickler(CloudPickler):  # type: ignore[misc]
        """Sends definitions of scripts and sessions by value, and collects texts."""

        def __init__(self, file: io.BytesIO) -> None:
            super().__init__(file)
            self.texts: set[str] = set()
            self.shared: list[Shared[Any]] = []

        def persistent_id(self, thing: Any) -> int | None:
            """Collect a text, which is pickled as usual, or a shared value, whose number is pickled."""
            if type(thing) is str and len(thing) < LONGEST_NAME:
                self.texts.add(thing)
            if type(thing) is not Shared:
                return None
            if not any(thing is one for one in self.shared):
                self.shared.append(thing)
            return 1 + next(number for number, one in enumerate(self.shared) if one is thing)

    return Pickler


# ---- journals that come back with results ----------------------------------------------------------------------------


@dataclass(frozen=True)
class ReturnedStore(FolderStore):
    """The caller's folder; sent to a worker, a store whose journals come back with the result of the work."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _WorkerStore, (str(self.folder),)


@dataclass(frozen=True)
class _WorkerStore(Store):
    """What a worker writes, until its result takes it to the caller."""

    folder: str

    def put(self, name: str, contents: bytes) -> None:
        _returned[self.folder, name] = bytearray(contents)

    def get(self, name: str) -> bytes:
        return bytes(_returned[self.folder, name])

    def names(self) -> list[str]:
        return sorted(name for folder, name in _returned if folder == self.folder)

    def remove(self, name: str) -> None:
        _returned.pop((self.folder, name), None)

    def journal(self, name: str) -> _WorkerJournal:
        return _WorkerJournal(name, _returned.setdefault((self.folder, name), bytearray()))


@dataclass
class _WorkerJournal(LineJournal):
    name: str
    contents: bytearray
    lines: Sequence[bytes] = ()

    def append(self, line: bytes) -> None:
        self.contents += line

    def close(self) -> None:
        """Nothing is open."""
