"""A Linux that refuses what Windows refuses, as far as one process can tell: for tests of what is written where.

A file that is open or mapped is neither replaced nor removed; names of files have none of <>:"|?* and do not end in a
dot or a space; what only POSIX has is gone, and our modules see `sys.platform` as it is there (other people's do not:
it says which of their parts to import). Not simulated: the console, Ctrl-C, other programs that hold a file, drives.
"""

from __future__ import annotations

import builtins
import io
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil  # noqa: F401, before what it imports on Linux is gone
import pytest

from pokerlab import cli, parallel, reading, store, writing
from pokerlab.agents.library import remote
from pokerlab.cli import _keys
from pokerlab.lab.jobs import queue
from pokerlab.lab.play import queries
from pokerlab.match.table import clock
from pokerlab.tree import forecast

ASKING = (
    cli,
    _keys,
    parallel,
    reading,
    writing,
    remote,
    forecast,
    clock,
    queue,
    queries,
)  # modules that ask for the platform when they run
ONLY_POSIX = {
    os: ("fork", "forkpty", "geteuid", "getuid", "killpg", "mkfifo", "sched_getaffinity", "O_NOFOLLOW", "O_NONBLOCK"),
    signal: ("SIGKILL", "SIGHUP", "SIGALRM", "pthread_sigmask", "pthread_kill"),
}
FORBIDDEN = re.compile(r'[<>:"|?*\x01-\x1f]|[. ]$')


def in_use(path: str) -> bool:
    """Whether this process has a file open or mapped."""
    real = os.path.realpath(path)
    links = [Path(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    mapped = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    return any(link.is_symlink() and os.path.realpath(link) == real for link in links) or real in mapped


def check_name(path: object) -> None:
    """OSError for a name that Windows does not take."""
    name = os.path.basename(os.fsdecode(path)) if isinstance(path, (str, bytes, os.PathLike)) else ""
    if name not in ("", ".", "..") and FORBIDDEN.search(name):
        raise OSError(22, "The filename, directory name, or volume label syntax is incorrect", name)


class Sys:
    """The module `sys` of Windows."""

    def __getattr__(self, name: str) -> Any:
        return "win32" if name == "platform" else getattr(sys, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(sys, name, value)


def behave(patch: pytest.MonkeyPatch) -> None:
    """Make this process refuse what Windows refuses."""
    for where in ASKING:
        patch.setattr(where, "sys", Sys())
    patch.setattr(store, "MAPS_FILES", False)
    patch.setattr(parallel, "MOST_PROCESSES", 61)
    for module in ("fcntl", "resource", "termios", "pwd", "grp"):
        patch.setitem(sys.modules, module, None)
    for place, names in ONLY_POSIX.items():
        for name in names:
            patch.delattr(place, name, raising=False)
    for name in ("replace", "rename", "unlink", "remove"):
        patch.setattr(os, name, _careful(getattr(os, name)))
    for place, name in ((os, "open"), (os, "mkdir"), (io, "open"), (builtins, "open")):
        patch.setattr(place, name, _named(getattr(place, name)))


def _careful(act: Callable[..., Any]) -> Callable[..., Any]:
    def careful(*paths: Any, **options: Any) -> Any:
        for path in paths:
            if not options and os.path.isfile(path) and in_use(os.fspath(path)):
                raise PermissionError(
                    13, "The process cannot access the file because it is being used", os.fspath(path)
                )
        check_name(paths[-1])
        return act(*paths, **options)

    return careful


def _named(act: Callable[..., Any]) -> Callable[..., Any]:
    def named(path: Any, *more: Any, **options: Any) -> Any:
        check_name(path)
        return act(path, *more, **options)

    return named
