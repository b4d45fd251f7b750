"""The first run of a command: CPU seconds from an empty cache, and with everything compiled.

A first run compiles the kernels that the command needs and computes tables that later runs load. The peer is the limit
that we set ourselves: a ratio of 1 or more means that the command starts fast enough. CPU time counts, not the clock,
since a loaded machine compiles more slowly.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from bench import Row

FIRST = {  # CPU seconds from an empty cache
    "spot examples/river.toml": 10.0,
    "solve rhode-island --iterations 1": 12.0,
    "train leduc --iterations 200000": 15.0,
    "match formula rules --game holdem-limit --hands 20": 6.0,
    "pushfold --stack 10": 5.0,
}
LATER = {"equity AA KK": 0.6, "solve leduc": 0.9, "spot examples/river.toml": 0.9}  # with a warm cache
REPEATS = 5
QUICK = {"FIRST": {}, "LATER": {"equity AA KK": 0.6}, "REPEATS": 1}


def _seconds(command: str, home: str) -> float:
    return cpu_seconds([sys.executable, "-m", "pokerlab", *command.split()], home)


def cpu_seconds(command: list[str], home: str) -> float:
    """The CPU seconds of a program and its threads, with a cache of its own."""
    environment = os.environ | {"POKERLAB_HOME": home}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed packages have bytecode
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> Iterator[Row]:
    """First runs, each with a cache of its own; then repeated runs, of which the fastest counts."""
    for command, limit in FIRST.items():
        with tempfile.TemporaryDirectory() as home:
            yield Row(f"first: {command}", _seconds(command, home), limit, "our limit", "s", 1.0)
    with tempfile.TemporaryDirectory() as home:
        for command, limit in LATER.items():
            _seconds(command, home)
            fastest = min(_seconds(command, home) for _ in range(REPEATS))
            yield Row(f"again: {command}", fastest, limit, "our limit", "s", 1.0)
