"""Runs commands in a worker process that is ended and replaced where it dies or does not answer."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

SECONDS = 30.0  # of work, for one command
WAIT = 4 * SECONDS  # for its answer: machines are shared, and a command may wait without working
SOURCE = Path(__file__).parents[2] / "src"


@dataclass(frozen=True)
class Answer:
    """What a command came to: a result, a sentence, or one of what must not be."""

    arguments: tuple[str, ...]
    kind: str  # "result", "sentence"; "traceback", "hang", "death"
    text: str
    seconds: float

    @property
    def good(self) -> bool:
        """Whether people can live with it."""
        return self.kind in ("result", "sentence")

    def __str__(self) -> str:
        return f"{self.kind} of `pokerlab {' '.join(self.arguments)}` after {self.seconds:.1f} s:\n{self.text}"


class Runner:
    """Commands one after another in a process of its own."""

    def __init__(self, folder: Path, *, seconds: float = SECONDS) -> None:
        self.folder, self.seconds = folder, seconds
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def run(self, *arguments: str) -> Answer:
        """What a command comes to."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        began = time.monotonic()
        wanted = {"arguments": arguments, "seconds": self.seconds, "folder": str(self.folder)}
        process.stdin.write(json.dumps(wanted) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], max(WAIT, 4 * self.seconds))
        line = process.stdout.readline() if ready else ""
        spent = time.monotonic() - began
        if not line:
            if ready:
                process.wait(10)
            self._end()
            ended = f"the process ended with {process.returncode}" if ready else "no answer at all"
            return Answer(arguments, "death" if ready else "hang", ended, spent)
        found = json.loads(line)
        if found["kind"] == "hang":
            self._end()
        return Answer(arguments, found["kind"], found["text"], spent)

    def _start(self) -> subprocess.Popen[str]:
        environment = os.environ | {"PYTHONPATH": str(SOURCE), "COLUMNS": "120"}
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
