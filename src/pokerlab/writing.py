"""How every file is written: to a temporary file beside it that is flushed to disk, then renamed into place.
Objects of a shared place (places.py) are stored in one step.

A file is complete or absent, and the previous version stays until then, through a kill, a full disk or a power cut.
Temporary files name the process that writes them, so those of a killed run are removed by the next write to the same
folder.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pokerlab.errors import BadFile
from pokerlab.places import is_url, publish

LEFT_OVER_SECONDS = 600.0  # a file of an unknown process, untouched this long and not locked, is left over
_ENDING = ".part"
_RANDOM = r"[a-z0-9_]{8}"  # what tempfile puts into names
_WRITER = r"(?:(?P<process>\d+)-(?P<host>[0-9a-f]{8})\.)"
# Seconds between attempts to rename: Windows refuses while another program, such as a scanner, has the old file open.
_PAUSES = (0.01, 0.05, 0.2, 0.5) if sys.platform == "win32" else ()


@contextmanager
def replacing(path: Path | str, *, lasting: bool = True) -> Iterator[Path]:
    """A temporary path beside `path` to write to; renamed over it if the block succeeds, removed otherwise.

    BadFile says why a file cannot be written, whichever step fails. `lasting=False` does not wait for the disk: for
    files that are checked when opened and quickly recomputed after a power cut.
    """
    path = Path(path)
    if "\0" in str(path):
        raise BadFile(f"cannot write {str(path)[:200]!r}: names of files have no zero bytes")
    if is_url(path):
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder) / "part"
            publish(Path(folder) / "part", path)
        return
    try:
        with _through(path) if path.exists() and not path.is_file() else _beside(path, lasting) as temporary:
            yield temporary
    except OSError as problem:
        raise BadFile(f"cannot write {path}: {reason(problem)}") from problem


def reason(problem: OSError) -> str:
    """The system's reason for refusing, without a traceback."""
    return problem.strerror or str(problem) or type(problem).__name__


def sweep(folder: Path, name: str | None = None) -> None:
    """Remove temporary files that killed runs left in a folder.

    Those whose writer is unknown, or ran on another computer, are removed by age, and only if they belong to the file
    `name` or the whole folder is ours (no name).
    """
    of_name = re.escape(_opening(name)) if name is not None else r"\..*\."
    ours = re.compile(rf"\..*\.{_WRITER}{_RANDOM}{re.escape(_ENDING)}")
    by_age = re.compile(f"{of_name}{_WRITER}?{_RANDOM}{re.escape(_ENDING)}")
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            writer = ours.fullmatch(entry.name)
            process = int(writer["process"]) if writer is not None and writer["host"] == _host() else 0
            if not process and not by_age.fullmatch(entry.name):
                continue
            if entry.is_file(follow_symlinks=False) and _is_left_over(entry, process):
                with suppress(OSError):  # another process is writing to it
                    Path(entry.path).unlink(missing_ok=True)


@contextmanager
def _beside(path: Path, lasting: bool) -> Iterator[Path]:
    target = Path(os.path.realpath(path))  # a link stays a link; the file that it points to is replaced
    if target.parent.exists() and not target.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    target.parent.mkdir(parents=True, exist_ok=True)
    sweep(target.parent, target.name)
    handle, name = tempfile.mkstemp(
        prefix=f"{_opening(target.name)}{os.getpid()}-{_host()}.", suffix=_ENDING, dir=target.parent
    )
    temporary = Path(name)
    try:
        try:
            _claim(handle)
            yield temporary
        finally:
            os.close(handle)
        umask = os.umask(0)
        os.umask(umask)
        with suppress(OSError):  # not every file system has permissions
            temporary.chmod(0o666 & ~umask)
        if lasting:
            _put_on_disk(temporary)
        _rename(temporary, target)
        if lasting:
            with suppress(OSError):  # the name as well, if folders can be opened
                _put_on_disk(target.parent)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def _through(path: Path) -> Iterator[Path]:
    """Write into a device or a pipe once everything is ready; it cannot be renamed over."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder) / "part"  # on Windows a device name refers to the device in every folder
        yield temporary
        with temporary.open("rb") as source, path.open("wb") as sink:
            shutil.copyfileobj(source, sink)


def _rename(temporary: Path, target: Path) -> None:
    for pause in _PAUSES:
        try:
            temporary.replace(target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    temporary.replace(target)


def _opening(name: str) -> str:
    return f".{name[:60]}."  # within the limit on file names, in any script


def _host() -> str:
    """This computer, in a few letters: process numbers of others mean nothing here."""
    return hashlib.blake2b(platform.node().encode(), digest_size=4).hexdigest()


def _put_on_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as problem:
        if problem.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):  # file systems without fsync
            raise
    finally:
        os.close(handle)


def _claim(handle: int) -> None:
    """Lock a temporary file while it is written, so that no process takes it for left over."""
    if sys.platform != "win32":  # there an open file cannot be removed anyway
        import fcntl

        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_left_over(entry: os.DirEntry[str], process: int) -> bool:
    """Whether nobody writes to a temporary file; `process` is its writer if it runs here, else 0."""
    import psutil

    status = entry.stat(follow_symlinks=False)
    is_alive = psutil.pid_exists(process) if process else True
    if is_alive and time.time() - status.st_mtime < LEFT_OVER_SECONDS:
        return False
    if sys.platform == "win32":
        return True
    import fcntl

    if status.st_uid != os.geteuid():
        return False
    try:
        handle = os.open(entry.path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
