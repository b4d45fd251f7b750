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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import BadFile, BadSetting
from pokerlab.match.hands.database import PLAYERS, TABLES, changing, connect, insert_lines, sound
from pokerlab.match.hands.journal import agent_number, read_faults, read_lines
from pokerlab.match.run.block import Block, BlockResult
from pokerlab.reading import count, finite, json_value, text_of
from pokerlab.version import __version__


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

    def begin(self, settings: dict[str, Any], *, resume: bool = False) -> KeptMatch:
        """A new match; with `resume` the one with these settings that is in the file, cut off or finished, if any."""
        found = self.ask(
            "select match, finished from matches where settings = ? order by finished, match",
            [json.dumps(settings, sort_keys=True)],
        )
        if found and resume:
            return KeptMatch(self, int(found[0][0]))
        if found and not found[0][1]:
            raise BadSetting(f"{self.path} holds this match already, not finished: resume it, or write to another file")
        return KeptMatch(self, self.add_match(settings, source="pokerlab", finished=False))

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


class KeptMatch:
    """One match of a history file, while it is played."""

    def __init__(self, history: History, number: int) -> None:
        self._history = history
        self.number = number
        self._folder = journal_folder(history.path)
        with changing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        ((done,),) = history.ask("select count(*) from blocks where match = ?", [number])
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
        rows = self._history.ask(
            "select pass, deal, seats, payoffs, adjusted, faults from hands "
            "where match = ? and block = ? order by hand",
            [self.number, piece.number],
        )
        shape = (piece.passes, piece.deals, piece.game.players)
        places = list(product(range(piece.passes), range(piece.first, piece.first + piece.deals)))
        if [row[:2] for row in rows] != places:
            raise BadFile(f"{self._history.path} is damaged: block {piece.number} of match {self.number} is not whole")
        payoffs, adjusted = np.zeros(shape), np.zeros(shape) if piece.adjust else None
        faults: Counter[tuple[int, str]] = Counter()
        with sound(self._history.path):
            for passed, deal, seats, won, expected, text in rows:
                place = passed, deal - piece.first
                payoffs[place] = _by_agent(seats, won, piece.game.players)
                if adjusted is not None:
                    adjusted[place] = _by_agent(seats, expected, piece.game.players)
                faults.update(read_faults(text or "", piece.game.players))
            return BlockResult(piece.number, payoffs, adjusted, faults, self._remarks(piece))

    def _remarks(self, piece: Block) -> Counter[tuple[int, str]]:
        ((said,),) = self._history.ask(
            "select remarks from blocks where match = ? and block = ?", [self.number, piece.number]
        )
        return Counter(
            {
                (agent_number(agent, piece.game.players), text_of(text)): count(times)
                for agent, text, times in json_value(said or "[]")
            }
        )

    def finish(self) -> None:
        """All blocks are in."""
        self._history.run("update matches set finished = true where match = ?", [self.number])
        with suppress(OSError):
            self._folder.rmdir()


def _by_agent(seats: Sequence[int], values: Sequence[float], players: int) -> list[float]:
    """The values of a hand by agent, from those by seat; ValueError where they are not one for each."""
    if sorted(seats) != list(range(players)) or len(values) != players:
        raise ValueError(f"a hand is not one of {players} seats")
    return [finite(values[seats.index(agent)]) for agent in range(players)]


def journal_folder(path: Path) -> Path:
    """Where the journals of a file of hands are, while blocks are being played: a file MATCH-BLOCK.tsv each."""
    return path.with_name(path.name + ".journal")
