"""The database behind a hand-history file: its schema, and how to open one from an untrusted source.

A connection can access no other file, load no extension, and has these settings locked from the start, so nothing in a
database can change that. A database with anything other than the tables and the view of a hand-history file (another
view, a function, a generated column) is rejected, naming the object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.errors import BadFile, PokerlabError, check_textual
from pokerlab.match.hands.journal import COLUMNS, SavedHand
from pokerlab.places import is_url, url_of
from pokerlab.writing import reason

if TYPE_CHECKING:
    import duckdb

STAKES = """
create table if not exists stakes (match integer, hand bigint, stacks bigint[], blinds bigint[], antes bigint[]);
"""
TABLES = (
    """
create table if not exists matches (
    match integer primary key, game varchar, agents varchar[], hands bigint, seed bigint, duplicate boolean,
    settings varchar, version varchar, source varchar, finished boolean
);
create table if not exists hands (
    match integer, hand bigint, deal bigint, pass integer, block integer, seats integer[], cards varchar,
    betting varchar, payoffs double[], adjusted double[], faults varchar
);
create table if not exists blocks (match integer, block integer, hands integer, remarks varchar);
"""
    + STAKES
)
_ADDED = {"stakes"}  # tables that files of earlier versions lack
HANDS = f"select {', '.join(COLUMNS)}, stacks, blinds, antes from hands left join stakes using (match, hand)"
PLAYERS = """
    select match, hand, deal, pass, seat, matches.agents[seats[seat + 1] + 1] as agent,
        string_split(string_split(cards, '/')[1], '|')[seat + 1] as cards,
        payoffs[seat + 1] as payoff, adjusted[seat + 1] as adjusted
    from (select *, unnest(range(len(payoffs))) as seat from hands) join matches using (match)
"""
_CONFINED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,  # names in a query never refer to Python variables
    "lock_configuration": True,
}
_FROM_LINES = """
insert into {table}
select {match}, field[1]::bigint, field[2]::bigint, field[3]::integer, {block}, string_split(field[4], '|')::integer[],
    field[5], field[6], string_split(field[7], '|')::double[],
    case when field[8] = '' then null else string_split(field[8], '|')::double[] end, nullif(field[9], '')
