"""A job and its folder: what was asked for, how far it is, and what came of it.

A folder holds `job.json`, the `progress.jsonl` of its events, and the files of its result. Everything is written
completely or not at all, so a folder is readable at any time, also after the machine lost power.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pokerlab.errors import BadFile, BadSetting, PokerlabError, shortened
from pokerlab.papers.result import plain
from pokerlab.reading import json_value, read_bytes
from pokerlab.writing import replacing

QUEUED, RUNNING, PAUSED, STOPPED = "queued", "running", "paused", "stopped"
INTERRUPTED, FINISHED, FAILED = "interrupted", "finished", "failed"
STATES = (QUEUED, RUNNING, PAUSED, STOPPED, INTERRUPTED, FINISHED, FAILED)
ACTIVE = (QUEUED, RUNNING)
RESUMABLE = (PAUSED, STOPPED, INTERRUPTED, FAILED)
RECORD, PROGRESS, CONTROL, RESULT = "job.json", "progress.jsonl", "control", "result.json"
MOST_RECORD = 5_000_000  # bytes
MOST_RESULT = 50_000_000  # bytes
MOST_PROGRESS = 20_000_000  # bytes
LATEST = 50_000  # bytes at the end of the progress, in which the latest event is
_ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Job:
    """A job: its kind and settings, its state, and a summary of its result."""

    id: str
    kind: str
    title: str
    settings: Mapping[str, Any]
    state: str = QUEUED
    created: float = 0.0  # seconds since 1970
    changed: float = 0.0  # when the state last changed
    problem: str = ""  # why it failed
    summary: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_active(self) -> bool:
        """Whether it runs or waits to run."""
        return self.state in ACTIVE

    @property
    def can_resume(self) -> bool:
        """Whether it can be continued, or started again."""
        return self.state in RESUMABLE


class JobFolder:
    """The folder of one job."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, name: str) -> Path:
        """A file of the result."""
        return self.path / name

    def save(self, job: Job) -> None:
        """Write the record."""
        self.path.mkdir(parents=True, exist_ok=True)
        _write(self.file(RECORD), asdict(job))

    def load(self) -> Job:
        """Read the record; BadFile if there is none, or it is damaged."""
        path = self.file(RECORD)
        try:
            words = json_value(read_bytes(path, most=MOST_RECORD))
            job = Job(**words)
        except (BadSetting, TypeError) as problem:
            raise BadFile(f"{path} is not the record of a job") from problem
        if not _ID.fullmatch(str(job.id)) or job.state not in STATES or not isinstance(job.settings, Mapping):
            raise BadFile(f"{path} is not the record of a job")
        return job

    # ---- control: a request to a running job -------------------------------------------------------------------

    def request(self, state: str) -> None:
        """Ask the running job to stop in this state, PAUSED or STOPPED."""
        self.file(CONTROL).write_text(state, encoding="utf-8", newline="\n")

    def requested(self) -> str:
        """The state that was asked for; empty if none."""
        with suppress(OSError):
            return self.file(CONTROL).read_text(encoding="utf-8")
        return ""

    def clear_request(self) -> None:
        """Forget what was asked for."""
        self.file(CONTROL).unlink(missing_ok=True)

    # ---- progress ------------------------------------------------------------------------------------------------

    def add_progress(self, line: Mapping[str, Any]) -> None:
        """Append an event."""
        with self.file(PROGRESS).open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(plain(line)) + "\n")

    def progress(self, start: int = 0) -> tuple[list[dict[str, Any]], int]:
        """The events from a byte on, and the byte to read from next time."""
        try:
            with self.file(PROGRESS).open("rb") as file:
                file.seek(start)
                text = file.read(MOST_PROGRESS)
        except OSError:
            return [], start
        end = text.rfind(b"\n") + 1
        lines = []
        for line in text[:end].splitlines():
            with suppress(PokerlabError):
                lines.append(json_value(line))
        return lines, start + end

    def latest(self) -> dict[str, Any]:
        """The latest event; empty if there is none."""
        try:
            with self.file(PROGRESS).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LATEST))
                text = file.read(LATEST)
        except OSError:
            return {}
        for line in reversed(text[: text.rfind(b"\n") + 1].splitlines()):
            with suppress(PokerlabError):
                return dict(json_value(line))
        return {}

    # ---- results -------------------------------------------------------------------------------------------------

    def save_result(self, result: Mapping[str, Any]) -> None:
        """Write the result as plain values."""
        _write(self.file(RESULT), plain(result))

    def result(self) -> dict[str, Any]:
        """The result as plain values; empty if there is none."""
        if not self.file(RESULT).exists():
            return {}
        return dict(json_value(read_bytes(self.file(RESULT), most=MOST_RESULT)))


class JobShelf:
    """The jobs of one owner, in one folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, kind: str, title: str, settings: Mapping[str, Any]) -> Job:
        """A new job, saved in its folder."""
        now = time.time()
        job = Job(secrets.token_hex(6), kind, shortened(title, 120), settings, created=now, changed=now)
        self.folder(job.id).save(job)
        return job

    def folder(self, job_id: str) -> JobFolder:
        """The folder of a job; BadSetting for anything that is not the id of a job."""
        if not _ID.fullmatch(job_id):
            raise BadSetting(f"{job_id[:20]!r} is not the number of a job")
        return JobFolder(self.path / job_id)

    def get(self, job_id: str) -> Job:
        """A job by its id; BadSetting if there is none."""
        folder = self.folder(job_id)
        if not folder.file(RECORD).is_file():
            raise BadSetting(f"there is no job {job_id}: it may have been deleted")
        return folder.load()

    def jobs(self) -> list[Job]:
        """All jobs, the newest first; damaged records are left out."""
        found = []
        for path in self.path.glob("*/" + RECORD):
            with suppress(PokerlabError, OSError):
                found.append(JobFolder(path.parent).load())
        return sorted(found, key=lambda job: -job.created)

    def update(self, job_id: str, **changes: Any) -> Job:
        """Change the record of a job."""
        job = replace(self.get(job_id), **changes, changed=time.time())
        self.folder(job_id).save(job)
        return job

    def delete(self, job_id: str) -> None:
        """Delete a job with everything in its folder; BadSetting while it is active."""
        if self.get(job_id).is_active:
            raise BadSetting("a job that runs or waits cannot be deleted: stop it first")
        shutil.rmtree(self.folder(job_id).path, ignore_errors=True)


def _write(path: Path, words: Mapping[str, Any]) -> None:
    with replacing(path, lasting=False) as temporary:
        temporary.write_text(json.dumps(words), encoding="utf-8", newline="\n")
