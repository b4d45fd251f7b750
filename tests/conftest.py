"""Settings of all tests.

Random examples have no time limit of their own, since machines are shared and noisy, and are the same in every run of
the same tests, so that a change is judged by what it changes. `make test-slow` draws new ones (profile `explore`).

Tests of kernels come in two halves, by their names: `make test` runs one compiled for speed and the other with every
index checked, `make test-slow` all of them both ways, and so does `pytest` without options.

A test marked `sampled` has many cases that run the same code. With `--sample` (`make test`), only some of them are run,
always the same ones: enough that every value of every parameter occurs, or as many as the marker says. `make test-slow`
runs all of them.
"""

from __future__ import annotations

import os
import signal
import zlib
from collections.abc import Callable
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
    parser.addoption("--sample", action="store_true", help="of tests marked `sampled`, run a sample of the cases")


def pytest_configure(config: pytest.Config) -> None:
    """Answer Ctrl-C as in a terminal, also where the tests were started with it ignored (in the background)."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    half, kernels = config.getoption("--half"), tuple(config.getoption("--of").split())
    dropped = _outside_samples(items) if config.getoption("--sample") else []
    if half is not None:
        dropped += [item for item in items if item.nodeid.startswith(kernels) and _half_of(item) not in (half, None)]
    ids = {id(item) for item in dropped}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in ids])
    items[:] = [item for item in items if id(item) not in ids]


def _outside_samples(items: list[pytest.Item]) -> list[pytest.Item]:
    """The cases of tests marked `sampled` that are not in their sample."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return [item for test in cases.values() for item in _outside_sample(test)]


def _outside_sample(cases: list[pytest.Item]) -> list[pytest.Item]:
    marker = cases[0].get_closest_marker("sampled")
    assert marker
    ordered = sorted(cases, key=_number)
    if marker.args:
        return ordered[marker.args[0] :]
    seen: set[tuple[str, object]] = set()
    outside = []
    for item in ordered:
        values = {*item.callspec.params.items()}  # type: ignore[attr-defined]
        if values <= seen:
            outside.append(item)
        seen |= values
    return outside


def _number(item: pytest.Item) -> int:
    """A number that depends on the name of a test alone."""
    return zlib.crc32(item.nodeid.encode())


def _half_of(item: pytest.Item) -> int | None:
    """Which half a test is of; None for both, where it says so or asks whether indices are checked."""
    if item.get_closest_marker("both_halves") or item.get_closest_marker("skipif"):
        return None
    return _number(item) % 2


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Calls a command in this process."""
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder, where commands are called."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def quick_paper(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[PaperResult, list[float]]]:
    """A quick run of a paper by its name, and how far it said that it was; the same one for every test."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each of which has its own below one that they share
        folder = folder.parent
    (folder / "papers").mkdir(exist_ok=True)
    return cache(partial(quick_run, folder=folder / "papers"))
