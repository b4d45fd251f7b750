"""SQL from strangers: answered in a process of its own, with limits of time and memory, as texts."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pokerlab import parallel
from pokerlab.errors import BadSetting, PokerlabError, WorkerLost
from pokerlab.events import Cancelled, CancelToken
from pokerlab.match.hands.query import HandsFile

MOST_MEMORY = 3_000_000_000  # bytes of the process, with all that it maps
MOST_CELL = 200  # characters
GRACE_SECONDS = 15.0  # to start the process, beyond the time of the query


@dataclass(frozen=True)
class Question:
    """A query over one file of hands."""

    path: Path
    text: str
    most: int  # rows
    seconds: float


@dataclass(frozen=True)
class Reply:
    """The rows of a query as texts, without the file's folder; `more` says that there are further ones."""

    columns: tuple[str, ...]
    rows: list[list[str]]
    more: bool


def ask_apart(path: Path, text: str, *, most: int, seconds: float) -> Reply:
    """The answer to a query; BadSetting if it has none, takes too long, or needs too much memory."""
    cancel = CancelToken()
    limit = threading.Timer(seconds + GRACE_SECONDS, cancel.cancel)
    limit.start()
    try:
        work = (Question(path, text, most, seconds),)
        reply = next(parallel.run(_reply, work, backend="processes", workers=1, cancel=cancel))
    except Cancelled as problem:
        raise BadSetting(f"the query took longer than {seconds:g} s, and was stopped") from problem
    except WorkerLost as problem:
        raise BadSetting("the query needs too much memory") from problem
    except PokerlabError as problem:
        raise BadSetting(_hidden(str(problem), path)) from problem
    finally:
        limit.cancel()
    return reply


def _reply(question: Question) -> Reply:
    """Answer in this process of its own: memory is limited, and the progress of DuckDB is not shown."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    try:
        with HandsFile(question.path) as file:
            result = file.query(question.text, most=question.most, seconds=question.seconds)
    except MemoryError as problem:
        raise BadSetting("the query needs too much memory") from problem
    rows = [[_hidden(str(value)[:MOST_CELL], question.path) for value in row] for row in result.rows]
    return Reply(tuple(name[:MOST_CELL] for name in result.columns), rows, result.more)


def _hidden(text: str, path: Path) -> str:
    """A text without the folder of the file."""
    return text.replace(f"{path.parent}/", "").replace(str(path.parent), "")
