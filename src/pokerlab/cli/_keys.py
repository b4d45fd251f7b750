"""Single key presses: by termios on POSIX, by msvcrt on Windows.

A key is a character, or a name: up, down, left, right, enter, backspace, escape, tab, clear, end (of the input).
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
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}  # last character of the escape sequence
WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}  # after a zero or \xe0
ESCAPE = "\x1b"
PATIENCE = 0.05  # seconds to wait for the rest of an arrow key after an escape

Keyboard = Callable[[], str]


def are_there() -> bool:
    """Whether single keys can be read and the prompt line redrawn."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return sys.platform == "win32" or os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Yield a function that waits for the next key; restores the terminal at the end."""
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
        text = ""
        while not text:
            ready = select.select([terminal, signals], [], [])[0]
            if signals in ready:
                os.read(signals, 4096)  # Ctrl-C is raised as KeyboardInterrupt here
            if terminal not in ready:
                continue
            data = os.read(terminal, 1)
            if not data:
                return ""
            text = decoder.decode(data)
        return text

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
    """Yield a file that becomes readable when a signal arrives.

    A signal interrupts a waiting read, but one that arrives just before the wait would go unnoticed until the next key.
    """
    import signal
    import socket

    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)  # required by set_wakeup_fd
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield reader.fileno()
        finally:
            signal.set_wakeup_fd(before)


def posix_key(letter: Callable[[], str], is_waiting: Callable[[], bool]) -> str:
    """The next key of a terminal that sends characters, "" at its end, and arrows as escape sequences."""
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
    """The next key of a Windows console, where arrows are two characters and Ctrl-C is one."""
    first = letter()
    if first in ("\x00", "\xe0"):
        return WINDOWS_ARROWS.get(letter(), "escape")
    if first == "\x03":
        raise KeyboardInterrupt
    return "escape" if first == ESCAPE else CONTROLS.get(first, first)
