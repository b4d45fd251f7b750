"""Careful reading of files from others: what every reader of a format needs.

A file may be anything: missing, a folder, a pipe that nobody writes to, far too large, not text, nested until the stack
overflows, or full of numbers out of range. Each of these gives a clear error here, and the readers of formats receive
text of bounded size, or plain values of bounded depth.
"""

from __future__ import annotations

import json
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
from pokerlab.places import here

MOST_TEXT = 100_000_000  # bytes of a text file, unless its format allows less
DEEPEST = 32  # levels of lists and tables
LARGEST_WHOLE = 10**40  # absolute value of a whole number: far beyond any setting, and still a float
_PIPES = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")  # what a shell passes instead of a file
_STRINGS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|\'\'\'(?:[^\']|\'(?!\'\'))*+(?:\'\'\')?'
    r'|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|#[^\n]*',
    re.DOTALL,
)
_LONG_NAME = re.compile(rf"(?:\.[ \t]*[\w-]+[ \t]*){{{DEEPEST}}}")


@contextmanager
def opened(path: Path | str) -> Iterator[BinaryIO]:
    """Open a file for reading; BadFile if it is missing, not a regular file, or cannot be read."""
    shown = str(path)[:200]
    try:
        # without blocking: a pipe that nobody writes to would block forever
        descriptor = os.open(here(path), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            _check_regular(descriptor, shown)
            yield file
    except FileNotFoundError as problem:
        raise BadFile(f"cannot read {shown}: there is no such file") from problem
    except (OSError, ValueError) as problem:
        if isinstance(problem, PokerlabError):
            raise
        why = "it is a folder" if os.path.isdir(path) else getattr(problem, "strerror", None) or problem
        raise BadFile(f"cannot read {shown}: {why}") from problem


def read_bytes(path: Path | str, *, most: int = MOST_TEXT) -> bytes:
    """The contents of a file of at most `most` bytes."""
    with opened(path) as file:
        contents = file.read(most + 1)
    if len(contents) > most:
        raise BadFile(f"{str(path)[:200]} has more than {most:,} bytes, too many for a file of its kind")
    return contents


def _check_regular(descriptor: int, shown: str) -> None:
    """Raise BadFile for pipes and devices, except a pipe that the shell has opened for us."""
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
    """The text of a UTF-8 file, with or without a byte order mark; BadFile if it is not text."""
    try:
        return read_bytes(path, most=most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as problem:
        raise BadFile(f"{str(path)[:200]} is not a text file") from problem


def toml_table(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Parse a TOML text; BadSetting if it is invalid or nested too deeply."""
    if _LONG_NAME.search(_STRINGS.sub("x", text)):  # parsing such names takes quadratic time
        raise BadSetting(f"a name has more than {DEEPEST} parts")
    return dict(_parsed("TOML", lambda: tomllib.loads(text, parse_float=parse_float)))


def json_value(text: str | bytes) -> Any:
    """Parse a JSON text; BadSetting if it is invalid or nested too deeply."""
    return _parsed("JSON", lambda: json.loads(text))


def _parsed(form: str, parse: Callable[[], Any]) -> Any:
    try:
        return plain(parse())
    except PokerlabError:
        raise
    except RecursionError as problem:
        raise BadSetting(f"it is nested more than {DEEPEST} deep") from problem
    except (ValueError, ArithmeticError) as problem:
        raise BadSetting(f"not {form}: {str(problem)[:200]}") from problem


def plain(value: Any) -> Any:
    """Return the value; BadSetting if lists and tables are nested too deeply, numbers too long, or texts invalid."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        for element in level:
            _check_single(element)
        level = [inner for element in level for inner in _inside(element)]
        if not level:
            return value
    raise BadSetting(f"it is nested more than {DEEPEST} deep")


def finite(value: Any) -> float:
    """A finite number from a file; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise ValueError(f"{str(value)[:40]!r} is not a number")
    return float(value)


def count(value: Any, *, most: int = 2**62) -> int:
    """A count from a file, a whole number of at least zero; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(f"{str(value)[:40]!r} is not a count")
    return value


def text_of(value: Any) -> str:
    """A text from a file; ValueError for anything else."""
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
        raise BadSetting("a text contains half a character, a lone surrogate")  # which cannot be encoded
