"""Reading a hand-history file: read-only queries, its matches, and single hands.

Hands of an interrupted match are in journals beside the file; they are read too, and queries include them.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.cards.hand_groups import hand_group
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.formats.game_words import game_from
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.betting_actions import BettingReader
from pokerlab.match.hands.database import HANDS, PLAYERS, STAKES, connect, insert_lines, interruptible, sound
from pokerlab.match.hands.history import journal_folder
from pokerlab.match.hands.journal import SavedHand, Stakes, read_faults, read_lines
from pokerlab.reading import finite, json_value, text_of
from pokerlab.store import FolderStore

_STEPS = """(
    match integer, betting varchar, number integer, seat integer, street varchar, action varchar, chips double,
    to_call double, pot double
)"""
_FROM_STEPS = """
insert into steps
select {match}, field[1], field[2]::integer, field[3]::integer, field[4], field[5], field[6]::double, field[7]::double,
    field[8]::double
from (select string_split(line, chr(9)) as field from (select unnest(string_split(?, chr(10))) as line))
"""
_ACTIONS = """
    select match, hand, deal, pass, number, seat, matches.agents[seats[seat + 1] + 1] as agent, street, action, chips,
        to_call, pot
    from (
        select hands.* replace (
            case when stacks is null then coalesce(betting, '') else concat('#', hand::varchar) end as betting
        ) from hands left join stakes using (match, hand)
    ) join steps using (match, betting) join matches using (match)
"""
_BATCH = 20_000  # actions inserted at a time


@dataclass(frozen=True)
class MatchRow:
    """One match of a file."""

    number: int
    game: PokerGame
    agents: tuple[str, ...]
    hands: int  # in the file
    wanted: int
    seed: int | None
    duplicate: bool
    source: str  # origin of the hands: "pokerlab", or the format of an import
    finished: bool
    contest: str = ""  # "freezeout" or "match-play" if stacks are carried from hand to hand

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        shown = ("agents", "hands", "seed", "duplicate", "source", "finished")
        return {"match": self.number, "game": self.game.name} | {name: getattr(self, name) for name in shown}


@dataclass(frozen=True)
class QueryResult:
    """The rows of a query; `more` says that the limit cut off further rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {"columns": self.columns, "rows": [_plain(row) for row in self.rows], "more": self.more}


def _plain(value: Any) -> Any:
    """A JSON-compatible value."""
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


