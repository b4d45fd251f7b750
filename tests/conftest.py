"""Settings of all tests.

Random examples have no time limit of their own, since machines are shared and noisy, and are the same in every run of
the same tests, so that a change is judged by what it changes. `make test-slow` draws new ones (profile `explore`).

With `--sample` (`make test`), a test with several parameters is run on some combinations of their values (sampling.py).
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest
from hypothesis import settings

from command_line import CommandLine
from pokerlab.papers.result import PaperResult
from quick_papers import quick_run
from sampling import sample

SOURCE = Path(__file__).parents[1] / "src"

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", action="store_true", help="not every combination of parameters")
    parser.addoption("--rest", action="store_true", help="only the cases that --sample leaves out")


class OnlyExamples:
    """Modules without examples are not imported to look for some."""

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if collection_path.suffix != ".py" or SOURCE not in collection_path.parents:
            return None
        return True if b">>> " not in collection_path.read_bytes() else None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(OnlyExamples())  # of its own: files outside this folder do not ask conftest.py


def pytest_collection() -> None:
    """Until all tests are known, nothing that is made can be thrown away."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What was made for all tests is not looked through for garbage before the end, and the rest seldom.

    To compile kernels, which makes many small objects, takes a tenth less time with it.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    atexit.register(gc.unfreeze)


def pytest_sessionfinish() -> None:
    """Nor what tests made, when the process is about to end."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Answer Ctrl-C as in a terminal, also if started in the background or after a test that ignored it."""
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rest = config.getoption("--rest")
    if not rest and not config.getoption("--sample"):
        return
    sampled = {id(item) for item in sample(items)}
    chosen = [item for item in items if (id(item) in sampled) != rest]
    config.hook.pytest_deselected(items=[item for item in items if (id(item) in sampled) == rest])
    items[:] = chosen


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
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def quick_paper(shared_folder: Path) -> Callable[[str], tuple[PaperResult, list[float]]]:
    """A quick run of a paper by its name, and how far it said that it was; the same one for every test."""
    (shared_folder / "papers").mkdir(exist_ok=True)
    return cache(partial(quick_run, folder=shared_folder / "papers"))
