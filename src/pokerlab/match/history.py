"""Every hand of every match in one DuckDB file, ready for queries; safe against kills.

While a block is being played, each hand goes at once into the block's journal beside the file; when the block is
over, its journal is taken into the file in one transaction and removed. So a kill loses the hand in play alone, and
a match that is resumed plays the blocks that were cut off again, from their seeds, and comes to the same result; where
an agent cannot be repeated, it goes on after the last hand of the journal.

Tables: `matches` (game, agents, seed, settings), `hands` (one row a hand), `blocks` (which are complete); the view
`players` has one row for each seat of each hand: match, hand, deal, pass, seat, agent, cards, payoff, adjusted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import __version__
from pokerlab.errors import BadFile, BadSetting
from pokerlab.match.block import Block, BlockResult
from pokerlab.match.database import PLAYERS, TABLES, changing, connect, insert_lines, sound
from pokerlab.match.journal import read_faults, read_lines
from pokerlab.reading import json_value


class History:
    """A file of hands, open for writing."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, read_only=False)
        self.run(f"begin; {TABLES} create or replace view players as {PLAYERS}; commit")

    def run(self, command: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows that a command in SQL gives; BadFile where the database cannot do it: no space is left, say."""
        with changing(self.path):
            return self._connection.execute(command, list(values)).fetchall()

    def close(self) -> None:
        """Write everything to the file and let go of it."""
        with changing(self.path):
            self._connection.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, settings: dict[str, Any], *, resume: bool = False) -> Kept:
        """A new match; with `resume` the one with these settings that is in the file, cut off or finished, if any."""
        found = self.run(
            "select match, finished from matches where settings = ? order by finished, match",
            [json.dumps(settings, sort_keys=True)],
        )
        if found and resume:
            return Kept(self, int(found[0][0]))
        if found and not found[0][1]:
            raise BadSetting(f"{self.path} holds this match already, not finished: resume it, or write to another file")
        return Kept(self, self.add_match(settings, source="pokerlab", finished=False))

    def add_match(self, settings: dict[str, Any], *, source: str, finished: bool = True) -> int:
        """A row of `matches`; the number of the match."""
        ((number,),) = self.run("select coalesce(max(match), 0) + 1 from matches")
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
        connection = self._connection
        with changing(self.path):
            connection.execute("begin")
            try:
                insert_lines(connection, lines, table="hands", match=match, block=block)
                connection.execute("insert into blocks values (?, ?, ?, ?)", [match, block, len(lines), remarks])
                connection.execute("commit")
            except Exception:
                with suppress(Exception):  # a database that failed has rolled back already
                    connection.execute("rollback")
                raise


class Kept:
    """One match of a history file, while it is played."""

    def __init__(self, history: History, number: int) -> None:
        self._history = history
        self.number = number
        self._folder = journal_folder(history.path)
        with changing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        ((done,),) = history.run("select count(*) from blocks where match = ?", [number])
        self.blocks_done = int(done)
        for block in range(self.blocks_done):  # a kill between the two left a journal that has been taken in
            self._journal(block).unlink(missing_ok=True)

    def _journal(self, block: int) -> Path:
        return self._folder / f"{self.number}-{block}.tsv"

    def with_journal(self, piece: Block) -> Block:
        """The same piece of work, keeping its hands."""
        return replace(piece, journal=self._journal(piece.number))

    def add(self, result: BlockResult) -> None:
        """Take a block that is over into the file."""
        journal = self._journal(result.number)
        said = json.dumps([[agent, text, count] for (agent, text), count in result.remarks.items()])
        lines = read_lines(journal)
        if len(lines) != result.payoffs[..., 0].size:
            raise BadFile(f"{journal} is damaged: it has {len(lines)} hands, not {result.payoffs[..., 0].size}")
        self._history.take_in(self.number, result.number, lines, remarks=said)
        journal.unlink()

    def block(self, piece: Block) -> BlockResult:
        """A block that was played before, from the file."""
        rows = self._history.run(
            "select pass, deal, seats, payoffs, adjusted, faults from hands "
            "where match = ? and block = ? order by hand",
            [self.number, piece.number],
        )
        shape = (piece.passes, piece.deals, piece.game.players)
        if len(rows) != shape[0] * shape[1]:
            raise BadFile(f"{self._history.path} is damaged: block {piece.number} of match {self.number} is not whole")
        payoffs, adjusted = np.zeros(shape), np.zeros(shape) if piece.adjust else None
        faults: Counter[tuple[int, str]] = Counter()
        with sound(self._history.path):
            for passed, deal, seats, won, expected, text in rows:
                payoffs[passed, deal - piece.first, seats] = won
                if adjusted is not None:
                    adjusted[passed, deal - piece.first, seats] = expected
                faults.update(read_faults(text or ""))
            return BlockResult(piece.number, payoffs, adjusted, faults, self._remarks(piece.number))

    def _remarks(self, block: int) -> Counter[tuple[int, str]]:
        ((said,),) = self._history.run("select remarks from blocks where match = ? and block = ?", [self.number, block])
        return Counter({(agent, text): count for agent, text, count in json_value(said or "[]")})

    def finish(self) -> None:
        """All blocks are in."""
        self._history.run("update matches set finished = true where match = ?", [self.number])
        with suppress(OSError):
            self._folder.rmdir()


def journal_folder(path: Path) -> Path:
    """Where the journals of a file of hands are, while blocks are being played: a file MATCH-BLOCK.tsv each."""
    return path.with_name(path.name + ".journal")