class HandsFile:
    """A hand-history file, open for reading only."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, read_only=True)
        self._has_actions = self._has_categories = False
        try:
            with interruptible():
                self._read_journals()
        except PokerlabError:
            self._connection.close()
            raise
        except Exception as problem:
            self._connection.close()
            raise BadFile(f"{self.path} is a database, but not a file of hands that can be read") from problem

    def _read_journals(self) -> None:
        """Add hands that are only in journals, through views that shadow the tables.

        The file's own view of players is always shadowed and never used.
        """
        run = self._connection.execute
        taken = set(run("select match, block from blocks").fetchall())
        blocks = {}
        journals = FolderStore(journal_folder(self.path))
        for name in journals.names():
            numbers = re.fullmatch(r"(\d+)-(\d+)\.tsv", name)
            if numbers and (block := (int(numbers[1]), int(numbers[2]))) not in taken:
                blocks[block] = read_lines(journals, name)
        if any(blocks.values()):
            (file,) = run("select current_database()").fetchone() or ("",)
            stored = '"' + file.replace('"', '""') + '".main.hands'
            run(f"create temp table journalled as select * from {stored} limit 0")
            for (match, number), lines in sorted(blocks.items()):
                insert_lines(self._connection, lines, table="journalled", match=match, block=number)
            run(f"create temp view hands as select * from {stored} union all select * from journalled")
        run(f"create temp view players as {PLAYERS}")
        tables = {name for (name,) in run("select table_name from duckdb_tables() where not internal").fetchall()}
        if "stakes" not in tables:  # a file of an earlier version
            run(STAKES.replace("create table if not exists", "create temp table"))

    def __enter__(self) -> HandsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def query(self, text: str, *, most: int = 100_000, seconds: float | None = None) -> QueryResult:
        """The result of an SQL query; it can change nothing and read no other file, and is stopped after `seconds`.

        The table `actions` is made when a query first names it: every distinct betting is replayed once. So is the
        column `category` of players: the category of five cards dealt, or the group of one or two.
        """
        import duckdb

        if not self._has_actions and re.search(r"\bactions\b", text, re.IGNORECASE):
            self._add_actions()
        if not self._has_categories and re.search(r"\bcategory\b", text, re.IGNORECASE):
            self._add_categories()
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self._connection.interrupt()

        limit = threading.Timer(seconds or 0.0, expire)
        try:
            if seconds is not None:
                limit.start()
            with interruptible():
                done = self._connection.execute(text)
                described = done.description if done is not None else None  # an empty query has no result
                if any(_is_zoned(column) for column in described or ()):
                    done = self._connection.execute(_times_as_text(text, described))
                rows = done.fetchmany(most + 1) if described else []
        except duckdb.Error as problem:
            shown = " ".join(str(problem).split())[:300]
            if "Traceback" in shown:  # a value without a plain Python equivalent
                shown = "a value of this kind cannot be shown; make it text, as in now()::varchar"
            raise BadSetting(f"the query cannot be answered: {shown}") from problem
        except KeyboardInterrupt as problem:
            if not expired.is_set():
                raise
            raise BadSetting(f"the query took longer than {seconds:g} s, and was stopped") from problem
        finally:
            limit.cancel()
        columns = tuple(str(column[0]) for column in described or ())
        return QueryResult(columns, rows[:most], len(rows) > most)

    def _add_categories(self) -> None:
        """Add the column `category` to the view `players`."""
        run = self._connection.execute
        with sound(self.path):
            run("create or replace temp table categories (match integer, cards varchar, category varchar)")
            for match in self.matches():
                deck = match.game.deck
                rows = run("select distinct cards from players where match = ?", [match.number]).fetchall()
                held = [cards or "" for (cards,) in rows]
                groups = [hand_group(deck, cards) for cards in held]
                run("insert into categories select ?, unnest(?), unnest(?)", [match.number, held, groups])
            run(
                f"create or replace temp view players as select dealt.*, nullif(category, '') as category "
                f"from ({PLAYERS}) as dealt left join categories using (match, cards)"
            )
        self._has_categories = True

    def _add_actions(self) -> None:
        """Make the view `actions` of every action of every hand."""
        run = self._connection.execute
        with sound(self.path):
            run(f"create or replace temp table steps {_STEPS}")
            for match in self.matches():
                lines = []
                for key, betting, reader in self._bettings(match):
                    for number, step in enumerate(reader.read(betting).actions):
                        cells = (key, number, step.seat, *step[2:7])
                        lines.append("\t".join(map(str, cells)))
                    if len(lines) >= _BATCH:
                        run(_FROM_STEPS.format(match=match.number), ["\n".join(lines)])
                        lines = []
                if lines:
                    run(_FROM_STEPS.format(match=match.number), ["\n".join(lines)])
            run(f"create or replace temp view actions as {_ACTIONS}")
        self._has_actions = True

    def _bettings(self, match: MatchRow) -> Iterator[tuple[str, str, BettingReader]]:
        """Every different betting of a match with its key and reader; every hand's where stacks change."""
        if match.contest:
            for hand in self.hands(match):
                yield f"#{hand.number}", hand.betting, BettingReader(hand.game(match))
            return
        reader = BettingReader(match.game)
        question = "select distinct coalesce(betting, '') from hands where match = ?"
        for (betting,) in self._connection.execute(question, [match.number]).fetchall():
            yield betting, betting, reader

    def matches(self) -> list[MatchRow]:
        """Every match of the file."""
        with sound(self.path):
            rows = self._connection.execute(
                "select match, settings, agents, (select count(*) from hands where hands.match = matches.match), "
                "hands, seed, duplicate, source, finished from matches order by match"
            ).fetchall()
            return [
                MatchRow(
                    number=int(number),
                    game=game_from(json_value(settings)),
                    agents=tuple(map(str, agents)),
                    hands=int(hands),
                    wanted=int(wanted),
                    seed=seed,
                    duplicate=bool(duplicate),
                    source=text_of(source),
                    finished=bool(finished),
                    contest=text_of(json_value(settings).get("contest", {}).get("kind", "")),
                )
                for number, settings, agents, hands, wanted, seed, duplicate, source, finished in rows
            ]

    def match(self, number: int | None = None) -> MatchRow:
        """One match by its number; default: the last one."""
        matches = self.matches()
        if not matches:
            raise BadFile(f"{self.path} holds no matches yet")
        chosen = [match for match in matches if number in (None, match.number)]
        if not chosen:
            raise BadSetting(f"{self.path} has matches 1 to {matches[-1].number}, not {number}")
        return chosen[-1]

    def hand(self, match: MatchRow, number: int) -> SavedHand:
        """One hand of a match."""
        with sound(self.path):
            fetched = self._connection.execute(
                f"{HANDS} where match = ? and hand = ?", [match.number, number]
            ).fetchone()
            if fetched:
                return saved_hand(fetched, agents=len(match.agents), players=match.game.players)
        raise BadSetting(f"match {match.number} has hands 0 to {match.hands - 1}, not {number}")

    def hands(self, match: MatchRow) -> Iterator[SavedHand]:
        """Every hand of a match in order, fetched in batches."""
        last, agents = -1, len(match.agents)
        question = f"{HANDS} where match = ? and hand > ? order by hand limit 2000"
        while True:
            with sound(self.path):
                fetched = self._connection.execute(question, [match.number, last]).fetchall()
                rows = [saved_hand(one, agents=agents, players=match.game.players) for one in fetched]
            if not rows:
                return
            yield from rows
            last = rows[-1].number


