"""Any program that speaks the competition's protocol, seated as an agent.

The agent listens on a loopback port and, if given a command, starts it with the host and port as its last two words;
otherwise it says on standard error where it listens and waits for a program to connect. The program is sent each state
in which it is to act, and each end of a hand, exactly as a dealer would send it. The connection is made at the first
turn and ends with the pass of the match; the next pass makes a new one, so that the program remembers nothing. What is
no action goes to the referee as it is, who puts another in its place and counts it. A program that is silent beyond its
time or goes away is an error that names it.
"""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
import time

import numpy as np

from pokerlab.agents.checks import checked_number
from pokerlab.errors import BadSetting, IllegalAction, PokerlabError
from pokerlab.games.acpc import NEWLINE, VERSION, read_action
from pokerlab.games.poker import Action, PokerGame, View

HOST = "127.0.0.1"
LONGEST_LINE = 4096
_LOOK_AGAIN = 0.1  # seconds between looks at a program that has been started and has not connected


class LostProgram(PokerlabError):
    """The program of a remote seat is gone, silent, or does not speak the protocol."""


class Remote:
    """A seat played by another program over TCP."""

    repeatable = False

    def __init__(self, command: str, port: int, seconds: float) -> None:
        self._words = _words(command)
        told = self._words[0] if self._words else str(port or "")
        self.name = f"remote({told})" if told else "remote"
        self.seconds = seconds
        self._hand = -1
        self._seen: str | None = None  # betting of this hand so far, None between hands
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self.one_process = bool(port) or not self._words  # one port, or one program that comes by itself
        self._wanted_port = port
        self._listener: socket.socket | None = None

    @property
    def port(self) -> int:
        """The port that the program connects to."""
        return int(self._listening().getsockname()[1])

    def _listening(self) -> socket.socket:
        if self._listener is None:
            try:
                self._listener = socket.create_server((HOST, self._wanted_port))
            except (OSError, OverflowError) as problem:
                raise BadSetting(f"cannot listen on {HOST} port {self._wanted_port}: {problem}") from problem
        return self._listener

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting where the protocol cannot write the game, or the port cannot be listened on."""
        if game.dealing.draws:
            raise BadSetting(f"the competition's protocol has no draws, so {self.name} cannot play {game.name}")
        self._listening()

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
                return _action(view.game, answer[len(line) + 1 :])
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
            self._listening()
            if self._words:
                try:
                    self._process = subprocess.Popen([*self._words, HOST, str(self.port)])
                except (OSError, ValueError) as problem:
                    raise LostProgram(f"cannot start {shlex.join(self._words)[:60]!r}: {problem}") from problem
            else:
                sys.stderr.write(f"waiting for a program on {HOST} port {self.port}\n")
                sys.stderr.flush()
            self._connection = self._accepted()
            self._connection.settimeout(self.seconds)
            self._lines = self._connection.makefile("rb")
            opening = self._line()
            if not opening.startswith("VERSION:"):
                raise LostProgram(f"{self.name} opened with {opening[:40]!r} where VERSION:{VERSION} was due")
        return self._connection

    def _accepted(self) -> socket.socket:
        """The connection of the program, looking now and then whether one that was started still runs."""
        listener = self._listening()
        deadline = time.monotonic() + self.seconds
        while True:
            ended = self._process.poll() if self._process is not None else None
            listener.settimeout(max(min(_LOOK_AGAIN, deadline - time.monotonic()), 0.001))
            try:
                return listener.accept()[0]
            except TimeoutError as problem:
                if ended is not None:
                    raise LostProgram(f"{self.name} ended, with exit code {ended}, and never connected") from problem
                if time.monotonic() >= deadline:
                    told = f"no program connected to {HOST} port {self.port} in {self.seconds:g} s"
                    raise LostProgram(told) from problem

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
            if self._listener is not None:
                self._listener.close()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise BadSetting(f"the command {str(command)[:60]!r} cannot be read: {problem}") from problem


def _action(game: PokerGame, text: str) -> Action:
    """The action of an answer; what is none becomes one that no rules allow, for the referee to name and replace."""
    try:
        return read_action(game, text)
    except IllegalAction:
        return Action(text[:20])


def agent(command: str = "", *, port: int = 0, seconds: float = 60.0) -> Remote:
    """A program that connects to the port, or is started by the command with host and port as its last words."""
    return Remote(command, int(checked_number("port", port, 0, 65535)), checked_number("seconds", seconds, 1e-3, 1e9))
