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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab import __version__
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.match.block import Block, BlockResult
from pokerlab.match.journal import COLUMNS, read_faults
from pokerlab.reading import json_value

if TYPE_CHECKING:
    import duckdb

_SCHEMA = """
create table if not exists matches (
    match integer primary key, game varchar, agents varchar[], hands bigint, seed bigint, duplicate boolean,
    settings varchar, version varchar, source varchar, finished boolean
);
create table if not exists hands (
    match integer, hand bigint, deal bigint, pass integer, block integer, seats integer[], cards varchar,
    betting varchar, payoffs double[], adjusted double[], faults varchar
);
create table if not exists blocks (match integer, block integer, hands integer, remarks varchar);
create or replace view players as {players};
"""
PLAYERS = """
    select match, hand, deal, pass, seat, matches.agents[seats[seat + 1] + 1] as agent,
        string_split(string_split(cards, '/')[1], '|')[seat + 1] as cards,
        payoffs[seat + 1] as payoff, adjusted[seat + 1] as adjusted
    from (select *, unnest(range(len(payoffs))) as seat from hands) join matches using (match)
"""
FROM_JOURNAL = f"""
select {{match}} as match, hand::bigint as hand, deal::bigint as deal, pass::integer as pass, {{block}} as block,
    string_split(seats, '|')::integer[] as seats, cards, coalesce(betting, '') as betting,
    string_split(payoffs, '|')::double[] as payoffs,
    case when adjusted is null or adjusted = '' then null else string_split(adjusted, '|')::double[] end as adjusted,
    case when faults = '' then null else faults end as faults
from read_csv(?, delim = '\t', header = false, quote = '', escape = '', auto_detect = false, strict_mode = false,
    columns = {{{{{", ".join(f"'{name}': 'varchar'" for name in COLUMNS)}}}}})
"""


class History:
    """A file of hands, open for writing."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, read_only=False)
        with sound(self.path):
            self._connection.execute(_SCHEMA.format(players=PLAYERS))

    def close(self) -> None:
        """Write everything to the file and let go of it."""
        self._connection.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, settings: dict[str, Any], *, resume: bool = False) -> Kept:
        """A new match; with `resume` the one with these settings that is in the file, cut off or finished, if any."""
        with sound(self.path):
            found = self._connection.execute(
                "select match, finished from matches where settings = ? order by finished, match",
                [json.dumps(settings, sort_keys=True)],
            ).fetchone()
        if found and resume:
            return Kept(self, int(found[0]))
        if found and not found[1]:
            raise BadSetting(f"{self.path} holds this match already, not finished: resume it, or write to another file")
        return Kept(self, self.add_match(settings, source="pokerlab", finished=False))

    def add_match(self, settings: dict[str, Any], *, source: str, finished: bool = True) -> int:
        """A row of `matches`; the number of the match."""
        with sound(self.path):
            (number,) = self._connection.execute("select coalesce(max(match), 0) + 1 from matches").fetchone() or (1,)
            self._insert(int(number), settings, source=source, finished=finished)
        return int(number)

    def _insert(self, number: int, settings: dict[str, Any], *, source: str, finished: bool) -> None:
        self._connection.execute(
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

    def take_in(self, match: int, block: int, journal: Path, *, hands: int, remarks: str = "[]") -> None:
        """Take the hands of a journal into the file, all or none."""
        connection = self._connection
        with sound(self.path):
            connection.execute("begin")
        try:
            taken = FROM_JOURNAL.format(match=int(match), block=int(block))
            with sound(journal):
                connection.execute(f"insert into hands {taken}", [str(journal)])
            with sound(self.path):
                connection.execute("insert into blocks values (?, ?, ?, ?)", [match, block, hands, remarks])
                connection.execute("commit")
        except Exception:
            with suppress(Exception):  # a file that broke in the middle cannot be rolled back either
                connection.execute("rollback")
            raise

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection, for queries."""
        return self._connection


class Kept:
    """One match of a history file, while it is played."""

    def __init__(self, history: History, number: int) -> None:
        self._history = history
        self.number = number
        self._folder = journal_folder(history.path)
        self._folder.mkdir(parents=True, exist_ok=True)
        ((done,),) = self._rows("select count(*) from blocks where match = ?", [number])
        self.blocks_done = int(done)
        for block in range(self.blocks_done):  # a kill between the two left a journal that has been taken in
            self._journal(block).unlink(missing_ok=True)

    def _rows(self, query: str, values: list[Any]) -> list[Any]:
        with sound(self._history.path):
            return self._history.connection.execute(query, values).fetchall()

    def _journal(self, block: int) -> Path:
        return self._folder / f"{self.number}-{block}.tsv"

    def with_journal(self, piece: Block) -> Block:
        """The same piece of work, keeping its hands."""
        return replace(piece, journal=self._journal(piece.number))

    def add(self, result: BlockResult) -> None:
        """Take a block that is over into the file."""
        journal = self._journal(result.number)
        said = json.dumps([[agent, text, count] for (agent, text), count in result.remarks.items()])
        self._history.take_in(self.number, result.number, journal, hands=result.payoffs[..., 0].size, remarks=said)
        journal.unlink()

    def block(self, piece: Block) -> BlockResult:
        """A block that was played before, from the file."""
        rows = self._rows(
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
        ((said,),) = self._rows("select remarks from blocks where match = ? and block = ?", [self.number, block])
        return Counter({(agent, text): count for agent, text, count in json_value(said or "[]")})

    def finish(self) -> None:
        """All blocks are in."""
        self._rows("update matches set finished = true where match = ?", [self.number])
        with suppress(OSError):
            self._folder.rmdir()


def journal_folder(path: Path) -> Path:
    """Where the journals of a file of hands are, while blocks are being played: a file MATCH-BLOCK.tsv each."""
    return path.with_name(path.name + ".journal")


def connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """A connection to a file of hands; BadFile where it is none, or another program has it open."""
    import duckdb

    try:
        if (read_only or path.exists()) and not path.is_file():
            raise BadFile(f"there is no file {str(path)[:200]}")
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = duckdb.connect(str(path), read_only=read_only)
    except duckdb.IOException as problem:
        if "lock" in str(problem).lower():
            raise BadFile(f"{path} is in use: a match is being written to it") from problem
        raise BadFile(f"{path} is not a file of hands: {_first_line(problem)}") from problem
    except BadFile:
        raise
    except (duckdb.Error, OSError, ValueError) as problem:
        raise BadFile(f"cannot open {str(path)[:200]}: {_first_line(problem)}") from problem
    return connection


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """What the database says to a file that was tampered with, and what does not fit in it, as a BadFile."""
    import duckdb

    try:
        yield
    except PokerlabError:
        raise
    except (duckdb.Error, KeyError, IndexError, TypeError, ValueError, RuntimeError) as problem:
        raise BadFile(f"{path} is damaged: {_first_line(problem)}") from problem


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