def _is_zoned(column: tuple[Any, ...]) -> bool:
    """Whether a column holds times with a time zone, which DuckDB only converts if pytz is installed."""
    return str(column[1]) == "TIMESTAMP WITH TIME ZONE"


def _times_as_text(text: str, columns: list[tuple[Any, ...]]) -> str:
    """The same query with time-zone columns cast to text."""
    names = [f"c{i}" for i in range(len(columns))]
    wanted = [f"{name}::varchar" if _is_zoned(column) else name for name, column in zip(names, columns, strict=True)]
    return f"select {', '.join(wanted)} from ({text.strip().rstrip(';')}\n) as answer({', '.join(names)})"


def saved_hand(fetched: tuple[Any, ...], *, agents: int, players: int) -> SavedHand:
    """A hand from its row; raises ValueError if its lists do not match the seats, or an agent does not exist."""
    number, deal, passed, seats, cards, betting, payoffs, adjusted, faults, *amounts = fetched
    stakes = None if amounts[0] is None else Stakes(*(tuple(map(int, values)) for values in amounts))
    players = players if stakes is None else len(stakes.stacks)
    if not len(seats) == len(payoffs) == players == len(adjusted if adjusted is not None else payoffs):
        raise ValueError(f"hand {number} is not one of {players} seats")
    if not all(0 <= agent < agents for agent in seats):
        raise ValueError(f"hand {number} has seats of agents that are not in the match")
    return SavedHand(
        int(number),
        int(deal),
        int(passed),
        tuple(map(int, seats)),
        text_of(cards or ""),
        betting or "",  # null in files of earlier versions if there was no betting
        tuple(map(finite, payoffs)),
        tuple(map(finite, adjusted or ())),
        read_faults(faults or "", agents),
        stakes,
    )
