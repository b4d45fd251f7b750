"""A clock that times decisions, and stops an agent which does not act in time: one stuck in an endless loop, say.

A second thread looks at the clock now and then, so a decision costs nothing but reading the time. It interrupts the
thread that plays: the main thread with a signal, which also ends a sleep or a wait for a connection; any other thread,
and any thread on Windows, with an exception that arrives at the next line of Python. People and external programs
(agents that are not `repeatable`) are not limited: they have their own limits or none.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from pokerlab.agents.agent import Agent, is_repeatable

DECISION_SECONDS = 300.0  # by default; the first decision may load a strategy and compile
_MOST_BETWEEN_LOOKS = 1.0  # seconds


class Decisions(NamedTuple):
    """How long an agent took for its decisions."""

    made: int = 0
    seconds: float = 0.0  # of all together
    longest: float = 0.0  # seconds; often the first, which may load a strategy or compile

    @property
    def milliseconds(self) -> float:
        """Per decision; NaN without any."""
        return 1000 * self.seconds / self.made if self.made else float("nan")

    def and_also(self, more: Decisions) -> Decisions:
        """These and further decisions."""
        return Decisions(self.made + more.made, self.seconds + more.seconds, max(self.longest, more.longest))

    def as_dict(self) -> dict[str, float | None]:
        """As plain values, for JSON."""
        return {
            "decision_ms": self.milliseconds if self.made else None,
            "longest_decision_ms": 1000 * self.longest if self.made else None,
        }


class TimeUp(BaseException):
    """Raised inside an agent whose time is up. Not an Exception: agents that catch every Exception must not stop it."""


class DecisionClock:
    """Limits the seconds of each decision inside its block; used by the thread that plays."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._decisions: dict[int, Decisions] = {}  # by id of an agent
        self._agent, self._began = 0, 0.0  # whose decision it is, by id, and when it began
        self._since = 0.0  # the same if its time is limited; 0: none is limited now
        self._is_over = threading.Event()
        self._player = threading.current_thread()
        self._is_main = self._player is threading.main_thread()
        self._before: Any = None  # the signal handler outside the block

    def start(self, agent: Agent) -> None:
        """A decision of this agent begins."""
        self._agent, self._began = id(agent), time.monotonic()
        self._since = self._began if is_repeatable(agent) else 0.0

    def stop(self) -> None:
        """The decision has been made."""
        self._since = 0.0
        took = time.monotonic() - self._began
        count, seconds, longest = self._decisions.get(self._agent, (0, 0.0, 0.0))
        self._decisions[self._agent] = Decisions(count + 1, seconds + took, max(longest, took))

    def decisions(self, agent: Agent) -> Decisions:
        """The decisions of an agent so far."""
        return self._decisions.get(id(agent), Decisions())

    @property
    def is_late(self) -> bool:
        """Whether the current decision has taken too long."""
        since = self._since
        return since > 0 and time.monotonic() - since > self.seconds

    def __enter__(self) -> DecisionClock:
        if sys.platform != "win32" and self._is_main:
            self._before = signal.signal(signal.SIGALRM, self._on_signal)
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._since = 0.0
        self._is_over.set()
        self._watcher.join()
        if sys.platform != "win32" and self._is_main:
            signal.signal(signal.SIGALRM, self._before)

    def _watch(self) -> None:
        while not self._is_over.wait(min(_MOST_BETWEEN_LOOKS, self.seconds / 4)):
            if self.is_late:
                self._interrupt()  # again at the next look, if the agent catches it

    def _interrupt(self) -> None:
        identity = self._player.ident
        assert identity is not None
        if sys.platform != "win32" and self._is_main:
            signal.pthread_kill(identity, signal.SIGALRM)
        else:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(identity), ctypes.py_object(TimeUp))

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.is_late:
            raise TimeUp
        if callable(self._before):  # somebody else's alarm
            self._before(number, frame)
