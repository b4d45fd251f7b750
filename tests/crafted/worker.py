"""A process that runs commands one after another, each within some seconds of work and all within a share of memory.

It reads one JSON object a line, {"arguments": [...], "seconds": 20, "folder": "..."}, runs the command line in this
process and answers with one line: {"kind": "result" | "sentence" | "traceback" | "hang", "text": "..."}. What the
command itself prints is dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import signal
import traceback
from typing import Any

MEMORY = 3 * 2**30  # bytes that a command may take beyond what the process has at the start


class Hang(BaseException):
    """Raised in the middle of a command that works too long."""


def _alarm(*_: object) -> None:
    raise Hang


def answer(app: Any, arguments: list[str]) -> tuple[str, str]:
    """What a command comes to."""
    from pokerlab.errors import PokerlabError

    try:
        code = app(arguments, standalone_mode=False)
    except PokerlabError as problem:
        return ("sentence" if str(problem).strip() else "traceback"), str(problem)
    except Hang:
        return "hang", "".join(traceback.format_exc(limit=-12))
    except (Exception, SystemExit) as problem:
        if hasattr(problem, "format_message"):
            return "sentence", problem.format_message()
        return "traceback", traceback.format_exc(limit=-8)[-3000:]
    return "result", str(code or 0)


def main() -> None:
    """Answer until the input ends."""
    channel = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    requests = os.fdopen(os.dup(0))
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    from pokerlab.cli._app import app

    signal.signal(signal.SIGPROF, _alarm)
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    for line in requests:
        wanted = json.loads(line)
        os.chdir(wanted["folder"])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                signal.setitimer(signal.ITIMER_PROF, wanted["seconds"])
                kind, text = answer(app, wanted["arguments"])
            except Hang:
                kind, text = "hang", "at the end of the command"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
        channel.write(json.dumps({"kind": kind, "text": text}) + "\n")
        channel.flush()


if __name__ == "__main__":
    main()
