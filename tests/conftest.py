"""Settings of all tests.

Random examples have no time limit of their own, since machines are shared and noisy, and are the same in every run of
the same tests, so that a change is judged by what it changes. `make test-slow` draws new ones (profile `explore`).
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import settings

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("same")


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    code: int
    out: str
    error: str


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Sequence[str]], Answer]:
    """Call a command in this process, on a terminal of 120 columns."""
    from pokerlab.cli import main

    def call(words: Sequence[str]) -> Answer:
        monkeypatch.setattr(sys, "argv", ["pokerlab", *words])
        monkeypatch.setenv("COLUMNS", "120")
        try:
            main()
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        return Answer(code, *capsys.readouterr())

    return call


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C answered as in a terminal, also where the tests were started with it ignored (in the background)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
