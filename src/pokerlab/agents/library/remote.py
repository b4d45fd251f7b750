"""Any program that speaks the ACPC protocol, seated as an agent.

The agent listens on a loopback port. If given a command, it starts it with the host and port as the last two arguments;
otherwise it prints the address to standard error and waits for a program to connect. The program is sent a comment that
names the game, each state in which it must act and the end of each hand, exactly as a dealer would send them. The
connection opens at the first turn and closes at the end of each pass, so the program remembers nothing between passes.
An invalid response is passed to the referee, which replaces it and counts a fault. A program that exceeds its time
limit or disconnects raises an error that names it; the limit is for a whole response, however slowly it arrives. A
started program is asked to exit, and killed with all its child processes if it does not.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import time
import weakref
from contextlib import suppress

import numpy as np

from pokerlab.agents.parts.wire import LineSocket, LineTooLong
from pokerlab.errors import BadSetting, IllegalAction, PokerlabError
from pokerlab.formats.acpc import VERSION, read_answer, view_line
from pokerlab.formats.wire_game import game_comment
from pokerlab.games.poker.engine import Action, PokerGame, View
from pokerlab.settings import number, whole

HOST = "127.0.0.1"
_LOOK_AGAIN = 0.1  # seconds between checks of a started program that has not connected
_GRACE = 1.0  # seconds that a program has to exit when asked
_MOST_LINES = 100  # per response
_MOST_WAITING = 20  # connections that have not sent their version yet; the oldest are closed
_OPENING = re.compile(r"VERSION:[0-9]")
_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows, keeps our Ctrl-C from the program


class LostProgram(PokerlabError):
    """The program of a remote seat has exited, is silent, or does not speak the protocol."""


class Remote:
    """A seat played by a program that connects to the port, or that is started by the command.

    A command receives the host and the port as its last arguments.
    """

    repeatable = False
    fixed_stacks = True  # a match state of the protocol has no stacks

    def __init__(self, command: str = "", *, port: int = 0, seconds: float = 60.0) -> None:
        whole(0, 65535)("port", port)
        number(1e-3, 1e9)("seconds", seconds)
        self._words = _words(command)
        target = self._words[0] if self._words else str(port or "")
        self.name = f"remote({target})" if target else "remote"
        self.seconds = seconds
        self._hand = -1
        self._seen: str | None = None  # betting of this hand so far; None between hands
        self._process: subprocess.Popen[bytes] | None = None
        self._end_process: weakref.finalize[..., Remote] | None = None
        self._lines: LineSocket | None = None
        self.one_process = bool(port) or not self._words  # one port, or one program that connects by itself
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
        """Raise BadSetting if the protocol cannot express the game, or the port is unavailable."""
        if game.dealing.draws:
            raise BadSetting(f"the competition's protocol has no draws, so {self.name} cannot play {game.name}")
        self._listening()

    def reset(self) -> None:
        """Close the program's connection; it is started, or connects, again."""
        self.close()
        self._hand, self._seen = -1, None

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Send the state and read the response; responses to other states are ignored."""
        line = self._state(view)
        lines = self._connect(view.game)
        deadline = time.monotonic() + self.seconds
        self._send(lines, line)
        for _ in range(_MOST_LINES):
            response = self._line(lines, deadline)
            if not response.startswith(line + ":"):
                continue
            text = response[len(line) + 1 :]
            try:
                return read_answer(view.game, text)
            except IllegalAction:
                return Action(text[:20])  # no rules allow it: the referee reports it
        raise LostProgram(f"{self.name} sent {_MOST_LINES} lines, none of which responds to {line[:80]!r}")

    def observe(self, view: View) -> None:
        if self._lines is not None:
            self._send(self._lines, self._state(view))

    def _state(self, view: View) -> str:
        betting = view.betting
        if self._seen is None or not betting.history.startswith(self._seen):
            self._hand += 1
        self._seen = betting.history if betting.actor >= 0 else None
        return view_line(view, self._hand)

    def _connect(self, game: PokerGame) -> LineSocket:
        if self._lines is None:
            self._listening()
            if self._words:
                self._start()
            else:
                sys.stderr.write(f"waiting for a program on {HOST} port {self.port}\n")
                sys.stderr.flush()
            self._lines = self._accepted()
            if greeting := game_comment(game):
                self._send(self._lines, greeting)
        return self._lines

    def _start(self) -> None:
        try:
            command = [*self._words, HOST, str(self.port)]
            process = subprocess.Popen(command, start_new_session=True, creationflags=_OWN_GROUP)
        except (OSError, ValueError) as problem:
            raise LostProgram(f"cannot start {shlex.join(self._words)[:60]!r}: {problem}") from problem
        self._process = process
        self._end_process = weakref.finalize(self, _end, process)  # at the latest when this process exits

    def _accepted(self) -> LineSocket:
        """The first connection that opens with the version, polling whether a started program still runs.

        Other connections are ignored: one that closes at once or sends nothing blocks nobody.
        """
        listener = self._listening()
        deadline = time.monotonic() + self.seconds
        waiting: dict[socket.socket, LineSocket] = {}
        said = ""
        try:
            while True:
                ended = self._process.poll() if self._process is not None else None
                left = deadline - time.monotonic()
                ready, _, _ = select.select([listener, *waiting], [], [], max(min(_LOOK_AGAIN, left), 0))
                for connection in ready:
                    if connection is listener:
                        new = listener.accept()[0]
                        waiting[new] = LineSocket(new)
                        if len(waiting) > _MOST_WAITING:
                            waiting.pop(next(iter(waiting))).close()
                            break
                    elif (opening := _opening(waiting[connection])) is not None:
                        lines = waiting.pop(connection)
                        if _OPENING.match(opening):
                            return lines
                        said = f"; a connection opened with {opening[:40]!r} where VERSION:{VERSION} was due"
                        lines.close()
                if ended is not None and not ready:
                    raise LostProgram(f"{self.name} ended, with exit code {ended}, and never connected{said}")
                if left <= 0:
                    raise LostProgram(f"no program connected to {HOST} port {self.port} in {self.seconds:g} s{said}")
        finally:
            for lines in waiting.values():
                lines.close()

    def _send(self, lines: LineSocket, line: str) -> None:
        try:
            lines.send(line, self.seconds)
        except OSError as problem:
            raise LostProgram(f"the connection to {self.name} failed: {problem}") from problem

    def _line(self, lines: LineSocket, deadline: float) -> str:
        try:
            line = lines.line(deadline)
        except TimeoutError as problem:
            raise LostProgram(f"{self.name} did not respond within {self.seconds:g} s") from problem
        except (OSError, LineTooLong) as problem:
            raise LostProgram(f"the connection to {self.name} failed: {problem}") from problem
        if line is None:
            raise LostProgram(f"{self.name} disconnected")
        return line

    def close(self) -> None:
        """Close the connection and stop the program started for it."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None
        if self._end_process is not None:
            self._end_process()
            self._process = self._end_process = None

    def __del__(self) -> None:
        if hasattr(self, "_listener"):
            self.close()
            if self._listener is not None:
                self._listener.close()


