"""Every hand of every match in one DuckDB file, ready for queries and safe against kills.

While a block is being played, each hand is appended to the block's journal beside the file; when the block is finished,
its journal is moved into the file in one transaction. So a kill loses only the current hand. A resumed match replays
interrupted blocks from their seeds and gets the same result; if an agent is not repeatable, the match resumes after the
last hand in the journal.

Tables: `matches` (game, agents, seed, settings), `hands` (one row per hand), `blocks` (the completed ones); the view
`players` has one row for each seat of each hand: match, hand, deal, pass, seat, agent, cards, payoff, adjusted. Where
stacks and blinds change from hand to hand, the table `stakes` has those of each; such hands are added block by block.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pokerlab.match.hands.database import HANDS, PLAYERS, TABLES, changing, connect, insert_lines, insert_stakes, sound
from pokerlab.match.hands.journal import SavedHand
from pokerlab.version import __version__

OWN = "pokerlab"  # the source of a match played here


class History:
    """A hand-history file, open for writing."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, read_only=False)
        self._together = False
        self.run(f"begin; {TABLES} create or replace view players as {PLAYERS}; commit")

    def run(self, command: str, values: Sequence[Any] = ()) -> None:
        """Execute an SQL command; raises BadFile if the database cannot, for example because the disk is full."""
        with changing(self.path):
            self._connection.execute(command, list(values))

    def ask(self, question: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of an SQL query; raises BadFile if the file is damaged."""
        with sound(self.path):
            return self._connection.execute(question, list(values)).fetchall()

    @contextmanager
    def together(self) -> Iterator[None]:
        """A transaction: all changes in this block are committed, or none; blocks may be nested."""
        if self._together:
            yield
            return
        self.run("begin")
        self._together = True
        try:
            yield
            self.run("commit")
        except BaseException:
            with suppress(Exception):  # a failed database has already rolled back
                self._connection.execute("rollback")
            raise
        finally:
            self._together = False

    def close(self) -> None:
        """Write everything to the file and close it."""
        with changing(self.path):
            self._connection.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_match(self, settings: dict[str, Any], *, source: str, finished: bool = True) -> int:
        """Insert a row into `matches`; returns the number of the match."""
        ((number,),) = self.ask("select coalesce(max(match), 0) + 1 from matches")
        required = [settings[name] for name in ("game", "agents", "hands")]
        optional = [settings.get("seed"), settings.get("duplicate", False)]
        row = [number, *required, *optional, json.dumps(settings, sort_keys=True), __version__, source, finished]
        self.run("insert into matches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return int(number)

    def saved_rows(self, match: int, block: int) -> list[tuple[Any, ...]]:
        """The hands of a block with what they were played for, in order."""
        return self.ask(f"{HANDS} where match = ? and block = ? order by hand", [match, block])

    def add_hands(self, match: int, block: int, hands: Sequence[SavedHand], *, remarks: str = "[]") -> None:
        """Add the hands of a finished block with what they were played for, all or none."""
        with self.together():
            self.take_in(match, block, [hand.line() for hand in hands], remarks=remarks)
            with changing(self.path):
                insert_stakes(self._connection, hands, match=match)

    def take_in(self, match: int, block: int, lines: Sequence[str], *, remarks: str = "[]") -> None:
        """Move the hands of a journal into the file, all or none."""
        with self.together():
            with changing(self.path):
                insert_lines(self._connection, lines, table="hands", match=match, block=block)
            self.run("insert into blocks values (?, ?, ?, ?)", [match, block, len(lines), remarks])


def journal_folder(path: Path) -> Path:
    """The folder with the journals of a hand-history file while blocks are played: one file MATCH-BLOCK.tsv each."""
    return path.with_name(path.name + ".journal")
