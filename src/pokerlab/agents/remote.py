"""Any program that speaks the competition's protocol, seated as an agent.

The agent listens on a loopback port and, if given a command, starts it with the host and port as its last two words;
otherwise it waits for a program to connect. The program is sent each state in which it is to act, and each end of a
hand, exactly as a dealer would send it. A program that is silent beyond its time or goes away is an error that names
it.
"""

from __future__ import annotations

import shlex
import socket
import subprocess

import numpy as np

from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.games.acpc import NEWLINE, VERSION, read_action
from pokerlab.games.poker import Action, View

HOST = "127.0.0.1"
LONGEST_LINE = 4096


class LostProgram(PokerlabError):
    """The program of a remote seat is gone, silent, or does not speak the protocol."""


class Remote:
    """A seat played by another program over TCP."""

    def __init__(self, command: str, port: int, seconds: float) -> None:
        self.name = f"remote({shlex.split(command)[0] if command else port})"
        self.seconds = seconds
        self._command = command
        self._hand = -1
        self._seen: str | None = None  # betting of this hand so far, None between hands
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        try:
            self._listener = socket.create_server((HOST, port))
        except (OSError, OverflowError) as problem:
            raise BadSetting(f"cannot listen on {HOST} port {port}: {problem}") from problem
        self.port = int(self._listener.getsockname()[1])

    def reset(self) -> None:
        """End the program's connection; it starts, or connects, anew."""
        self.close()
        self._hand, self._seen = -1, None

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Send the state and read the answer to it; answers to other states are passed over."""
        line = self._state(view)
        self._send(line)
        for _ in range(100):
            answer = self._line()
            if answer.startswith(line + ":"):
                return read_action(view.game, answer[len(line) + 1 :])
        raise LostProgram(f"{self.name} sent a hundred lines, none of which answers {line!r}")

    def observe(self, view: View) -> None:
        """Send the end of a hand."""
        if self._connection is not None:
            self._send(self._state(view))

    def _state(self, view: View) -> str:
        game, betting = view.game, view.betting
        shown = list(view.shown) or [()] * game.players
        shown[view.seat] = view.cards
        boards = [round_.public for round_ in game.rules.rounds[: betting.round + 1] if round_.public]
        text, rest = "|".join(game.text(cards) for cards in shown), view.board
        for size in boards:
            text, rest = f"{text}/{game.text(rest[:size])}", rest[size:]
        if self._seen is None or not betting.history.startswith(self._seen):
            self._hand += 1
        self._seen = betting.history if betting.actor >= 0 else None
        return f"MATCHSTATE:{view.seat}:{self._hand}:{betting.history}:{text}"

    def _connect(self) -> socket.socket:
        if self._connection is None:
            if self._command:
                try:
                    self._process = subprocess.Popen([*shlex.split(self._command), HOST, str(self.port)])
                except (OSError, ValueError) as problem:
                    raise LostProgram(f"cannot start {self._command[:60]!r}: {problem}") from problem
            self._listener.settimeout(self.seconds)
            try:
                self._connection, _ = self._listener.accept()
            except TimeoutError as problem:
                raise LostProgram(f"no program connected to {HOST} port {self.port} in {self.seconds:g} s") from problem
            self._connection.settimeout(self.seconds)
            self._lines = self._connection.makefile("rb")
            opening = self._line()
            if not opening.startswith("VERSION:"):
                raise LostProgram(f"{self.name} opened with {opening[:40]!r} where VERSION:{VERSION} was due")
        return self._connection

    def _send(self, line: str) -> None:
        try:
            self._connect().sendall(line.encode() + NEWLINE)
        except OSError as problem:
            raise LostProgram(f"{self.name} is gone: {problem}") from problem

    def _line(self) -> str:
        try:
            raw = self._lines.readline(LONGEST_LINE)
        except OSError as problem:
            raise LostProgram(f"{self.name} said nothing for {self.seconds:g} s") from problem
        if not raw:
            raise LostProgram(f"{self.name} went away")
        return raw.decode("ascii", "replace").strip()

    def close(self) -> None:
        """End the connection and the program that was started for it."""
        if self._connection is not None:
            self._lines.close()
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None

    def __del__(self) -> None:
        if hasattr(self, "_listener"):
            self.close()
            self._listener.close()


def agent(command: str = "", *, port: int = 0, seconds: float = 60.0) -> Remote:
    """A program that connects to the port, or is started by the command with host and port as its last words."""
    if not seconds > 0:
        raise BadSetting(f"a remote program needs more than {seconds} seconds to answer")
    return Remote(command, port, seconds)
