"""Keys, as terminals of POSIX and of Windows send them."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from pokerlab.cli._keys import keyboard, posix_key, windows_key


def posix(sent: str) -> list[str]:
    """The keys that letters are, the end of the input last."""
    waiting = list(sent)

    def letter() -> str:
        return waiting.pop(0) if waiting else ""

    found = []
    while not found or found[-1] != "end":
        found.append(posix_key(letter, lambda: bool(waiting)))
    return found[:-1]


def test_posix_keys() -> None:
    arrows = ["up", "down", "right", "left"]
    assert posix("\x1b[A\x1b[B\x1b[C\x1b[D") == arrows
    assert posix("\x1bOA\x1bOB\x1bOC\x1bOD") == arrows  # of a keypad in application mode
    assert posix("\x1b[1;5A\x1b[3~\x1b[15~x") == ["up", "escape", "escape", "x"]  # with Ctrl; delete; F5
    assert posix("b\r\n\x7f\x08\t\x15") == ["b", "enter", "enter", "backspace", "backspace", "tab", "clear"]
    assert posix("é玩") == ["é", "玩"]
    assert posix("\x1b") == ["escape"]
    assert posix("q\x04x") == ["q"]  # Ctrl-D ends
    assert posix("\x1b[1") == []  # cut off


def test_windows_keys() -> None:
    sent = iter("\xe0H\x00P\xe0M\xe0K\xe0S\x08\ra\x1b")
    keys = [windows_key(lambda: next(sent)) for _ in range(9)]
    assert keys == ["up", "down", "right", "left", "escape", "backspace", "enter", "a", "escape"]
    with pytest.raises(KeyboardInterrupt):
        windows_key(lambda: "\x03")


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
def test_an_interrupt_that_does_not_end_a_read_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that comes a moment before the read begins; here, one that another thread receives."""
    control, end = os.openpty()
    ended, pressed = threading.Event(), threading.Event()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # of this thread, and of those that it starts

    def interrupting() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.kill(os.getpid(), signal.SIGINT)
        if not ended.wait(20):
            pressed.set()
            os.write(control, b"x")

    with open(end, encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        helper = threading.Timer(0.1, interrupting)
        try:
            with keyboard() as read:
                helper.start()
                with pytest.raises(KeyboardInterrupt):
                    read()
        finally:
            ended.set()
            helper.join()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            os.close(control)
    assert not pressed.is_set()
    assert signal.set_wakeup_fd(-1) == -1  # as before
