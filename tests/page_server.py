"""A server of the page in a process of its own, and visitors in a browser, for tests and pictures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def browser_path() -> str | None:
    """The Chromium or Chrome of this machine, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


class Server:
    """A server in a process of its own, with a data folder of its own."""

    def __init__(self, data: Path, *more: str) -> None:
        self.data = data
        environment = os.environ | {"POKERLAB_DATA": str(data)}
        for name in ("PYTEST_CURRENT_TEST", "PYTHONUNBUFFERED"):
            environment.pop(name, None)
        command = [sys.executable, "-m", "pokerlab", "serve", "--no-browser", "--port", "0", "--json", *more]
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        assert self.process.stdout is not None
        self.started = json.loads(self.process.stdout.readline() or "{}")
        assert self.started, self.said()
        self.url: str = self.started["url"].partition("?")[0].rstrip("/")

    def close(self) -> str:
        """End it as Ctrl-C does; what it wrote to standard error."""
        self.process.send_signal(2)
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.said()

    def said(self) -> str:
        """What it wrote to standard error."""
        self.errors.seek(0)
        return self.errors.read()


class Visit:
    """A visitor with their own cookies, and everything that went wrong in their browser."""

    def __init__(self, browser: Any, server: Server, **options: Any) -> None:
        self.server, self.problems = server, list[str]()
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(45_000)
        self.page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self._requested)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((self.server.url, "data:", "blob:")):
            self.problems.append(f"asked for {request.url}")

    def open(self, address: str) -> Any:
        """Open an address, and wait for its content."""
        self.page.goto(self.server.url + address)
        self.page.wait_for_selector("main .heading")
        return self.page
