"""The house and its visitors: jobs, what is open, what a visitor had open last, and a fair share of the threads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.queue import JobQueue
from pokerlab.lab.jobs.record import Job, JobShelf
from pokerlab.lab.play.live_table import LiveTables
from pokerlab.lab.spots.study import OpenSolutions
from pokerlab.reading import json_value, read_bytes
from pokerlab.store import data_home
from pokerlab.writing import replacing

MOST_MEMORY = 200_000  # bytes of what is remembered
THREADS, THREADS_OF_ONE = 12, 2
MOST_GATES = 5_000
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class House:
    """What all visitors share, without seeing what the others do with it."""

    queue: JobQueue
    solutions: OpenSolutions = field(default_factory=OpenSolutions)
    tables: LiveTables = field(default_factory=LiveTables)
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(THREADS, "page"))
    gates: dict[str, asyncio.Semaphore] = field(default_factory=dict)  # by visitor

    def gate(self, visitor: str) -> asyncio.Semaphore:
        """What limits the threads of a visitor."""
        if len(self.gates) > MOST_GATES:
            self.gates.clear()
        return self.gates.setdefault(visitor, asyncio.Semaphore(THREADS_OF_ONE))


@dataclass(frozen=True)
class Visitor:
    """Who looks at a page."""

    name: str
    house: House

    @property
    def queue(self) -> JobQueue:
        """The queue of jobs."""
        return self.house.queue

    async def compute(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Compute something in a thread, so that the page of nobody waits; a visitor has a few threads at a time."""
        async with self.house.gate(self.name):
            return await asyncio.get_running_loop().run_in_executor(
                self.house.threads, _contained, function, *arguments
            )

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

    def settings_of(self, job_id: str) -> Mapping[str, Any]:
        """The settings of one of the visitor's jobs; empty if there is no such job."""
        with suppress(PokerlabError):
            return self.shelf.get(job_id).settings
        return {}

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
                temporary.write_text(text, encoding="utf-8", newline="\n")

    def opened(self, address: str, title: str) -> None:
        """Note what was opened last, for the start page."""
        self.remember("last", {"address": address, "title": title})

    @property
    def _memory(self) -> Path:
        return self.folder / "memory.json"


def _contained(function: Callable[..., Result], *arguments: Any) -> Result:
    """The result of a function; what would end the server, such as an interrupt, becomes an error of this visitor."""
    try:
        return function(*arguments)
    except (KeyboardInterrupt, SystemExit, GeneratorExit) as problem:
        raise PokerlabError("this was interrupted") from problem
    except MemoryError as problem:
        raise PokerlabError("there was not enough memory: choose smaller settings") from problem
