"""Keys as they are pressed: from a terminal of POSIX by termios, of Windows by msvcrt, chosen when it is read.

A key is a letter as it is, or a name: up, down, left, right, enter, backspace, escape, tab, clear, end (of the input).
"""

from __future__ import annotations

import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CONTROLS = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\t": "tab",
    "\x15": "clear",
    "\x04": "end",
    "\x1a": "end",
}
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}  # the last letter of what a terminal sends
WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}  # after a zero or \xe0
ESCAPE = "\x1b"
PATIENCE = 0.05  # seconds in which the rest of an arrow comes; escape itself comes alone

Keyboard = Callable[[], str]


def are_there() -> bool:
    """Whether keys can be read one at a time, and the line that they change be drawn again."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return sys.platform == "win32" or os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """A function that waits for the next key; the terminal is as before when the block ends."""
    if sys.platform == "win32":
        import msvcrt

        yield lambda: windows_key(msvcrt.getwch)
        return
    import select
    import termios
    import tty

    terminal = sys.stdin.fileno()
    decoder = getincrementaldecoder("utf-8")("replace")
    before = termios.tcgetattr(terminal)

    def letter(signals: int) -> str:
        found = ""
        while not found:
            ready = select.select([terminal, signals], [], [])[0]
            if signals in ready:
                os.read(signals, 4096)  # Ctrl-C is raised as KeyboardInterrupt here
            if terminal not in ready:
                continue
            data = os.read(terminal, 1)
            if not data:
                return ""
            found = decoder.decode(data)
        return found

    def is_waiting() -> bool:
        return bool(select.select([terminal], [], [], PATIENCE)[0])

    with _signals_as_input() as signals:
        try:
            tty.setcbreak(terminal)
            yield lambda: posix_key(lambda: letter(signals), is_waiting)
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def _signals_as_input() -> Iterator[int]:
    """A file that can be read as soon as a signal comes.

    A signal ends a read that waits. One that comes a moment before, after Python last looked for signals and before the
    system begins to wait, would be noticed at the next key only.
    """
    import signal
    import socket

    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)  # as Python asks of what its signals are written to
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield reader.fileno()
        finally:
            signal.set_wakeup_fd(before)


def posix_key(letter: Callable[[], str], is_waiting: Callable[[], bool]) -> str:
    """The next key of a terminal that sends letters, "" at its end, and arrows as sequences after an escape."""
    first = letter()
    if first == "":
        return "end"
    if first != ESCAPE:
        return CONTROLS.get(first, first)
    if not is_waiting():
        return "escape"
    opening = letter()
    if opening not in ("[", "O"):
        return "escape"
    while True:
        last = letter()
        if last == "":
            return "end"
        if not (last.isdecimal() or last in ";?<="):
            return ARROWS.get(last, "escape")


def windows_key(letter: Callable[[], str]) -> str:
    """The next key of a console whose arrows are two letters, and whose Ctrl-C is one."""
    first = letter()
    if first in ("\x00", "\xe0"):
        return WINDOWS_ARROWS.get(letter(), "escape")
    if first == "\x03":
        raise KeyboardInterrupt
    return "escape" if first == ESCAPE else CONTROLS.get(first, first)
