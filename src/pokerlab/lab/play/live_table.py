"""A table for a human player in another thread, who sees snapshots and acts by text.

The session runs in a thread of its own and waits for the player; the page asks for the current snapshot as often as it
likes. Hands are saved as at any other table.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from pokerlab.agents.library.human import Human
from pokerlab.errors import AgentFailed, PokerlabError
from pokerlab.games.poker.state import View
from pokerlab.lab.play.playing import Seating, TableResult, play_at_table, seat_opponents
from pokerlab.lab.play.review import Review
from pokerlab.lab.play.reviewing import review_session
from pokerlab.match.table.rehearsal import rehearse
from pokerlab.match.table.session import Event, HandBegins, HandEnds

NEXT, LEAVE = "next", "q"
MOST_TABLES = 60  # open at the same time
MOST_LINES = 400  # of the tale
IDLE_SECONDS = 3600.0  # a table whose person is silent for so long is closed


@dataclass(frozen=True)
class Snapshot:
    """A table at one moment."""

    version: int  # grows with every change
    names: tuple[str, ...]  # by seat
    view: View | None  # of the person, if they are to act
    end: HandEnds | None  # of a hand that waits for the next
    events: tuple[Event, ...]  # of this hand
    message: str  # why the last action was refused
    hands: int
    won: float  # chips, by the person
    problem: str  # why the table closed
    is_open: bool


class LiveTable:
    """A human player and agents at a table."""

    def __init__(self, seating: Seating, *, log: Path | None = None, seed: int | None = None) -> None:
        self.seating, self._log, self._seed = seating, log, seed
        self._lock, self._inbox = threading.Lock(), SimpleQueue[str]()
        self._events: list[Event] = []
        self._names: tuple[str, ...] = ()
        self._view: View | None = None
        self._end: HandEnds | None = None
        self._message = self._problem = ""
        self._version, self._hands, self._won, self._open = 0, 0, 0.0, True
        self.used = time.monotonic()  # when the person last did something
        self.result: TableResult | None = None
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    @classmethod
    def at(cls, game: str, against: Sequence[str], *, log: Path | None = None, seed: int | None = None) -> LiveTable:
        """A table of a game with agents by name; their kernels are compiled first."""
        seating = seat_opponents(game, list(against))
        rehearse(seating.game, seating.opponents)
        table = cls(seating, log=log, seed=seed)
        table._thread.start()
        return table

    # ---- what the person does ----------------------------------------------------------------------------------------

    def act(self, text: str) -> None:
        """Act as typed, "c" or "r 300"; NEXT deals the next hand."""
        self.used = time.monotonic()
        with self._lock:
            expected = (self._end is not None) if text == NEXT else (self._view is not None)
            if not expected and text != LEAVE:
                return
            if text == NEXT:
                self._end = None
            else:
                self._view = None
            self._message = ""
            self._version += 1
        self._inbox.put(text)

    def leave(self) -> None:
        """Leave; the unfinished hand does not count."""
        self._inbox.put(LEAVE)

    def wait(self, seconds: float = 5.0) -> None:
        """Wait until the table is closed."""
        self._thread.join(seconds)

    def review(self) -> Review | None:
        """A review of the finished hands, if an opponent's strategy or a blueprint can judge them."""
        if self.result is None:
            return None
        return review_session(self.seating, self.result.played)

    @property
    def version(self) -> int:
        """Grows with every change."""
        return self._version

    def snapshot(self) -> Snapshot:
        """The table now."""
        with self._lock:
            return Snapshot(
                self._version,
                self._names,
                self._view,
                self._end,
                tuple(self._events),
                self._message,
                self._hands,
                self._won,
                self._problem,
                self._open,
            )

    # ---- the thread of the session -----------------------------------------------------------------------------------

    def _run(self) -> None:
        person = Human(ask=self._ask, show=self._tell)
        log = "" if self._log is None else str(self._log)
        try:
            self.result = play_at_table(self.seating, person, seed=self._seed, log=log, on_event=self._saw)
        except (AgentFailed, PokerlabError) as problem:
            self._problem = str(problem)
        finally:
            with self._lock:
                self._open, self._view, self._end = False, None, None
                self._version += 1

    def _ask(self, view: View) -> str:
        with self._lock:
            self._view = view
            self._version += 1
        return self._next()

    def _next(self) -> str:
        try:
            return self._inbox.get(timeout=IDLE_SECONDS)
        except Empty:
            return LEAVE

    def _tell(self, text: str) -> None:
        with self._lock:
            self._message = text
            self._version += 1

    def _saw(self, event: Event) -> None:
        with self._lock:
            if isinstance(event, HandBegins):
                self._events, self._names = [], event.names
            self._events = [*self._events, event][-MOST_LINES:]
            if isinstance(event, HandEnds):
                self._hands, self._won, self._end = event.number, event.won[0], event
            self._version += 1
        if isinstance(event, HandEnds) and self._next() == LEAVE:
            raise KeyboardInterrupt  # the person left between two hands


class LiveTables:
    """The open tables, one of each owner; that which was used least recently closes when there are too many."""

    def __init__(self, *, most: int = MOST_TABLES) -> None:
        self._most, self._tables = most, dict[str, LiveTable]()

    def of(self, owner: str) -> LiveTable | None:
        """The table of an owner."""
        return self._tables.get(owner)

    def seat(self, owner: str, table: LiveTable) -> None:
        """Seat an owner, who leaves their last table."""
        self.close(owner)
        self._tables[owner] = table
        while len(self._tables) > self._most:
            self.close(min(self._tables, key=lambda name: self._tables[name].used))

    def close(self, owner: str) -> None:
        """Leave a table."""
        table = self._tables.pop(owner, None)
        if table is not None:
            table.leave()
