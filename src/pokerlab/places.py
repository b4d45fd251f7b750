"""Where a file is: on this machine, in a copy that came with work from another one, or in a place that machines share.

A shared place is a URL, such as s3://bucket/folder/my.solution, and is opened by fsspec: s3:// (with s3fs), gs://, az://
and others, each with its own package and its own way to find credentials. An object of such a store appears whole or
not at all, so a file is written here, and then stored under its name in one step; it is read from a temporary copy. A
folder that all machines see needs none of this.
"""

from __future__ import annotations

import atexit
import hashlib
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from pokerlab.errors import BadFile, BadSetting

# A Path that was made of a URL has lost a slash. A scheme has two letters at least: C:/ is a drive.
_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://([^/].*)", re.DOTALL)
_URL_AS_PATH = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+):[/\\]{1,2}([^/\\].*)", re.DOTALL)
_arrived: dict[str, str] = {}  # copies of files that came with work from another machine, by the names they have there


def here(path: Path | str) -> Path:
    """Where to read a file on this machine: itself, or a copy of it."""
    if _arrived and str(path) in _arrived:
        return Path(_arrived[str(path)])
    with suppress(FileNotFoundError):  # the error of opening it is better
        return fetched(path) if is_url(path) else Path(path)
    return Path(path)


def arrived(copies: Mapping[str, str]) -> None:
    """Note where the copies are of files that came with work from another machine."""
    _arrived.update(copies)


def is_url(path: Path | str) -> bool:
    """Whether a path is a URL.

    >>> is_url("s3://bucket/my.solution"), is_url(Path("s3://bucket/my.solution")), is_url("C:/my.solution")
    (True, True, False)
    """
    return _matched(path) is not None


def url_of(path: Path | str) -> str:
    """The URL that a path was made of.

    >>> url_of(Path("s3://bucket/my.solution"))
    's3://bucket/my.solution'
    """
    match = _matched(path)
    assert match is not None
    rest = match[2].replace("\\", "/") if isinstance(path, Path) else match[2]
    return f"{match[1]}://{rest}"


def _matched(path: Path | str) -> re.Match[str] | None:
    return (_URL_AS_PATH if isinstance(path, Path) else _URL).fullmatch(str(path))


def exists(path: Path) -> bool:
    """Whether there is a file of this name, here or in a shared place."""
    if not is_url(path):
        return path.exists()
    system, name = opened_url(path)
    return bool(_reached(path, lambda: system.exists(name)))


def size(path: Path) -> int | None:
    """The bytes of a file, here or in a shared place; None if there is none."""
    copy = here(path)
    return copy.stat().st_size if copy.is_file() else None


def remove(path: Path) -> None:
    """Remove a file, if there is one."""
    if not is_url(path):
        path.unlink(missing_ok=True)
    elif exists(path):
        system, name = opened_url(path)
        _reached(path, lambda: system.rm_file(name))


def fetched(path: Path | str) -> Path:
    """A copy of an object of a shared place as it is now; FileNotFoundError if there is none."""
    system, name = opened_url(path)
    facts = _reached(path, lambda: system.info(name))
    version = repr([facts.get(key) for key in ("size", "ETag", "etag", "LastModified", "created", "mtime")])
    copy = _copies() / hashlib.blake2b(f"{url_of(path)} {version}".encode(), digest_size=16).hexdigest()
    if not copy.is_file():
        part = copy.with_suffix(".part")
        _reached(path, lambda: system.get_file(name, str(part)))
        part.replace(copy)
    return copy


def publish(file: Path, path: Path | str) -> None:
    """Store a file in a shared place, in one step."""
    system, name = opened_url(path)
    _reached(path, lambda: system.put_file(str(file), name))


def opened_url(path: Path | str) -> tuple[Any, str]:
    """The file system of a URL, and the name of the object in it."""
    try:
        import fsspec
    except ImportError as problem:
        raise BadSetting(
            f"{url_of(path)} is in a shared place, which needs fsspec: pip install 'pokerlab[cluster]'"
        ) from problem
    try:
        system, name = fsspec.url_to_fs(url_of(path))
    except ImportError as problem:  # it names the package
        raise BadSetting(f"{url_of(path)} cannot be opened: {problem}") from problem
    except ValueError as problem:
        raise BadFile(f"{url_of(path)} cannot be opened: {problem}") from problem
    system.invalidate_cache()  # other machines write there, too
    return system, name


def _reached(path: Path | str, work: Any) -> Any:
    """What an operation on a shared place returns; BadFile if the place itself cannot be reached."""
    try:
        return work()
    except FileNotFoundError:
        raise
    except Exception as problem:  # of many libraries, not all of them an OSError
        why = str(problem).strip().splitlines()[0][:200] if str(problem).strip() else type(problem).__name__
        raise BadFile(f"{url_of(path)} cannot be reached: {why}") from problem


@cache
def _copies() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pokerlab-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
