"""Every hand of every match in one DuckDB file, ready for queries; safe against kills.

While a block is being played, each hand goes at once into the block's journal beside the file; when the block is
over, its journal is taken into the file in one transaction and removed. So a kill loses the hand in play alone, and
a match that is resumed plays the blocks that were cut off again, from their seeds, and comes to the same result; where
an agent cannot be repeated, the match is resumed after the last hand of the journal.

Tables: `matches` (game, agents, seed, settings), `hands` (one row a hand), `blocks` (which are complete); the view
`players` has one row for each seat of each hand: match, hand, deal, pass, seat, agent, cards, payoff, adjusted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pokerlab.match.hands.database import PLAYERS, TABLES, changing, connect, insert_lines, sound
from pokerlab.version import __version__

OWN = "pokerlab"  # the source of a match that agents played here


class History:
    """A file of hands, open for writing."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, read_only=False)
        self._together = False
        self.run(f"begin; {TABLES} create or replace view players as {PLAYERS}; commit")

    def run(self, command: str, values: Sequence[Any] = ()) -> None:
        """Change the file by a command in SQL; BadFile where the database cannot do it: no space is left, say."""
        with changing(self.path):
            self._connection.execute(command, list(values))

    def ask(self, question: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows that a question in SQL gives; BadFile where the file is damaged."""
        with sound(self.path):
            return self._connection.execute(question, list(values)).fetchall()

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is changed in this block comes into the file, or nothing of it; one block may stand in another."""
        if self._together:
            yield
            return
        self.run("begin")
        self._together = True
        try:
            yield
            self.run("commit")
        except BaseException:
            with suppress(Exception):  # a database that failed has rolled back already
                self._connection.execute("rollback")
            raise
        finally:
            self._together = False

    def close(self) -> None:
        """Write everything to the file and let go of it."""
        with changing(self.path):
            self._connection.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_match(self, settings: dict[str, Any], *, source: str, finished: bool = True) -> int:
        """A row of `matches`; the number of the match."""
        ((number,),) = self.ask("select coalesce(max(match), 0) + 1 from matches")
        self.run(
            "insert into matches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                number,
                settings["game"],
                settings["agents"],
                settings["hands"],
                settings.get("seed"),
                settings.get("duplicate", False),
                json.dumps(settings, sort_keys=True),
                __version__,
                source,
                finished,
            ],
        )
        return int(number)

    def take_in(self, match: int, block: int, lines: Sequence[str], *, remarks: str = "[]") -> None:
        """Take the hands of a journal into the file, all or none."""
        with self.together():
            with changing(self.path):
                insert_lines(self._connection, lines, table="hands", match=match, block=block)
            self.run("insert into blocks values (?, ?, ?, ?)", [match, block, len(lines), remarks])


def journal_folder(path: Path) -> Path:
    """Where the journals of a file of hands are, while blocks are being played: a file MATCH-BLOCK.tsv each."""
    return path.with_name(path.name + ".journal")
