"""Lines over a TCP connection, under deadlines: what the two blocking sides of the competition's protocol share.

A deadline is for a whole line, however its bytes trickle in. Small writes leave at once (TCP_NODELAY): two of them in a
row would otherwise wait for the other side's delayed acknowledgement, 40 ms each time.
"""

from __future__ import annotations

import socket
import time

from pokerlab.errors import PokerlabError
from pokerlab.formats.acpc import LONGEST_LINE, NEWLINE

_CHUNK = 65536


class LineTooLong(PokerlabError):
    """A peer sends a line without end."""


class LineSocket:
    """A connection that sends and receives lines."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._buffer = bytearray()
        self._looked = 0  # bytes of the buffer that are known to hold no line end

    def send(self, line: str, seconds: float) -> None:
        """Send a line; TimeoutError where the other side has not taken it all in so many seconds."""
        self.connection.settimeout(seconds)
        self.connection.sendall(line.encode() + NEWLINE)

    def line(self, deadline: float) -> str | None:
        """The next line, None where the other side has gone; TimeoutError where it is not whole by the deadline."""
        while (line := self.whole_line()) is None:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError
            self.connection.settimeout(remaining)
            if not self.receive():
                return None
        return line

    def receive(self) -> bool:
        """Take in what has arrived, waiting for the connection's own time; False where the other side has gone."""
        data = self.connection.recv(_CHUNK)
        self._buffer += data
        if len(self._buffer) > LONGEST_LINE:
            raise LineTooLong(f"a line of more than {LONGEST_LINE:,} bytes came, which no state and no answer is")
        return bool(data)

    def whole_line(self) -> str | None:
        """The next line if all of it has been received."""
        end = self._buffer.find(b"\n", self._looked)
        if end < 0:
            self._looked = len(self._buffer)
            return None
        line = self._buffer[:end].decode("ascii", "replace").strip()
        del self._buffer[: end + 1]
        self._looked = 0
        return line

    def close(self) -> None:
        """End the connection."""
        self.connection.close()
