"""Files of hands from anyone: nothing in them reaches another file, and what is more than hands is refused by name."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from pokerlab.errors import BadFile, BadSetting
from pokerlab.match.hands.database import TABLES, insert_lines
from pokerlab.match.hands.history import History
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.saved import save_match

SECRET = "the secret of another file"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "h.duckdb"
    settings = MatchSettings.of("leduc", ["random", "always-call"], hands=60, seed=3, duplicate=True, block=10)
    with History(path) as history:
        play_match(settings, saved=save_match(history, settings.as_dict()))
    return path


@pytest.fixture
def file(played: Path, tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.csv").write_text(f"content\n{SECRET}\n")
    return Path(shutil.copy(played, tmp_path / "h.duckdb"))


def changed(path: Path, *commands: str) -> Path:
    """The file with something done to it by another program."""
    with duckdb.connect(str(path)) as connection:
        for command in commands:
            connection.execute(command.replace("SECRET", str(path.parent / "secret")))
    return path


HOSTILE = {
    "a view over a text file": (["create view spy as select * from read_text('SECRET.txt')"], "a view named 'spy'"),
    "a view over a table file": (["create view spy as select * from read_csv('SECRET.csv')"], "a view named 'spy'"),
    "hands as a view": (
        ["drop table hands", "create view hands as select content as cards from read_text('SECRET.txt')"],
        "a view named 'hands'",
    ),
    "matches as a view": (
        ["drop view players", "drop table matches", "create view matches as select * from read_csv('SECRET.csv')"],
        "a view named 'matches'",
    ),
    "blocks as a view": (["drop table blocks", "create view blocks as select 1 as match"], "a view named 'blocks'"),
    "a macro": (["create macro peek() as (select content from read_text('SECRET.txt'))"], "a function named 'peek'"),
    "a table macro": (["create macro peek() as table from read_text('SECRET.txt')"], "a function named 'peek'"),
    "a macro in place of a function": (["create macro len(x) as 7"], "a function named 'len'"),
    "a macro in place of the catalogue": (
        ["create macro duckdb_views() as table select 'main' as schema_name", "create view spy as select 1"],
        "'duckdb_views'|'spy'",
    ),
    "a generated column": (
        ["drop table blocks", f"{TABLES.split(';')[2].rstrip(')')} generated always as ('spy'))"],
        "table 'blocks' is not defined as",
    ),
    "a column more": (["alter table hands add column more integer"], "table 'hands' is not defined as"),
    "a column less": (["drop view players", "alter table hands drop column faults"], "table 'hands' is not defined as"),
    "a column of another type": (["alter table hands alter cards type blob"], "table 'hands' is not defined as"),
    "a column of another name": (["alter table blocks rename remarks to said"], "table 'blocks' is not defined as"),
    "a name that looks like two columns": (
        ["drop table blocks", 'create table blocks ("match integer, block" integer, hands integer, remarks varchar)'],
        "table 'blocks' is not defined as",
    ),
    "a default": (["alter table blocks alter remarks set default 'spy'"], "table 'blocks' is not defined as"),
    "a check": (
        ["drop table blocks", f"{TABLES.split(';')[2].rstrip(')')}, check (hands < 9))"],
        "table 'blocks' is not defined as",
    ),
    "a table more": (["create table notes (text varchar)"], "a table named 'notes'"),
    "a table less": (["drop table blocks"], "no table 'blocks'"),
    "a schema more": (["create schema other", "create table other.hands (x integer)"], "a schema named 'other'"),
    "an index": (["create index quick on hands (hand)"], "an index named 'quick'"),
    "a sequence": (["create sequence count_up"], "a sequence named 'count_up'"),
    "a type": (["create type mood as enum ('good', 'bad')"], "a type named 'mood'"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_more_than_hands_is_refused(file: Path, name: str) -> None:
    commands, words = HOSTILE[name]
    changed(file, *commands)
    before = file.read_bytes()
    with pytest.raises(BadFile, match=f"not a file of hands: .*({words})") as told:
        HandsFile(file)
    assert SECRET not in str(told.value)
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["hands as a view", "a macro", "a generated column", "a table more"])
def test_nor_is_it_written_to(file: Path, name: str) -> None:
    commands, words = HOSTILE[name]
    changed(file, *commands)
    before = file.read_bytes()
    with pytest.raises(BadFile, match=words):
        History(file)
    assert file.read_bytes() == before


def test_triggers_are_refused(file: Path) -> None:
    try:
        changed(
            file,
            "create trigger spy after insert on hands referencing new table as rows for each statement "
            "insert into blocks select 1, 1, 1, 'spy'",
        )
    except duckdb.Error:
        pytest.skip("this DuckDB has no triggers")
    for opened in (HandsFile, History):
        with pytest.raises(BadFile, match="a trigger named 'spy'"):
            opened(file)


def test_the_files_own_view_of_players_is_never_asked(file: Path) -> None:
    changed(file, "create or replace view players as select content as agent from read_text('SECRET.txt')")
    with HandsFile(file) as hands:
        assert hands.query("select distinct agent from players order by agent").rows == [("always-call",), ("random",)]
        with pytest.raises(BadSetting, match="cannot be answered"):
            hands.query("select * from h.main.players")
    with History(file) as history:
        assert history.ask("select distinct agent from players order by agent") == [("always-call",), ("random",)]


def test_a_write_ahead_log_is_read_under_the_same_rules(file: Path, tmp_path: Path) -> None:
    """A view that was written by a program that was killed lies in a log beside the file."""
    live = duckdb.connect(str(file))
    live.execute("set checkpoint_threshold = '1TB'; pragma disable_checkpoint_on_shutdown")
    live.execute(f"create view spy as select * from read_text('{file.parent / 'secret.txt'}')")
    live.close()
    assert (tmp_path / "h.duckdb.wal").exists()
    with pytest.raises(BadFile, match="a view named 'spy'"):
        HandsFile(file)


REFUSED = [
    "select * from read_text('SECRET.txt')",
    "select * from read_blob('SECRET.txt')",
    "select * from read_csv('SECRET.csv')",
    "from 'SECRET.csv'",
    "select * from glob('SECRET*')",
    "select * from sniff_csv('SECRET.csv')",
    "attach 'SECRET.duckdb' as other",
    "attach ':memory:' as other; create table other.x (y integer)",
    "copy hands to 'SECRET.out'",
    "copy (select 1) to 'SECRET.out' (format csv)",
    "export database 'SECRET.folder'",
    "import database 'SECRET.folder'",
    "install httpfs",
    "load httpfs",
    "load 'SECRET.duckdb_extension'",
    "set enable_external_access = true",
    "set allowed_paths = ['SECRET.txt']",
    "set temp_directory = 'SECRET.folder'",
    "pragma profiling_output = 'SECRET.out'",
    "call enable_logging(storage = 'file', storage_config = {'path': 'SECRET.out'})",
    "reset lock_configuration",
    "drop table hands",
    "update hands set cards = ''",
    "insert into blocks values (9, 9, 9, '')",
    "create table mine as select 1",
    "create view mine as select 1",
    "select * from secret_of_this_program",
    "select 1; copy hands to 'SECRET.out'",
    "select query('copy hands to ''SECRET.out''')",
]


def test_questions_reach_no_other_file(file: Path) -> None:
    secret_of_this_program = [SECRET]  # DuckDB can see variables of Python, unless told not to
    before, around = file.read_bytes(), sorted(file.parent.iterdir())
    with HandsFile(file) as hands:
        for query in REFUSED:
            with pytest.raises(BadSetting, match="cannot be answered") as told:
                hands.query(query.replace("SECRET", str(file.parent / "secret")))
            assert secret_of_this_program[0] not in str(told.value)
            assert sorted(file.parent.iterdir()) == around, query
    assert file.read_bytes() == before


BROKEN: dict[str, tuple[str, Callable[[HandsFile], object]]] = {
    "settings that are no JSON": ("update matches set settings = '{'", lambda hands: hands.matches()),
    "no settings": ("update matches set settings = null", lambda hands: hands.matches()),
    "settings of another kind": ("update matches set settings = '[1]'", lambda hands: hands.matches()),
    "settings too deep": ("update matches set settings = repeat('[', 100000)", lambda hands: hands.matches()),
    "no rules": ("""update matches set settings = '{"game": "x"}'""", lambda hands: hands.matches()),
    "no agents": ("update matches set agents = null", lambda hands: hands.matches()),
    "no seats": ("update hands set seats = null", lambda hands: hands.hand(hands.match(), 0)),
    "no payoffs": ("update hands set payoffs = null", lambda hands: hands.hand(hands.match(), 0)),
    "an empty payoff": ("update hands set payoffs = [null, 1]", lambda hands: list(hands.hands(hands.match()))),
    "no cards": ("update hands set cards = null", lambda hands: hands.hand(hands.match(), 0).steps(hands.match())),
    "agents that are not there": ("update hands set seats = [0, 2]", lambda hands: hands.hand(hands.match(), 0)),
    "agents below the first": ("update hands set seats = [0, -1]", lambda hands: hands.hand(hands.match(), 0)),
    "no source": ("update matches set source = null", lambda hands: hands.matches()),
    "no number of hands": ("update matches set hands = null, finished = null", lambda hands: hands.matches()),
    "rules that are none": (
        "update matches set settings = replace(settings, '\"players\": 2', '\"players\": 99')",
        lambda hands: hands.matches(),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_rows_that_make_no_sense_get_a_sentence(file: Path, name: str) -> None:
    command, asked = BROKEN[name]
    changed(file, command)
    with HandsFile(file) as hands, pytest.raises(BadFile, match=f"{file.name} is damaged|the cards .* are of 1 seats"):
        asked(hands)


@pytest.mark.parametrize("text", [b"nonsense\n", b"0\t0\t0\n", b"\n", b"\xff\xfe\t\n", b"x\t" * 8 + b"\n"])
def test_journals_that_make_no_sense_get_a_sentence(file: Path, text: bytes) -> None:
    folder = file.with_name(file.name + ".journal")
    folder.mkdir()
    (folder / "1-99.tsv").write_bytes(text)
    with pytest.raises(BadFile):
        HandsFile(file)


@pytest.mark.parametrize("count", [0, 1, 19_999, 20_000, 20_001])
def test_journals_of_every_length_are_taken_in_whole(tmp_path: Path, count: int) -> None:
    lines = [
        f"{i}\t{i}\t0\t1|0\tKs|{i}\tcr{'' if i % 3 else 'f'}\t-1|{i}.5\t{'' if i % 2 else '1|2'}\t"
        for i in range(count)
    ]
    with duckdb.connect(":memory:") as connection:
        connection.execute(TABLES)
        insert_lines(connection, lines, table="hands", match=2, block=5)
        rows = connection.execute("select * from hands order by hand").fetchall()
    assert len(rows) == count
    for i, row in list(enumerate(rows))[:: max(1, count // 50)]:
        adjusted = None if i % 2 else [1.0, 2.0]
        betting = "cr" if i % 3 else "crf"
        assert row == (2, i, i, 0, 5, [1, 0], f"Ks|{i}", betting, [-1.0, i + 0.5], adjusted, None)


@pytest.mark.parametrize("name", ['quo"te', "temp", "main", "ünï b.c"])
def test_files_of_any_name_with_journals(played: Path, tmp_path: Path, name: str) -> None:
    path = Path(shutil.copy(played, tmp_path / f"{name}.duckdb"))
    folder = path.with_name(path.name + ".journal")
    folder.mkdir()
    (folder / "1-99.tsv").write_text("60\t30\t0\t0|1\tKs|Qs/Ks\tcc/cc\t1|-1\t\t\n61\t30\t1\tcut of")
    with HandsFile(path) as hands:
        assert hands.query("select count(*), max(hand) from hands").rows == [(61, 60)]
        assert hands.query("select payoff from players where hand = 60 order by seat").rows == [(1.0,), (-1.0,)]
