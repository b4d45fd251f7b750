"""Tokens of Gambit's game files with their line numbers, for error messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from pokerlab.errors import BadFile, shortened

_TOKEN = re.compile(r'([\s,]+)|"(?:[^"\\]|\\.)*"|[{}]|[^\s,{}"]+|"')
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}/\d{1,40}|(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,3})?)", re.ASCII)
T = TypeVar("T")
LARGEST_TABLE = 2_000_000  # payoffs of a strategic game
LARGEST = 10**100  # number: sums and squares of payoffs still fit a float


def number(text: str) -> Fraction | None:
    """An exact number from "3", "-0.25", "1e-3" or "1/3"; None if the text is something else, or exceeds LARGEST.

    >>> number("1/3"), number("-.5"), number("x")
    (Fraction(1, 3), Fraction(-1, 2), None)
    """
    value = _exact(text)
    return value if value is not None and abs(value) <= LARGEST else None


def _exact(text: str) -> Fraction | None:
    if not _NUMBER.fullmatch(text) or text.partition("/")[2].strip("0") == "" != text.partition("/")[1]:
        return None
    return Fraction(text)


class Words:
    """The tokens of a file in order; every error names the file and the line."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self._words = ((match.start(), match.group()) for match in _TOKEN.finditer(text) if match.group(1) is None)
        self._here = self._last = 0  # offsets of the current word and of the one before
        self.word = ""  # the current word; empty at the end
        self.advance()

    def advance(self) -> str:
        """Return the current word and advance to the next."""
        taken, self._last = self.word, self._here
        self._here, self.word = next(self._words, (len(self.text), ""))
        if self.word == '"':
            raise self.complaint("a quotation mark that is never closed")
        return taken

    def complaint(self, problem: str, *, last: bool = False) -> BadFile:
        """An error at the current word, or at the last one consumed."""
        line = self.text.count("\n", 0, self._last if last else self._here) + 1
        return BadFile(f"{shortened(self.source)!r}, line {line}: {problem}")

    def found(self) -> str:
        """The current word, quoted for an error message."""
        return repr(shortened(self.word)) if self.word else "the end of the file"

    def at_string(self) -> bool:
        """Whether the current word is a quoted string."""
        return self.word.startswith('"')

    def expect(self, word: str, where: str) -> None:
        """Consume exactly this word."""
        if self.word != word:
            raise self.complaint(f"expected {word!r} {where}, found {self.found()}")
        self.advance()

    def string(self, what: str) -> str:
        """Consume a quoted string."""
        if not self.at_string():
            raise self.complaint(f"expected {what} in quotation marks, found {self.found()}")
        return re.sub(r"\\(.)", r"\1", self.advance()[1:-1])

    def strings(self, what: str) -> list[str]:
        """Consume a list of quoted strings in braces."""
        return self.braced(lambda: self.string(what), f"before {what}")

    def braced(self, read: Callable[[], T], where: str = "") -> list[T]:
        """Consume a list in braces, of which `read` consumes one item."""
        self.expect("{", where)
        items = []
        while self.word != "}":
            items.append(read())
        self.advance()
        return items

    def skip_string(self) -> None:
        """Consume a quoted string if there is one."""
        if self.at_string():
            self.advance()

    def expect_end(self, what: str) -> None:
        """Raise an error unless the file ends here."""
        if self.word:
            raise self.complaint(f"the {what} is complete, but the file continues with {self.found()}")

    def number(self, what: str) -> Fraction:
        """Consume a number."""
        value = _exact(self.word)
        if value is None:
            raise self.complaint(f"expected {what}, a number, found {self.found()}")
        if abs(value) > LARGEST:
            raise self.complaint(f"{what} is from -10^100 to 10^100, and {self.found()} is beyond")
        self.advance()
        return value

    def whole(self, what: str) -> int:
        """Consume a non-negative integer."""
        if not re.fullmatch(r"[0-9]{1,9}", self.word):
            raise self.complaint(f"expected {what}, a whole number, found {self.found()}")
        return int(self.advance())
