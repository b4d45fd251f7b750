"""Lines over a TCP connection, with deadlines: shared by the two blocking sides of the ACPC protocol.

A deadline applies to a whole line, however its bytes trickle in. Small writes are sent at once (TCP_NODELAY): two in a
row would otherwise wait for the other side's delayed acknowledgement, 40 ms each time.
"""

from __future__ import annotations

import socket
import time

from pokerlab.errors import PokerlabError
from pokerlab.formats.acpc import LONGEST_LINE, NEWLINE

_CHUNK = 65536


class LineTooLong(PokerlabError):
    """A peer sent a line that exceeds the length limit."""


class LineSocket:
    """A connection that sends and receives lines."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._buffer = bytearray()
        self._looked = 0  # bytes of the buffer known to contain no line end

    def send(self, line: str, seconds: float) -> None:
        """Send a line; raises TimeoutError if the other side has not taken all of it within this many seconds."""
        self.connection.settimeout(seconds)
        self.connection.sendall(line.encode() + NEWLINE)

    def line(self, deadline: float) -> str | None:
        """The next line, None if the other side has closed; raises TimeoutError if it is incomplete at the deadline."""
        while (line := self.whole_line()) is None:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError
            self.connection.settimeout(remaining)
            if not self.receive():
                return None
        return line

    def receive(self) -> bool:
        """Receive what has arrived, waiting up to the connection's timeout; False if the other side has closed."""
        data = self.connection.recv(_CHUNK)
        self._buffer += data
        if len(self._buffer) > LONGEST_LINE:
            raise LineTooLong(f"a line of more than {LONGEST_LINE:,} bytes came, too long for a state or an action")
        return bool(data)

    def whole_line(self) -> str | None:
        """The next line if it has been received completely."""
        end = self._buffer.find(b"\n", self._looked)
        if end < 0:
            self._looked = len(self._buffer)
            return None
        line = self._buffer[:end].decode("ascii", "replace").strip()
        del self._buffer[: end + 1]
        self._looked = 0
        return line

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()
