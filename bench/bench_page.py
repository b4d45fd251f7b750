"""The page in a browser: its first paint, and clicks in a solved spot; the peer is the limit that we set ourselves.

A click counts from the event in the browser until the grid shows the next node. The functions beneath are measured in
the same run. The memory of the server is that of 100 clicks.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench import Row
from pokerlab.formats.spot_file import read_file
from pokerlab.lab.solve.solving import solve
from pokerlab.lab.spots.study import combos_of_class, nodes_along

ROOT = Path(__file__).parents[1]
FIRST_PAINT, CLICK = 1.5, 0.1  # seconds
SPOT: dict[str, Any] = {"file": "flop.toml", "all_bets": "33%,75%", "iterations": 2}  # more than a GB
CLICKS = 100
QUICK = {"SPOT": {"file": "turn.toml", "all_bets": None, "iterations": 20}, "CLICKS": 30}
PAINTED = "performance.getEntriesByName('first-contentful-paint')"
TIMED = """(selector) => new Promise((done) => {
  const grid = document.querySelector('[role=grid]'), began = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => done((performance.now() - began) / 1000));
  });
  watch.observe(grid, {subtree: true, attributes: true, childList: true, characterData: true});
  document.querySelector(selector).click();
})"""


def settings() -> dict[str, Any]:
    """The spot of the bench."""
    spot = read_file(ROOT / "examples" / SPOT["file"])
    if SPOT["all_bets"]:
        for seat in ("out_of_position", "in_position"):
            spot[seat] = spot[seat] | {"bet": SPOT["all_bets"]}
    return spot


def measure() -> Iterator[Row]:
    """First paint, clicks and the functions beneath."""
    sys.path.insert(0, str(ROOT / "tests"))
    from playwright.sync_api import sync_playwright

    from page_server import QUIET, Server, browser_path

    if browser_path() is None:
        raise ModuleNotFoundError("clicks are measured in Chromium or Chrome", name="chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=browser_path(), args=QUIET)
        try:
            yield from _measured(server, browser.new_page(viewport={"width": 1280, "height": 900}))
        finally:
            browser.close()
            server.close()


def _measured(server: Any, page: Any) -> Iterator[Row]:
    page.goto(server.url + "/jobs")
    page.wait_for_selector("main .heading")
    paints = []
    for address in ("/", "/spots", "/play", "/preflop", "/laboratory"):
        page.goto(server.url + address)
        page.wait_for_selector("main .heading")
        page.wait_for_function(f"{PAINTED}.length")  # the entry follows the paint
        paints.append(page.evaluate(f"{PAINTED}[0].startTime") / 1000)
    yield Row("first paint, the slowest page", max(paints), FIRST_PAINT, "limit", "s", 1.0)
    path = _solved(server)
    page.goto(f"{server.url}/spots/view?job={path.parent.name}")
    page.wait_for_selector(".crumbs button", timeout=600_000)
    page.wait_for_timeout(3000)
    process = psutil.Process(server.process.pid)
    moves = cycle(["0:check", "1:bet", "2:call", "0:bet", "1:call"])  # each shows another node
    for _ in range(10):
        _click(page, next(moves))
    before = process.memory_info().rss
    times = [_click(page, move) for move in islice(moves, CLICKS)]
    size = f"{path.stat().st_size / 1e9:.2f} GB"
    yield Row("a click, 95th percentile", float(np.quantile(times, 0.95)), CLICK, "limit", "s", 1.0, size)
    yield Row("a click, median", float(np.median(times)), unit="s")
    added = max(0.0, (process.memory_info().rss - before) / 1e6)
    yield Row(f"memory that {CLICKS} clicks add", added, unit="MB")
    yield from _beneath(path)


def _click(page: Any, move: str) -> float:
    """Seconds of a click on a move."""
    page.wait_for_selector(f"[data-go^='{move}']")
    seconds = float(page.evaluate(TIMED, f"[data-go^='{move}']"))
    page.wait_for_timeout(250)
    return seconds


def _solved(server: Any) -> Path:
    """A solution as a job of the visitor."""
    (owner,) = [path for path in (server.data / "page").iterdir() if len(path.name) == 32]
    folder = owner / "jobs" / "0123456789ab"
    folder.mkdir(parents=True)
    spot = settings()
    solve(spot, iterations=SPOT["iterations"], save=folder / "solution")
    record = {"id": folder.name, "kind": "spot", "title": "bench", "settings": {"spot": spot}, "state": "finished"}
    (folder / "job.json").write_text(json.dumps(record | {"created": time.time(), "changed": time.time()}))
    return folder / "solution"


def _beneath(path: Path) -> Iterator[Row]:
    from pokerlab.display.browse.node import action_rows, strategy_grid
    from pokerlab.strategy.files.solution_file import load

    began = time.perf_counter()
    root = load(path).root
    yield Row("opening the file", time.perf_counter() - began, unit="s")
    for name, function in (
        ("the strategy of a node", lambda view: strategy_grid(view)),
        ("EV and equity of a node", lambda view: (action_rows(view), combos_of_class(view, 0, 1))),
    ):
        began = time.perf_counter()
        function(nodes_along(root, ["check"])[-1])
        yield Row(name, time.perf_counter() - began, unit="s")
