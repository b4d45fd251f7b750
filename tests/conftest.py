"""Settings of all tests.

Random examples have no time limit of their own, since machines are shared and noisy, and are the same in every run of
the same tests, so that a change is judged by what it changes. `make test-slow` draws new ones (profile `explore`).

Tests of kernels come in two halves, by their names: `make test` runs one compiled for speed and the other with every
index checked, `make test-slow` all of them both ways, and so does `pytest` when it is told nothing.
"""

from __future__ import annotations

import os
import signal
import zlib
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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--half", type=int, choices=(0, 1), help="of the tests of kernels, by their names: 0 or 1")
    parser.addoption("--of", default="", help="where those tests lie: folders and files, separated by spaces")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    half = config.getoption("--half")
    if half is None:
        return
    kernels = tuple(config.getoption("--of").split())
    other = [item for item in items if item.nodeid.startswith(kernels) and _half_of(item) not in (half, None)]
    config.hook.pytest_deselected(items=other)
    left = set(map(id, other))
    items[:] = [item for item in items if id(item) not in left]


def _half_of(item: pytest.Item) -> int | None:
    """Which half a test is of; None for both, where it says so or asks whether indices are checked."""
    if item.get_closest_marker("both_halves") or item.get_closest_marker("skipif"):
        return None
    return zlib.crc32(item.nodeid.encode()) % 2


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
