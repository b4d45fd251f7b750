"""The lines of a text file of unknown encoding, and the pieces of it that each hold a hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pokerlab.reading import read_bytes

MOST_LINES = 2_000  # of one hand
LONGEST_LINE = 1_000  # characters; a longer one is cut, so that no pattern takes long to match
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")


class Line(NamedTuple):
    """A line of a file, without spaces around it."""

    number: int  # from 1
    text: str
    is_text: bool = True  # and of a length that a line may have


def read_lines(path: Path) -> list[Line]:
    """The lines of a file in UTF-8 or UTF-16 with a mark; a line that is not UTF-8 is read as Windows-1252."""
    contents = read_bytes(path)
    if contents[:2] in (b"\xff\xfe", b"\xfe\xff"):
        contents = contents.decode("utf-16", errors="replace").encode()
    rows = re.split(rb"\r\n|\n|\r", contents.removeprefix(b"\xef\xbb\xbf"))
    return [_line(number, row) for number, row in enumerate(rows, start=1)]


def _line(number: int, row: bytes) -> Line:
    try:
        text = row.decode("utf-8")
    except UnicodeDecodeError:
        text = row.decode("cp1252", errors="replace")
    text = text.replace("\u00a0", " ").replace("\u202f", " ").removeprefix("\ufeff").strip()
    sound = len(text) <= LONGEST_LINE and not _CONTROL.search(text) and "\ufffd" not in text
    return Line(number, text[:LONGEST_LINE], is_text=sound)


def pieces(lines: Sequence[Line], begins: re.Pattern[str]) -> Iterator[list[Line]]:
    """The lines of each hand; a first piece without a beginning holds what stands before the first hand."""
    piece: list[Line] = []
    for line in lines:
        if begins.match(line.text) and piece:
            yield piece
            piece = []
        if line.text:
            piece.append(line)
    if piece:
        yield piece