def _opening(lines: LineSocket) -> str | None:
    """The first line of a new connection; empty if it sent none and closed, None while still waiting."""
    try:
        gone = not lines.receive()
    except (OSError, LineTooLong):
        return ""
    line = lines.whole_line()
    return "" if line is None and gone else line


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop a program and its child processes: ask first, then kill."""
    if sys.platform == "win32":  # has no process groups and no polite signal: children first, then the program
        import psutil

        with suppress(psutil.Error):  # it has exited
            for child in psutil.Process(process.pid).children(recursive=True):
                with suppress(psutil.Error):
                    child.kill()
        with suppress(OSError):
            process.kill()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
        return
    for number_ in (signal.SIGTERM, signal.SIGKILL):
        with suppress(OSError):  # the group is already gone
            os.killpg(process.pid, number_)  # the program leads a group of its own
        with suppress(subprocess.TimeoutExpired):  # a process that survives even a kill is left to the system
            process.wait(_GRACE)


def _words(command: str) -> list[str]:
    r"""Split a command line as a shell does; on Windows a backslash is part of a path.

    >>> _words("./bot --name 'my bot'")
    ['./bot', '--name', 'my bot']
    """
    reader = shlex.shlex(command, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.commenters = True, ""
    if sys.platform == "win32":
        reader.escape = ""
    try:
        return list(reader)
    except ValueError as problem:
        raise BadSetting(f"the command {str(command)[:60]!r} cannot be read: {problem}") from problem


agent = Remote
