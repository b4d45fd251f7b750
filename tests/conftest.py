"""Settings of all tests.

Random examples have no time limit of their own, since machines are shared and noisy, and are the same in every run of
the same tests, so that a change is judged by what it changes. `make test-slow` draws new ones (profile `explore`).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from hypothesis import settings

from command_line import CommandLine
from pokerlab.papers.result import PaperResult
from quick_papers import quick_run

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("same")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Calls a command in this process."""
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder, where commands are called."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C answered as in a terminal, also where the tests were started with it ignored (in the background)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def quick_paper(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[PaperResult, list[float]]]:
    """A quick run of a paper by its name, and how far it said that it was; the same one for every test."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each of which has its own below one that they share
        folder = folder.parent
    (folder / "papers").mkdir(exist_ok=True)
    return cache(partial(quick_run, folder=folder / "papers"))
