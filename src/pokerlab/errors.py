"""The errors a user can cause, by name. Each message is a sentence that says what was wrong and what would be right.

`Notice` is not an error: it reports a problem that does not stop the work.
"""

from __future__ import annotations

import unicodedata

_PRINTED = {"\n", "\t"}
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # Unicode's control, format and unassigned characters

FAILURES = (Exception, SystemExit)  # what user code may raise; Ctrl-C is not caught


def printable(text: str) -> str:
    """Escape characters that would control a terminal or change the text direction.

    Newlines and tabs stay. Applied when text is printed, so that messages can quote names of any origin unchanged.

    >>> printable("\\x1b[31mred\\x07"), printable("caf\u00e9 \u2660")
    ('\\\\x1b[31mred\\\\x07', 'caf\u00e9 \u2660')
    """
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(letter: str) -> str:
    if letter in _PRINTED or unicodedata.category(letter) not in _UNSEEN:
        return letter
    return letter.encode("unicode_escape").decode("ascii")


def shortened(text: str, most: int = 60) -> str:
    """Cut a text to at most `most` characters, to quote it in a message.

    >>> shortened("short"), shortened("a text that goes on", 10)
    ('short', 'a text ...')
    """
    return text if len(text) <= most else text[: most - 3] + "..."


def quoted(value: object, most: int = 60) -> str:
    """The repr of a value that user code returned, cut to `most` characters; its type if it cannot be printed."""
    try:
        return shortened(repr(value), most)
    except Exception:  # of a user's class, or an integer of more digits than Python prints
        return f"a value of type {type(value).__name__}"


class PokerlabError(ValueError):
    """A request that cannot be fulfilled; the message says why and what would work."""


class BadCards(PokerlabError):
    """Card text or card numbers that are not cards of the deck, or the same card twice."""


class BadRange(PokerlabError):
    """Range text that cannot be read; `position` is where in `text` the mistake starts."""

    def __init__(self, message: str, *, text: str = "", position: int = 0) -> None:
        super().__init__(f"{message}\n{_pointing(text, position)}" if text else message)
        self.text = text
        self.position = position


def _pointing(text: str, position: int, *, around: int = 36) -> str:
    """The text near a position, and a caret under it."""
    start, end = max(0, position - around), min(len(text), position + around)
    shown = "".join(letter if letter.isprintable() else " " for letter in text[start:end])  # one column per character
    before, after = "..." if start else "", "..." if end < len(text) else ""
    return f"  {before}{shown}{after}\n  {' ' * (len(before) + position - start)}^"


class BadSetting(PokerlabError):
    """A setting outside its allowed values."""


class IllegalAction(PokerlabError):
    """An action that the rules do not allow in this state."""


class AgentFailed(PokerlabError):
    """An agent raised an error when it had to act; the message names the agent, the hand and the error."""


class UnknownName(PokerlabError):
    """A game, solver, agent or paper that does not exist; the message names the nearest that do."""


class BadFile(PokerlabError):
    """A file that is missing, damaged, or of the wrong kind."""


class TooLarge(PokerlabError):
    """Work that would not fit in memory or time; the message says how large it is and what would fit."""


class MissingExtra(PokerlabError):
    """An optional dependency that is not installed; the message says what to install."""


class WorkerLost(PokerlabError):
    """A worker process that ended unexpectedly; the message says what may have ended it."""


class BadGame(PokerlabError):
    """A game whose rules contradict themselves, or that an algorithm cannot solve; the message says where and why."""


class BadState(PokerlabError):
    """Text that is not a valid state of a game (its betting and cards)."""


class Notice(UserWarning):
    """A remark that does not stop the work; the command line prints it as one sentence on standard error."""


def check_textual(path: object) -> None:
    """Raise BadFile for a path that is not valid text (bytes outside this system's encoding): files must store it."""
    try:
        str(path).encode()
    except UnicodeEncodeError as problem:
        raise BadFile(
            f"the name {shortened(str(path))!r} is not text here: rename the file, or set PYTHONUTF8=1"
        ) from problem
