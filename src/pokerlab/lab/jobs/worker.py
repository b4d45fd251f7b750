"""What a worker process does with a job: run it, write its events, and watch for requests to stop."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from pokerlab.errors import FAILURES, PokerlabError, printable, shortened
from pokerlab.events import Cancelled, CancelToken, Event
from pokerlab.lab.jobs.kinds import KINDS, Work
from pokerlab.lab.jobs.record import FAILED, FINISHED, STOPPED, JobFolder
from pokerlab.match.run.result import Standing
from pokerlab.solvers.core.run import Progress

EVERY, SELDOM = 0.15, 5.0  # seconds between events without a new measure: at first, and in the end
POLL_SECONDS = 0.2  # between looks at requests


def run_job(path: str, resumed: bool, backend: str = "") -> dict[str, Any]:
    """Run the job in a folder; the changes to its record."""
    folder = JobFolder(Path(path))
    job, token, done = folder.load(), CancelToken(), threading.Event()
    watcher = threading.Thread(target=_watch, args=(folder, token, done), daemon=True)
    watcher.start()
    try:
        writer = EventWriter(folder)
        work = Work(job.settings, folder, resumed, writer, token, backend)
        result = KINDS[job.kind].run(work)
        summary = result.get("summary", {})
        folder.save_result(result)
        ended = (folder.requested() or STOPPED) if token.cancelled else FINISHED
        return {"state": ended, "summary": summary, "problem": ""}
    except Cancelled:
        return {"state": folder.requested() or STOPPED, "problem": ""}
    except PokerlabError as problem:
        return {"state": FAILED, "problem": printable(str(problem))}
    except MemoryError:
        return {"state": FAILED, "problem": "there was not enough memory: choose smaller settings"}
    except FAILURES as problem:  # a defect of ours: the server and its other jobs continue
        return {"state": FAILED, "problem": f"{type(problem).__name__}: {shortened(printable(str(problem)), 300)}"}
    finally:
        done.set()


def _watch(folder: JobFolder, token: CancelToken, done: threading.Event) -> None:
    """Cancel the job when its folder says so."""
    while not done.wait(POLL_SECONDS):
        if folder.requested():
            token.cancel()
            return


class EventWriter:
    """Writes events as lines, at most a few each second."""

    def __init__(self, folder: JobFolder) -> None:
        self._folder, self._written, self._began = folder, 0.0, time.perf_counter()

    def __call__(self, event: Event) -> None:
        """Write an event, unless one without news came a moment ago."""
        progress = event.payload
        measured = isinstance(progress, Progress) and progress.fresh and progress.measure is not None
        rows = isinstance(progress, dict)
        now = time.perf_counter()
        is_last = event.total is not None and event.done >= event.total
        pause = min(SELDOM, EVERY * max(1.0, (now - self._began) / 60))  # a file of a day stays small
        if not measured and not rows and not is_last and now - self._written < pause:
            return
        self._written = now
        line: dict[str, Any] = {"done": event.done, "total": event.total, "seconds": event.seconds}
        line |= {"unit": event.unit, "message": event.message}
        if measured and progress.measure.is_known:
            line["point"] = [progress.iterations, progress.seconds, progress.measure.exploitability]
        if rows:
            line["row"] = progress
        if isinstance(progress, Standing):
            line["standing"] = progress.as_dict()
        self._folder.add_progress(line)
