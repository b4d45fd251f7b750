"""Standard streams that can be used, whatever the system made of them.

A stream that is closed leads nowhere. Where a terminal, a pipe or a file has fewer letters than we write (cp1252 and
cp437 of Windows, ASCII), each that it lacks becomes the nearest that it has: ♠ an s, ± a +-, a bar of blocks one of
other marks. Rich draws its boxes in ASCII on such streams of its own accord.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

PLAINER = "pokerlab-plainer"  # the name under which Python knows how we replace letters
_NEAREST = {
    **dict(zip("♠♥♦♣", "shdc", strict=True)),
    **dict(zip("▁▂▃▄▅▆▇█", ".:-=+*%#", strict=True)),
    **dict(zip("▏▎▍▌▋▊▉", "...::==", strict=True)),
    **dict(zip("░▒▓", ".+*", strict=True)),
    **dict(zip("─━═│┃║", "---|||", strict=True)),
    **dict(zip("×·•–—−■●≈∼‘’“”ı", "x.*---#o~~''\"\"i", strict=True)),
    **dict(
        zip(("±", "…", "→", "←", "∞", "≤", "≥", "≠", "²", "ε"), "+- ... -> <- inf <= >= != ^2 e".split(), strict=True)
    ),
}


def open_streams() -> None:
    """Make standard input, output and error usable."""
    codecs.register_error(PLAINER, _plainer)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    elif isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAINER)


def plain(letter: str, encoding: str) -> str:
    """The nearest that an encoding has to a letter that it lacks.

    >>> [plain(letter, "ascii") for letter in "♠±é▅┌☃"]
    ['s', '+-', 'e', '+', '+', '?']
    >>> plain("…", "ascii"), plain("⅔", "cp1252"), plain("⅔", "ascii")
    ('...', '2/3', '2/3')
    """
    if letter in _NEAREST:
        return _NEAREST[letter]
    if "\u2500" <= letter <= "\u257f":  # corners and crossings of boxes
        return "+"
    if "\u2800" <= letter <= "\u28ff":  # dots of a spinner
        return "*"
    parts = unicodedata.normalize("NFKD", letter).replace("\u2044", "/")
    found = "".join(part for part in parts if not unicodedata.combining(part))
    try:
        found.encode(encoding)
    except UnicodeEncodeError:
        return "?"
    return found or "?"


def _plainer(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    letters = problem.object[problem.start : problem.end]
    return "".join(plain(letter, problem.encoding) for letter in letters), problem.end
