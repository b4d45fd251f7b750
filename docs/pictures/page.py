"""The picture of the page: a turn spot, solved and walked in a browser."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SIZE = {"width": 1280, "height": 1010}
MOVES = ("0:check", "1:bet 50")
CELL = 1  # ace-king suited


def page_picture() -> bytes:
    """A PNG; needs Chromium or Chrome."""
    sys.path.insert(0, str(ROOT / "tests"))
    from playwright.sync_api import sync_playwright

    from page_server import QUIET, Server, browser_path

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=browser_path(), args=QUIET)
        try:
            page = browser.new_page(viewport=SIZE, color_scheme="dark")
            page.goto(server.url + "/spots?example=turn")
            page.get_by_role("button", name="Solve", exact=True).click()
            page.wait_for_selector(".crumbs button", timeout=120_000)
            page.reload()  # without the curve of the run
            for move in MOVES:
                page.locator(f"[data-go='{move}']").click(timeout=60_000)
                page.wait_for_timeout(1500)
            page.locator(f"[role=gridcell][data-cell='{CELL}']").first.click()
            page.mouse.move(1270, 990)
            page.wait_for_timeout(1500)
            return bytes(page.screenshot())
        finally:
            browser.close()
            server.close()
