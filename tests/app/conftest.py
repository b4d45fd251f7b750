"""A server of the page and a browser for the tests of this folder; skipped where there is no Chromium or Chrome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from page_server import QUIET, Server, Visit, browser_path


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests that need a browser, with one line for all, where there is none."""
    if browser_path() is None:
        needs = pytest.mark.skip(reason="tests of the page need Chromium or Chrome: apt-get install chromium")
        for item in items:
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(needs)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("nicegui", reason="the page needs NiceGUI: pip install 'pokerlab[app]'")
    made = Server(tmp_path_factory.mktemp("data"))
    yield made
    assert "Traceback" not in made.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="tests of the page need playwright")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser_path(), args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Visit]:
    made = Visit(browser, server)
    yield made
    made.context.close()
    assert not made.problems


@pytest.fixture
def other(browser: Any, server: Server) -> Iterator[Visit]:
    """Another visitor of the same server."""
    made = Visit(browser, server)
    yield made
    made.context.close()
    assert not made.problems
