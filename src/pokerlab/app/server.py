"""Start the page: its address, who may open it, and the browser."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.app.guard import Bucket
from pokerlab.errors import BadSetting, MissingExtra, PokerlabError
from pokerlab.lab.jobs.queue import JobQueue, slots_for
from pokerlab.parallel import core_count
from pokerlab.reading import read_bytes
from pokerlab.store import data_home
from pokerlab.writing import replacing

LOCAL = ("127.0.0.1", "localhost", "::1")
DEFAULT_PORT = 8770
LOGS = ("nicegui", "socketio", "engineio", "socketio.server", "engineio.server", "asyncio", "uvicorn.error")
LEFT = "the parent element this slot belongs to has been deleted"  # what NiceGUI reports then
TRIED = 20  # ports after the default one
SECRET, SECRET_BYTES = "secret", 32  # a file of the data folder


@dataclass(frozen=True)
class Address:
    """Where the page is."""

    url: str
    token: str  # that others need; empty on this machine alone


def serve(
    *,
    port: int | None = None,
    address: str = LOCAL[0],
    browser: bool = True,
    seconds: float | None = None,
    backend: str = "",
    on_start: Callable[[Address], None],
) -> None:
    """Serve the page until Ctrl-C; running jobs then save what they have.

    - port: by default the first free one from 8770 on; 0 for any free port
    - address: to listen on; others than this machine's own need a token
    - browser: whether to open a browser
    - seconds: stop after this many
    - backend: where jobs divide their matches and boards; by default nowhere
    - on_start: called with the address once the page can be opened
    """
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(data_home() / "page" / "nicegui"))
    try:
        import nicegui  # noqa: F401
        import uvicorn

        from pokerlab.app.connections import PromptProtocol
    except ImportError as problem:
        raise MissingExtra("the page needs NiceGUI: pip install 'pokerlab[app]'") from problem
    listening = _listen(address, port)
    number = listening.getsockname()[1]
    token = "" if address in LOCAL else secrets.token_urlsafe(24)
    _quiet_logs()
    queue = JobQueue(slots=slots_for(core_count()), backend=backend)
    app = _application(queue, number=number, address=address, token=token)
    shown = f"[{address}]" if ":" in address else address
    where = Address(f"http://{shown}:{number}/" + (f"?token={token}" if token else ""), token)
    config = uvicorn.Config(
        app,
        http=PromptProtocol,
        log_config=None,  # _quiet_logs
        access_log=False,
        ws_max_size=1_000_000,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
        server_header=False,
        limit_concurrency=400,
        timeout_keep_alive=10,
    )
    server = uvicorn.Server(config)

    def announce() -> None:
        while not server.started and not server.should_exit:
            threading.Event().wait(0.02)
        if server.started:
            on_start(where)
            if browser:
                webbrowser.open(where.url)
            if seconds is not None:
                threading.Event().wait(seconds)
                server.should_exit = True

    threading.Thread(target=announce, daemon=True).start()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        queue.close()


class FewRecords(logging.Filter):
    """Limits the records of a log to a few a minute, so that no visitor can fill it."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = Bucket(rate=0.2, most=30)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written: not that a visitor left while something was computed for them."""
        return LEFT not in record.getMessage().lower() and self._bucket.allows()


def _quiet_logs() -> None:
    """Write errors of the server's libraries to standard error, but not endlessly."""
    handler = logging.StreamHandler()
    handler.addFilter(FewRecords())
    for name in LOGS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)


def _listen(address: str, port: int | None) -> socket.socket:
    """A listening socket; BadSetting if there is none to be had."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    ports = range(DEFAULT_PORT, DEFAULT_PORT + TRIED) if port is None else (port,)
    for number in ports:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((address, number))
        except OSError as problem:
            made.close()
            if port is not None or number == ports[-1]:
                reason = problem.strerror or problem
                raise BadSetting(f"cannot listen on {address} port {number}: {reason}; choose another --port") from None
            continue
        made.listen(256)
        made.setblocking(False)
        return made
    raise AssertionError("unreachable")


def _application(queue: JobQueue, *, number: int, address: str, token: str) -> Any:
    """The pages behind the guard."""
    from fastapi import FastAPI
    from nicegui import ui

    from pokerlab.app.guard import Guard
    from pokerlab.app.pages import add_pages
    from pokerlab.app.theme import add_style
    from pokerlab.app.visitor import House

    outer = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    add_style()
    add_pages(House(queue))
    ui.run_with(
        outer,
        title="pokerlab",
        favicon="♠",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        binding_refresh_interval=None,
        reconnect_timeout=20.0,
        message_history_length=200,
    )
    names = {*LOCAL[:2], "[::1]", f"[{address}]" if ":" in address else address}
    hosts = frozenset(f"{name}:{number}" for name in names)
    return Guard(outer, hosts=hosts, secret=_secret(data_home() / "page" / SECRET), token=token)


def _secret(path: Path) -> bytes:
    """What cookies are signed with, the same after a restart; for as long as this server runs if it cannot be saved."""
    with suppress(PokerlabError, OSError):
        saved = read_bytes(path, most=1000)
        if len(saved) == SECRET_BYTES:
            return saved
    made = secrets.token_bytes(SECRET_BYTES)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_bytes(made)
        path.chmod(0o600)
    return made
