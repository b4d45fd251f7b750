"""One seat at a dealer: who may take it, bounded input, and output that nobody waits for.

The first connection that opens with the protocol's version takes the seat. Connections that close before that, or send
something else or nothing, do not end the match; the seat keeps waiting for its player. A slow reader delays nobody:
output is buffered in memory, and a buffer larger than any match needs means that the player has left.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.formats.acpc import NEWLINE, VERSION

MOST_SECONDS = 1e9
MOST_NOTES = 100  # ignored lines of one client that are logged
MOST_KNOCKING = 20  # connections to one seat that have not sent their version yet; the oldest are closed
MOST_UNREAD = 2**24  # bytes sent to a client that it has not read
ACTION_BYTES = 64  # longer than any action
_CHUNK = 65536
_ANSWER = re.compile(r"MATCHSTATE:\d+:\d+:[^:]*:[^:]*:[^:]*")
_OPENING = re.compile(rf"VERSION:{VERSION.split('.')[0]}(\.[0-9]+)*\s*")


@dataclass(frozen=True)
class Limits:
    """How slow and how faulty a client may be. Times are in seconds."""

    response: float = 600.0  # per action
    hand: float = 600.0  # per seat and hand
    per_hand: float = 7.0  # per seat and hand, averaged over the match
    connect: float = 60.0  # until every client has connected and sent its version
    bad_lines: int = 100  # lines over the match that respond to no state
    bad_actions: int = 1000  # illegal actions replaced over the match
    line_bytes: int = 4096  # per line, or as many as the response to a longer state needs

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if not 0 < value <= MOST_SECONDS:  # also rejects nan
                raise BadSetting(f"the limit {name} must be positive and at most {MOST_SECONDS:g}, not {value}")


class Forfeit(PokerlabError):
    """A client exceeded a limit or disconnected."""


class WireSeat:
    """One seat and its connection."""

    def __init__(self, name: str, limits: Limits, tell: Callable[[str], None], *, greeting: str = "") -> None:
        self.name, self.limits = name, limits
        self._greeting = greeting  # the first line that a player is sent
        self.gone = ""  # why the client has left for good; empty while it has not
        self.bad_actions = 0
        self.hand_seconds = 0.0
        self.taken = asyncio.Event()
        self._tell, self._notes_sent = tell, 0
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._buffer = b""
        self._bad_lines = 0
        self._match_seconds = 0.0
        self._knocking: list[asyncio.StreamWriter] = []
        self._turned_away = ""  # what the last rejected connection sent

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle a new connection: it takes the seat if that is free and the connection opens with the version."""
        if self.taken.is_set():
            writer.close()
            return
        self._knocking.append(writer)
        if len(self._knocking) > MOST_KNOCKING:  # a real player sends its version at once and is not among these
            self._knocking.pop(0).transport.abort()
        try:
            line = await asyncio.wait_for(reader.readuntil(b"\n"), self.limits.connect)
            opening = line.decode("ascii", "replace")
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            opening = ""
        finally:
            if writer in self._knocking:
                self._knocking.remove(writer)
        if self.taken.is_set() or not _OPENING.fullmatch(opening):
            if opening and not self.taken.is_set():
                self._turned_away = f"; a connection opened with {opening.strip()[:40]!r}"
                self._passed_over(f"a connection that did not open with VERSION:{VERSION}", opening)
            writer.close()
            return
        if (connection := writer.get_extra_info("socket")) is not None:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._reader, self._writer = reader, writer
        if self._greeting:
            self.send(self._greeting)
        self.taken.set()
        self._send_away()

    def _send_away(self) -> None:
        """Close all connections that have not sent their version."""
        for writer in self._knocking:
            writer.transport.abort()

    async def wait_for_player(self, deadline: float) -> None:
        """Wait until the seat is taken; a player that misses the deadline counts as gone."""
        try:
            await asyncio.wait_for(self.taken.wait(), max(deadline - time.monotonic(), 0.001))
        except TimeoutError:
            self.gone = f"it never connected, opening with VERSION:{VERSION}{self._turned_away}"

    def send(self, line: str) -> None:
        """Send a line, without waiting for it to be read."""
        if self.gone or self._writer is None:
            return
        transport = self._writer.transport
        if transport.is_closing():
            self.gone = "the connection broke"
            return
        self._writer.write(line.encode() + NEWLINE)
        if transport.get_write_buffer_size() > MOST_UNREAD:
            self.gone = "it does not read what it is sent"

    async def close(self, seconds: float) -> None:
        """Close the connection; the last output has this many seconds to be read."""
        self._send_away()
        while self._knocking:  # each is notified and leaves
            await asyncio.sleep(0)
        if self._writer is None:
            return
        self._writer.close()
        try:
            await asyncio.wait_for(self._writer.wait_closed(), seconds)
        except (TimeoutError, OSError):
            self._writer.transport.abort()

    async def answer(self, shown: str, allowance: float) -> str:
        """The action in response to the state shown, timed against this client; raises Forfeit if none arrives."""
        began = time.monotonic()
        seconds = min(self.limits.response, self.limits.hand - self.hand_seconds, allowance - self._match_seconds)
        longest = max(self.limits.line_bytes, len(shown) + ACTION_BYTES)
        try:
            while True:
                line = await self._line(began + seconds, longest)
                if line.startswith(shown + ":"):
                    return line[len(shown) + 1 :]
                if _ANSWER.fullmatch(line):
                    self._passed_over("an answer to another state", line)
                elif line and line[0] not in "#;":
                    self._bad_line("a line that answers nothing", line)
        finally:
            spent = time.monotonic() - began
            self.hand_seconds += spent
            self._match_seconds += spent

    async def _line(self, deadline: float, longest: int) -> str:
        """The next line before a deadline; overlong lines are ignored."""
        assert self._reader is not None
        skipping = False
        while True:
            if time.monotonic() > deadline:  # a stream of lines does not stop the clock
                raise Forfeit("its time is up (for this action, hand or match)")
            head, newline, rest = self._buffer.partition(b"\n")
            if newline:
                self._buffer = rest
                if not skipping and len(head) <= longest:
                    return head.rstrip(b"\r").decode("ascii", "replace")
                self._bad_line(f"a line of more than {longest:,} bytes", head)
                skipping = False
                continue
            if len(self._buffer) > longest:
                self._buffer, skipping = self._buffer[:40], True
            data = await self._more(deadline)
            self._buffer = self._buffer[:40] + data if skipping else self._buffer + data

    async def _more(self, deadline: float) -> bytes:
        assert self._reader is not None
        try:
            data = await asyncio.wait_for(self._reader.read(_CHUNK), max(deadline - time.monotonic(), 1e-6))
        except TimeoutError as problem:
            raise Forfeit("its time is up (for this action, hand or match)") from problem
        except OSError as problem:
            raise Forfeit("the connection broke") from problem
        if not data:
            raise Forfeit("it disconnected")
        return data

    def _bad_line(self, what: str, line: bytes | str) -> None:
        """Log a line that is not a valid response; too many of them forfeit."""
        self._passed_over(what, line)
        self._bad_lines += 1
        if self._bad_lines > self.limits.bad_lines:
            raise Forfeit(f"it sent more than {self.limits.bad_lines} lines that are not responses")

    def _passed_over(self, what: str, line: bytes | str) -> None:
        """Log an ignored line, unless there have been many."""
        self._notes_sent += 1
        text = line[:40].decode("ascii", "replace") if isinstance(line, bytes) else line[:40]
        if self._notes_sent <= MOST_NOTES:
            self._tell(f"passed over {what}, {text!r}")
        elif self._notes_sent == MOST_NOTES + 1:
            self._tell("more lines that are passed over are not written here")
