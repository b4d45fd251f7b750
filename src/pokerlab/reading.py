"""Files that other people made, read with care: one place for what every reader of a format needs.

A file may be anything: not there, a folder, a pipe that nobody writes to, a thousand times too large, no text, nested
until the program's stack is used up, or full of numbers that no computer holds. Each of these is a sentence here, and
what the readers of formats are given is text of a bounded size, or plain values of a bounded depth.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pokerlab.errors import BadFile, BadSetting, PokerlabError

MOST_TEXT = 100_000_000  # bytes of a text file, unless its format says less
DEEPEST = 32  # levels of lists and tables
LARGEST_WHOLE = 10**40  # of a whole number, either way: far beyond any setting, and still a float
_PIPES = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")  # what a shell gives in place of a file
_STRINGS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|\'\'\'(?:[^\']|\'(?!\'\'))*+(?:\'\'\')?'
    r'|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|#[^\n]*',
    re.DOTALL,
)
_LONG_NAME = re.compile(rf"(?:\.[ \t]*[\w-]+[ \t]*){{{DEEPEST}}}")


@contextmanager
def opened(path: Path | str) -> Iterator[BinaryIO]:
    """A file open for reading; BadFile where there is none, where it is no regular file, and where it fails."""
    shown = str(path)[:200]
    try:
        # without waiting: a pipe that nobody writes to would be waited for without end
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            _check_regular(descriptor, shown)
            yield file
    except FileNotFoundError as problem:
        raise BadFile(f"cannot read {shown}: there is no file of that name") from problem
    except (OSError, ValueError) as problem:
        if isinstance(problem, PokerlabError):
            raise
        why = "it is a folder" if os.path.isdir(path) else getattr(problem, "strerror", None) or problem
        raise BadFile(f"cannot read {shown}: {why}") from problem


def read_bytes(path: Path | str, *, most: int = MOST_TEXT) -> bytes:
    """What is in a file of at most so many bytes."""
    with opened(path) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise BadFile(f"{str(path)[:200]} has more than {most:,} bytes, too many for a file of its kind")
    return found


def _check_regular(descriptor: int, shown: str) -> None:
    """BadFile for pipes and devices; a pipe that the shell has opened for us is waited for."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return
    if sys.platform != "win32" and _PIPES.fullmatch(shown):
        os.set_blocking(descriptor, True)
        return
    kinds = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    what = next((word for is_kind, word in kinds if is_kind(mode)), "a device")
    raise BadFile(f"cannot read {shown}: it is {what}, and a file is needed here")


def read_text(path: Path | str, *, most: int = MOST_TEXT) -> str:
    """The text of a file in UTF-8, a mark of byte order or not before it; BadFile where it is none."""
    try:
        return read_bytes(path, most=most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as problem:
        raise BadFile(f"{str(path)[:200]} is not a text file") from problem


def toml_table(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The table that a TOML text sets out; BadSetting where it is none, or is nested without measure."""
    if _LONG_NAME.search(_STRINGS.sub("x", text)):  # such names take the parser a time that grows with their square
        raise BadSetting(f"a name of more than {DEEPEST} parts is not TOML for people")
    try:
        return dict(plain(tomllib.loads(text, parse_float=parse_float)))
    except PokerlabError:
        raise
    except RecursionError as problem:
        raise BadSetting(f"it is nested more than {DEEPEST} deep") from problem
    except (ValueError, ArithmeticError) as problem:
        raise BadSetting(f"not TOML: {str(problem)[:200]}") from problem


def json_value(text: str | bytes) -> Any:
    """The value of a JSON text; BadSetting where it is none, or is nested without measure."""
    try:
        return plain(json.loads(text))
    except PokerlabError:
        raise
    except RecursionError as problem:
        raise BadSetting(f"it is nested more than {DEEPEST} deep") from problem
    except ValueError as problem:
        raise BadSetting(f"not JSON: {str(problem)[:200]}") from problem


def plain(value: Any) -> Any:
    """The same value; BadSetting where lists and tables are nested too deep, numbers too long, texts no text."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        for one in level:
            _check_single(one)
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return value
    raise BadSetting(f"it is nested more than {DEEPEST} deep")


def finite(value: Any) -> float:
    """A finite number out of a file; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < math.inf:
        raise ValueError(f"{str(value)[:40]!r} is not a number")
    return float(value)


def count(value: Any, *, most: int = 2**62) -> int:
    """How often something was done, out of a file: a whole number from zero on; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(f"{str(value)[:40]!r} is not a count")
    return value


def text_of(value: Any) -> str:
    """A text out of a file; ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"{str(value)[:40]!r} is not a text")
    return value


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()


def _check_single(value: Any) -> None:
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        raise BadSetting("a whole number has more than 40 digits")
    if isinstance(value, str) and not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise BadSetting("a text holds half a letter")  # a lone surrogate, which cannot be written anywhere
