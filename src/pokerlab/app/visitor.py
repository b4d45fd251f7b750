"""A visitor: their jobs, and what they had open last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.queue import JobQueue
from pokerlab.lab.jobs.record import Job, JobShelf
from pokerlab.reading import json_value, read_bytes
from pokerlab.store import data_home
from pokerlab.writing import replacing

MOST_MEMORY = 200_000  # bytes of what is remembered


@dataclass(frozen=True)
class Visitor:
    """Who looks at a page."""

    name: str
    queue: JobQueue

    @property
    def folder(self) -> Path:
        """The folder of this visitor alone."""
        return data_home() / "page" / self.name

    @cached_property
    def shelf(self) -> JobShelf:
        """The visitor's jobs."""
        return JobShelf(self.folder / "jobs")

    def jobs(self) -> list[Job]:
        """The visitor's jobs, the newest first."""
        return self.queue.jobs(self.shelf)

    def submit(self, kind: str, title: str, settings: dict[str, Any]) -> Job:
        """Add a job to the queue."""
        return self.queue.submit(self.shelf, kind, title, settings)

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def remembered(self) -> dict[str, Any]:
        """Everything remembered for this visitor: forms as they were left, and the page opened last."""
        with suppress(PokerlabError, OSError):
            words = json_value(read_bytes(self._memory, most=MOST_MEMORY))
            if isinstance(words, dict):
                return words
        return {}

    def recall(self, name: str) -> dict[str, Any]:
        """What is remembered under a name."""
        words = self.remembered().get(name)
        return words if isinstance(words, dict) else {}

    def remember(self, name: str, words: Mapping[str, Any]) -> None:
        """Remember something under a name."""
        text = json.dumps(self.remembered() | {name: dict(words)})
        if len(text) > MOST_MEMORY:
            return
        with suppress(OSError):
            self._memory.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._memory, lasting=False) as temporary:
                temporary.write_text(text, encoding="utf-8")

    @property
    def _memory(self) -> Path:
        return self.folder / "memory.json"
