"""Standard streams that work on every system.

A closed stream is replaced by the null device. On a terminal, pipe or file with a small character set (cp1252 and
cp437 on Windows, ASCII), missing characters are replaced by the nearest ones: ♠ by s, ± by +-, block bars by other
marks. Rich draws its boxes in ASCII on such streams itself.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

PLAINER = "pokerlab-plainer"  # name of our codec error handler
_NEAREST = {
    **dict(zip("♠♥♦♣", "shdc", strict=True)),
    **dict(zip("▁▂▃▄▅▆▇█", ".:-=+*%#", strict=True)),
    **dict(zip("▏▎▍▌▋▊▉", "...::==", strict=True)),
    **dict(zip("░▒▓", ".+*", strict=True)),
    **dict(zip("─━═│┃║", "---|||", strict=True)),
    **dict(zip("×·•–—−■●≈∼‘’“”ıø", "x.*---#o~~''\"\"io", strict=True)),
    **dict(zip("±…→←∞≤≥≠²ε€", "+- ... -> <- inf <= >= != ^2 e EUR".split(), strict=True)),
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
    """The nearest character or text in an encoding that lacks a character.

    >>> [plain(letter, "ascii") for letter in "♠±é▅┌☃"]
    ['s', '+-', 'e', '+', '+', '?']
    >>> plain("…", "ascii"), plain("⅔", "cp1252"), plain("⅔", "ascii")
    ('...', '2/3', '2/3')
    """
    if letter in _NEAREST:
        return _NEAREST[letter]
    if "\u2500" <= letter <= "\u257f":  # box corners and crossings
        return "+"
    if "\u2800" <= letter <= "\u28ff":  # spinner dots
        return "*"
    parts = unicodedata.normalize("NFKD", letter).replace("\u2044", "/")
    text = "".join(part for part in parts if not unicodedata.combining(part))
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "?"
    return text or "?"


def _plainer(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    letters = problem.object[problem.start : problem.end]
    return "".join(plain(letter, problem.encoding) for letter in letters), problem.end
