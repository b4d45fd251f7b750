"""Connections without a request: closed after a while, and the oldest at once if there are too many.

A client that opens connections and sends nothing, or a request letter by letter, could otherwise hold all that the
server has.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

MOST_WAITING = 128  # connections without a request
WAITING_SECONDS = 20.0


class PromptProtocol(AutoHTTPProtocol):
    """HTTP for those who ask without delay."""

    _waiting: OrderedDict[PromptProtocol, None] = OrderedDict()  # the oldest first
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """A piece of a request."""
        super().data_received(data)
        if not self._is_waiting():
            self._forget()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side left."""
        self._forget()
        super().connection_lost(exc)

    def _is_waiting(self) -> bool:
        """Whether no request is being answered here; a websocket has a protocol of its own."""
        if self.transport is None or self.transport.get_protocol() is not self:
            return False
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        if not self._is_waiting() or self.transport.is_closing():
            return
        self._forget()
        self._waiting[self] = None
        self._timer = self.loop.call_later(WAITING_SECONDS, self._close)
        if len(self._waiting) > MOST_WAITING:
            next(iter(self._waiting))._close()

    def _forget(self) -> None:
        self._waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._forget()
        if self._is_waiting():
            self.transport.close()
