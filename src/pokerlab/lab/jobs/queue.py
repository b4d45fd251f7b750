"""The queue: jobs of many owners in worker processes, a few at a time, the owners in turn.

A job that was running when the process ended is interrupted: it is listed, and can be resumed.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab import parallel
from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.lab.jobs.kinds import KINDS
from pokerlab.lab.jobs.record import (
    ACTIVE,
    FAILED,
    INTERRUPTED,
    PAUSED,
    QUEUED,
    RUNNING,
    STOPPED,
    Job,
    JobShelf,
)
from pokerlab.lab.jobs.worker import run_job

MOST_WAITING = 20  # jobs of one owner
MOST_EXTRA = 3  # jobs beyond the slots, of owners who have none running: nobody's long job stops another's
NICE = 5  # lower priority of jobs
CLOSING_SECONDS = 10.0  # for running jobs to save what they have


@dataclass(frozen=True)
class QueuedJob:
    """A job in the queue."""

    shelf: JobShelf
    job_id: str
    resumed: bool


class JobQueue:
    """Runs jobs; `slots` of them at the same time, at most one of each owner while others wait.

    With a back end, each job divides its matches or boards among the workers there.

    A few owners who have no running job need not wait for the long jobs of others.
    """

    def __init__(self, *, slots: int = 1, backend: str = "") -> None:
        self.slots, self.backend = slots, backend
        self._lock = threading.RLock()
        self._waiting: deque[QueuedJob] = deque()
        self._running: dict[str, QueuedJob] = {}
        self._closing = False

    # ---- what owners do --------------------------------------------------------------------------------------------

    def submit(self, shelf: JobShelf, kind: str, title: str, settings: dict[str, Any]) -> Job:
        """Add a job; BadSetting for an unknown kind, and for too many waiting jobs."""
        if kind not in KINDS:
            raise BadSetting(f"there is no job of the kind {kind[:40]!r}")
        self._check_waiting(shelf)
        job = shelf.add(kind, title, settings)
        self._enqueue(QueuedJob(shelf, job.id, False))
        return job

    def resume(self, shelf: JobShelf, job_id: str, **changes: Any) -> Job:
        """Continue a job, possibly with changed settings, such as a lower target; others start again."""
        with self._lock:
            job = shelf.get(job_id)
            if job.state in ACTIVE:
                raise BadSetting("the job runs already")
            self._check_waiting(shelf)
            settings = {**job.settings, **changes}
            job = shelf.update(job_id, state=QUEUED, problem="", settings=settings)
            shelf.folder(job_id).clear_request()
            self._enqueue(QueuedJob(shelf, job_id, KINDS[job.kind].can_pause))
        return job

    def end(self, shelf: JobShelf, job_id: str, *, state: str = STOPPED) -> Job:
        """Stop a job, or pause it; what it has so far is saved."""
        if state not in (STOPPED, PAUSED):
            raise BadSetting(f"a job is stopped or paused, not {state[:40]!r}")
        with self._lock:
            job = shelf.get(job_id)
            if job.state == QUEUED:
                self._waiting = deque(one for one in self._waiting if one.job_id != job_id)
                return shelf.update(job_id, state=state)
            if job.state == RUNNING:
                shelf.folder(job_id).request(state)
        return job

    def jobs(self, shelf: JobShelf) -> list[Job]:
        """The jobs of an owner, the newest first; those that no process works on any more are marked as interrupted."""
        jobs = shelf.jobs()
        for number, job in enumerate(jobs):
            if job.is_active and not self._knows(job.id):
                with suppress(PokerlabError):
                    jobs[number] = shelf.update(job.id, state=INTERRUPTED)
        return jobs

    def close(self) -> None:
        """Ask the running jobs to save what they have, and wait for that a few seconds."""
        with self._lock:
            self._closing = True
            waiting, running = list(self._waiting), list(self._running.values())
            self._waiting.clear()
        for one in waiting:
            one.shelf.update(one.job_id, state=INTERRUPTED)
        for one in running:
            one.shelf.folder(one.job_id).request(INTERRUPTED)
        until = time.monotonic() + CLOSING_SECONDS
        while self._running and time.monotonic() < until:
            time.sleep(0.05)

    # ---- how jobs run ----------------------------------------------------------------------------------------------

    def _knows(self, job_id: str) -> bool:
        with self._lock:
            return job_id in self._running or any(one.job_id == job_id for one in self._waiting)

    def _check_waiting(self, shelf: JobShelf) -> None:
        with self._lock:
            own = sum(one.shelf.path == shelf.path for one in self._waiting)
        if own >= MOST_WAITING:
            raise BadSetting(f"{own} jobs are waiting already: let some finish, or stop them")

    def _enqueue(self, one: QueuedJob) -> None:
        with self._lock:
            self._waiting.append(one)
            self._start_more()

    def _start_more(self) -> None:
        """Start waiting jobs while there are slots; an owner with a running job lets others go first."""
        while self._waiting and self.slots and not self._closing:
            busy = {one.shelf.path for one in self._running.values()}
            chosen = next((one for one in self._waiting if one.shelf.path not in busy), self._waiting[0])
            extra = 0 if chosen.shelf.path in busy else MOST_EXTRA
            if len(self._running) >= self.slots + extra:
                return
            self._waiting.remove(chosen)
            self._running[chosen.job_id] = chosen
            threading.Thread(target=self._run, args=(chosen,), name=f"job {chosen.job_id}", daemon=True).start()

    def _run(self, one: QueuedJob) -> None:
        shelf, changes = one.shelf, {"state": FAILED, "problem": "the job could not be started"}
        try:
            shelf.folder(one.job_id).clear_request()
            shelf.update(one.job_id, state=RUNNING)
            work = ((str(shelf.folder(one.job_id).path), one.resumed, self.backend),)
            changes = next(parallel.run(_run_job, work, backend="processes", workers=1))
        except PokerlabError as problem:  # the process was killed, or ran out of memory
            changes = {"state": INTERRUPTED, "problem": str(problem)}
        except RuntimeError:  # this process ends
            changes = {"state": INTERRUPTED}
        finally:
            with self._lock:
                with suppress(PokerlabError, OSError):
                    shelf.update(one.job_id, **changes)
                    shelf.folder(one.job_id).clear_request()
                self._running.pop(one.job_id, None)
                self._start_more()


def _run_job(item: tuple[str, bool, str]) -> dict[str, Any]:
    """One item of work for a process, which lets the page go first."""
    if sys.platform != "win32":
        os.nice(NICE)
    return run_job(*item)


def slots_for(cores: int) -> int:
    """How many jobs run at the same time on this many cores, one of which answers requests."""
    return max(1, cores // 2)


def shelf_at(folder: Path) -> JobShelf:
    """The jobs in a folder."""
    return JobShelf(folder)