from (select string_split(line, chr(9)) as field from (select unnest(string_split(?, chr(10))) as line))
"""
_BATCH = 20_000  # journal lines inserted at a time


def connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """A sandboxed connection to a hand-history file; raises BadFile if it is not one, or is in use."""
    import duckdb

    check_textual(path)
    if is_url(path):
        raise BadFile(
            f"{url_of(path)} is in a shared place, and hands are saved in a database, which needs a disk: name a file "
            "here; with --cluster 'auto(shared=\"s3://bucket/folder\")' their journals are in the shared place"
        )
    new = False
    try:
        new = not path.exists()
        if new and read_only:
            raise BadFile(f"cannot read {str(path)[:200]}: there is no such file")
        if not new and not path.is_file():
            raise BadFile(f"cannot open {str(path)[:200]}: it is not a regular file")
        if new:
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = duckdb.connect(str(path), read_only=read_only, config=_CONFINED)
    except duckdb.IOException as problem:
        if new:  # remove the incomplete file
            path.unlink(missing_ok=True)
            raise BadFile(f"cannot write {path}: {_first_line(problem)}") from problem
        if any(words in str(problem).lower() for words in ("lock", "used by another process")):  # second: Windows
            raise BadFile(f"{path} is in use: a match is being written to it") from problem
        raise BadFile(f"{path} is not a file of hands: {_first_line(problem)}") from problem
    except PokerlabError:
        raise
    except OSError as problem:
        raise BadFile(f"cannot open {str(path)[:200]}: {reason(problem)}") from problem
    except (duckdb.Error, ValueError) as problem:
        raise BadFile(f"cannot open {str(path)[:200]}: {_first_line(problem)}") from problem
    try:
        strange = _strange(connection, complete=read_only)
    except duckdb.Error as problem:
        strange = _first_line(problem)
    if strange:
        connection.close()
        raise BadFile(f"{path} is a database, but not a file of hands: {strange}")
    return connection


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt if the database was interrupted: it handles Ctrl-C itself and reports an error."""
    import duckdb

    try:
        yield
    except (RuntimeError, duckdb.InterruptException) as problem:
        if "interrupt" not in str(problem).lower():
            raise
        raise KeyboardInterrupt from problem


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """Raise database errors from tampered files and values that do not fit as BadFile."""
    import duckdb

    try:
        with interruptible():
            yield
    except BadFile:
        raise
    except (duckdb.Error, KeyError, IndexError, TypeError, ValueError, RuntimeError) as problem:
        raise BadFile(f"{path} is damaged: {_first_line(problem)}") from problem


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Raise BadFile if the database cannot make a change in this block, for example because the disk is full."""
    import duckdb

    try:
        with interruptible():
            yield
    except duckdb.Error as problem:
        raise BadFile(f"cannot write {path}: {_first_line(problem)}") from problem
    except OSError as problem:
        raise BadFile(f"cannot write {path}: {reason(problem)}") from problem


def insert_lines(
    connection: duckdb.DuckDBPyConnection, lines: Sequence[str], *, table: str, match: int, block: int
) -> None:
    """Insert journal lines into a table of hands."""
    for place, line in enumerate(lines, start=1):
        if line.count("\t") != len(COLUMNS) - 1:
            raise BadFile(f"the journal of block {block} of match {match} is damaged: line {place} is not a hand")
    command = _FROM_LINES.format(table=table, match=int(match), block=int(block))
    for first in range(0, len(lines), _BATCH):
        connection.execute(command, ["\n".join(lines[first : first + _BATCH])])


def insert_stakes(connection: duckdb.DuckDBPyConnection, hands: Sequence[SavedHand], *, match: int) -> None:
    """Insert what hands were played for."""
    rows = [(hand.number, *hand.stakes) for hand in hands if hand.stakes is not None]
    for first in range(0, len(rows), _BATCH):
        columns = [list(column) for column in zip(*rows[first : first + _BATCH], strict=True)]
        connection.execute(
            "insert into stakes select ?, unnest(?), unnest(?), unnest(?), unnest(?)",
            [match, *([list(value) if isinstance(value, tuple) else value for value in column] for column in columns)],
        )


_KINDS = {
    "a view": "select schema_name, view_name from system.main.duckdb_views() where not internal",
    "a function": "select schema_name, function_name from system.main.duckdb_functions() where not internal",
    "an index": "select schema_name, index_name from system.main.duckdb_indexes()",
    "a sequence": "select schema_name, sequence_name from system.main.duckdb_sequences()",
    "a type": "select schema_name, type_name from system.main.duckdb_types() where not internal",
    "a schema": "select database_name, schema_name from system.main.duckdb_schemas() where not internal",
    "a trigger": "select schema_name, trigger_name from system.main.duckdb_triggers()",
}


def _strange(connection: duckdb.DuckDBPyConnection, *, complete: bool) -> str | None:
    """The first object that a hand-history file should not have, or lacks; None if the schema is right.

    Only system functions are called here: a database may define functions with the same names.
    """
    import duckdb

    for kind, question in _KINDS.items():
        try:
            named = connection.execute(question).fetchall()
        except duckdb.CatalogException:  # a DuckDB version before triggers
            continue
        for place, name in named:
            if (kind, place, name) != ("a view", "main", "players"):
                return f"it holds {kind} named {name[:60]!r}"
    wanted = {text.partition("(")[0].split()[-1]: _plain(text) for text in TABLES.split(";") if text.strip()}
    tables = connection.execute(
        "select table_name, column_count, sql from system.main.duckdb_tables() where not internal"
    ).fetchall()
    for name, count, form in tables:
        if name not in wanted:
            return f"it holds a table named {name[:60]!r}"
        if _plain(form) != wanted[name] or count != wanted[name].count(",") + 1:
            return f"its table {name!r} is not defined as in a file of hands"
    missing = sorted(wanted.keys() - _ADDED - {name for name, _, _ in tables})
    return f"it has no table {missing[0]!r}" if missing and complete else None


def _plain(statement: str) -> str:
    """A CREATE TABLE statement in normalized spelling: columns, types, defaults, constraints."""
    words = statement.lower().replace('"', "").replace("if not exists", "").strip("; \n").replace("(", " ( ")
    return " ".join(words.replace(")", " ) ").split())


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
