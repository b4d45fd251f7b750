"""Files of hands: asked, listed, replayed, exported and imported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pokerlab.display.play.hands import hand_scenes
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.formats.opening import open_game
from pokerlab.lab.play.queries import ask_apart
from pokerlab.match.hands.database import interruptible
from pokerlab.match.hands.exchange import exported
from pokerlab.match.hands.history import History
from pokerlab.match.hands.imports import import_hands
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.saved import save_match


def kept(path: Path, game: str, agents: list[str], **settings: Any) -> Any:
    """Play a match into a file."""
    match = MatchSettings.of(game, agents, **settings)
    with History(path) as history:
        return play_match(match, saved=save_match(history, match.as_dict()))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hands") / "hands.duckdb"
    kept(path, "holdem-nolimit(stack=2000)", ["random", "always-call"], hands=60, duplicate=True, seed=2, block=7)
    kept(path, "holdem-limit(players=3)", ["random", "always-raise", "random"], hands=30, seed=3)
    kept(path, "five-card-draw", ["random", "random"], hands=20, seed=4, adjust="all-in")
    return path


def test_every_hand_is_kept(file: Path) -> None:
    with HandsFile(file) as hands:
        matches = hands.matches()
        assert [(match.hands, match.finished) for match in matches] == [(60, True), (30, True), (20, True)]
        for match in matches:
            rows = list(hands.hands(match))
            assert [row.number for row in rows] == list(range(match.hands))
            for row in rows:
                _, end = row.steps(match)
                assert match.game.returns(end) == row.payoffs


def test_payoffs_are_those_of_the_match(tmp_path: Path) -> None:
    path = tmp_path / "one.duckdb"
    result = kept(path, "leduc", ["formula", "random"], hands=100, duplicate=True, seed=6, block=9)
    with HandsFile(path) as hands:
        answer = hands.query("select agent, avg(payoff) from players group by agent order by agent")
    means = dict(zip(result.agents, (summary.mean for summary in result.summaries), strict=True))
    assert dict(answer.rows) == pytest.approx(means)


def test_deals_of_a_duplicate_match_are_played_from_both_seats(file: Path) -> None:
    with HandsFile(file) as hands:
        answer = hands.query(
            "select deal, count(distinct split_part(cards, '/', 1)), count(distinct seats) from hands "
            "where match = 1 group by deal"
        )
    assert {row[1:] for row in answer.rows} == {(1, 2)}


@pytest.mark.parametrize(
    "query",
    [
        "drop table hands",
        "insert into blocks values (1, 1, 1)",
        "select * from read_csv('/etc/passwd')",
        "copy hands to '/tmp/x.csv'",
        "attach '/tmp/y.duckdb'",
        "set enable_external_access = true",
        "selec",
        "",
        "♠" * 50,
    ],
)
def test_queries_can_only_read(file: Path, query: str) -> None:
    before = file.read_bytes()
    with HandsFile(file) as hands:
        if query:
            with pytest.raises(BadSetting, match="cannot be answered"):
                hands.query(query)
        else:
            assert hands.query(query).rows == []
    assert file.read_bytes() == before


def test_a_query_out_of_time_is_an_error_and_no_interrupt(file: Path) -> None:
    with HandsFile(file) as hands:
        with pytest.raises(BadSetting, match="took longer than 0.1 s"):
            hands.query("select count(*) from range(1000000000) a, range(1000) b", seconds=0.1)
        assert hands.query("select 1", seconds=5.0).rows == [(1,)]


@pytest.mark.slow
def test_strangers_ask_in_a_process_with_little_memory_and_see_no_folder(file: Path) -> None:
    for query, reason in (
        ("select repeat('x', 3500000000)", "memory|Memory"),
        ("attach '/x'", "cannot access|disabled"),
    ):
        with pytest.raises(BadSetting, match=reason):
            ask_apart(file, query, most=5, seconds=20)
    reply = ask_apart(file, "pragma database_list", most=5, seconds=20)
    assert reply.rows[0][1:] == ["hands", "hands.duckdb"]
    assert str(file.parent) not in str(ask_apart(file, "select * from duckdb_settings()", most=999, seconds=20))


def test_ctrl_c_in_the_database_is_ctrl_c(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB hears it by itself, and raises a plain error of these words."""

    class Interrupted:
        def execute(self, *_: object) -> None:
            raise RuntimeError("Query interrupted")

        def interrupt(self) -> None:
            pass

        def close(self) -> None:
            pass

    with HandsFile(file) as hands:
        monkeypatch.setattr(hands, "_connection", Interrupted())
        for ask in (hands.matches, lambda: hands.query("select 1")):
            with pytest.raises(KeyboardInterrupt):
                ask()
    monkeypatch.setattr("pokerlab.match.hands.query.connect", lambda *_, **__: Interrupted())
    with pytest.raises(KeyboardInterrupt):
        HandsFile(file)
    with pytest.raises(RuntimeError, match="another"), interruptible():
        raise RuntimeError("another error")


def test_times_with_a_time_zone(file: Path) -> None:
    with HandsFile(file) as hands:
        answer = hands.query("select 1 as one, '2026-01-02 03:04:05+00'::timestamptz as moment, 2 as one;")
        assert answer.columns[1] == "moment"
        assert [answer.rows[0][0], answer.rows[0][2]] == [1, 2]
        assert re.match(r"2026-01-0\d \d\d:\d\d:05", answer.rows[0][1])
        with pytest.raises(BadSetting, match="make it text") as told:
            hands.query("select [now()]")
    assert "Traceback" not in str(told.value)


def test_what_is_no_file_of_hands(tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "text").write_text("hello")
    duckdb.connect(str(tmp_path / "other.duckdb")).execute("create table x (y int)").close()
    (tmp_path / "folder").mkdir()
    for name, words in (
        ("text", "not a file of hands"),
        ("none", "cannot read .*there is no such file"),
        ("other.duckdb", "not a file of hands"),
        ("folder", "cannot open .*it is not a regular file"),
        ("text/below", "(?i)not a directory|no such file"),
    ):
        with pytest.raises(BadFile, match=words):
            HandsFile(tmp_path / name)


def test_where_hands_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    (tmp_path / "folder").mkdir()
    for name, words in (
        ("text", "not a file of hands"),
        ("folder", "cannot open .*it is not a regular file"),
        ("text/below", "cannot open .*below: (File exists|Not a directory)$"),
        ("x" * 300, "cannot open .*File name too long$"),
    ):
        with pytest.raises(BadFile, match=words):
            History(tmp_path / name)


@pytest.mark.parametrize(
    "change",
    [
        "payoffs = [1]",  # which would be as good for both seats
        "payoffs = [1, 'nan'::double]",
        "payoffs = null",
        "seats = [0, 0]",
        "seats = [0, 1, 2]",
        "seats = [0, 7]",
        "deal = 2",  # twice the same, and none of another
        "deal = -1",
        "pass = 1",
        "hand = 9, deal = 9",
        "faults = 'x:y'",
        "faults = '2:y'",
        "faults = '-1:y'",
        """remarks = '[[2, "said", 1]]'""",
        """remarks = '[[0, ["said"], 1]]'""",
        """remarks = '[[0, "said", -1]]'""",
        "remarks = '5'",
    ],
)
def test_hands_that_were_tampered_with_are_not_resumed(change: str, tmp_path: Path) -> None:
    path = tmp_path / "h.duckdb"
    kept(path, "kuhn", ["random", "random"], hands=4, block=4)
    settings = MatchSettings.of("kuhn", ["random", "random"], hands=4, block=4)
    with History(path) as history:
        table, where = ("blocks", "block = 0") if change.startswith("remarks") else ("hands", "hand = 3")
        history.run(f"update {table} set {change} where {where}")
        match = save_match(history, settings.as_dict(), resume=True)
        with pytest.raises(BadFile, match="h.duckdb is damaged"):
            play_match(settings, saved=match)
        with pytest.raises(BadFile, match="h.duckdb is damaged"):  # what cannot be read is no matter of writing
            history.ask("select nothing from hands")


def test_a_hand_step_by_step(file: Path) -> None:
    with HandsFile(file) as hands:
        match = hands.match(1)
        for row in hands.hands(match):
            scenes = list(hand_scenes(match, row))
            steps, _ = row.steps(match)
            assert len(scenes) == len(steps) + 1
            assert f"random: {row.payoffs[row.seats.index(0)]:+g}" in scenes[-1]
        with pytest.raises(BadSetting, match="hands 0 to 59"):
            hands.hand(match, 60)
        with pytest.raises(BadSetting, match="matches 1 to 3"):
            hands.match(9)


@pytest.mark.parametrize(("match", "form"), [(1, "acpc"), (2, "acpc"), (1, "phh"), (2, "phh")])
def test_out_and_in_again(file: Path, tmp_path: Path, match: int, form: str) -> None:
    """What is exported comes back the same, payoffs by PokerKit's own play where it is PHH."""
    path = tmp_path / ("log" if form == "acpc" else "log.phhs")
    with HandsFile(file) as hands:
        chosen = hands.match(match)
        path.write_text("\n".join(exported(hands, chosen, form)) + "\n")
        wanted = [(row.cards, row.betting, row.payoffs, row.names(chosen)) for row in hands.hands(chosen)]
    with History(tmp_path / "again.duckdb") as history:
        assert import_hands(history, path, form, game=chosen.game if form == "acpc" else None).hands == len(wanted)
    with HandsFile(tmp_path / "again.duckdb") as hands:
        again = hands.match()
        found = [(row.cards, row.betting, row.payoffs, row.names(again)) for row in hands.hands(again)]
    assert [row[:2] for row in found] == [row[:2] for row in wanted]
    assert [tuple(row[2]) for row in found] == [tuple(row[2]) for row in wanted]
    assert [row[3] for row in found] == [row[3] for row in wanted]


def test_phh_with_fractions_of_chips(tmp_path: Path) -> None:
    text = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [0.25, 0.50]\nmin_bet = 0.50\n'
        'starting_stacks = [60.25, 40.0]\nplayers = ["ann", "bea"]\n'
        'actions = ["d dh p1 Ac2d", "d dh p2 7h6h", "p2 cbr 1.25", "p1 f"]\n'
    )
    (tmp_path / "quarters.phh").write_text(text)
    with History(tmp_path / "h.duckdb") as history:
        assert import_hands(history, tmp_path / "quarters.phh", "phh").hands == 1
    with HandsFile(tmp_path / "h.duckdb") as hands:
        match = hands.match()
        (hand,) = hands.hands(match)
        assert (hand.betting, hand.payoffs) == ("r5f", (-2, 2))
        assert match.game.returns(hand.steps(match)[1]) == hand.payoffs


def test_hands_without_betting(tmp_path: Path) -> None:
    toml = tmp_path / "showdown.toml"
    toml.write_text('players = 2\nantes = 1\nranks = "JQK"\nsuits = "a"\n[[rounds]]\nprivate = 1\nbetting = false\n')
    kept(tmp_path / "h.duckdb", str(toml), ["random", "random"], hands=4)
    with HandsFile(tmp_path / "h.duckdb") as hands:
        match = hands.match()
        for row in hands.hands(match):
            assert row.betting == ""
            assert "random" in list(hand_scenes(match, row))[-1]
        lines = list(exported(hands, match, "acpc"))
        assert hands.query("select count(*) from hands where betting is null").rows == [(0,)]
    assert lines[1].startswith("STATE:0::")


def test_competition_log(file: Path) -> None:
    with HandsFile(file) as hands:
        match = hands.match(1)
        lines = list(exported(hands, match, "acpc"))
        totals = hands.query("select agent, sum(payoff) from players where match = 1 group by agent").rows
    assert lines[0].startswith("# name/game/hands/seed ")
    assert len(lines) == 62
    assert lines[-1] == f"SCORE:{dict(totals)['random']:g}|{dict(totals)['always-call']:g}:random|always-call"


DRAWN = "STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob"  # a line of a published log


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DRAWN.replace("r16916", "r1"), "line 1"),
        (DRAWN.replace("9hQd", "9h9h"), "twice"),
        (DRAWN.replace(":Alice|Bob", ""), "not STATE"),
        (DRAWN.replace("13024|-13024", "many|few"), "chips"),
        (DRAWN.replace("r16916f", "r16916"), "not over"),
        (DRAWN.replace("Alice|Bob", "Alice"), "positions"),
        ("nothing here", "no hands"),
    ],
)
def test_bad_logs_are_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bad.log").write_text(text)
    with History(tmp_path / "h.duckdb") as history, pytest.raises(PokerlabError, match=words):
        import_hands(history, tmp_path / "bad.log", "acpc", game=open_game("holdem-nolimit"))


def test_a_published_line_is_imported(tmp_path: Path) -> None:
    (tmp_path / "good.log").write_text(f"# comment\n{DRAWN}\nSCORE:13024|-13024:Alice|Bob\n")
    with History(tmp_path / "h.duckdb") as history:
        assert import_hands(history, tmp_path / "good.log", "acpc", game=open_game("holdem-nolimit")).hands == 1
    with HandsFile(tmp_path / "h.duckdb") as hands:
        assert hands.query("select agent, payoff, cards from players order by seat").rows == [
            ("Alice", 13024.0, "5d5c"),
            ("Bob", -13024.0, "9hQd"),
        ]


@pytest.mark.parametrize(("form", "words"), [("xml", "acpc or phh"), ("phh", "no code"), ("acpc", "no draws")])
def test_what_cannot_be_exported(file: Path, form: str, words: str) -> None:
    with HandsFile(file) as hands, pytest.raises(BadSetting, match=words):
        exported(hands, hands.match(3), form)


def test_bad_imports(tmp_path: Path) -> None:
    (tmp_path / "x.phh").write_text("variant = 5")
    with History(tmp_path / "h.duckdb") as history:
        for path, form, words in (
            ("x.phh", "phh", "x.phh: the PHH hand has no field 'antes'"),
            ("none", "phh", "cannot read"),
            ("x.phh", "acpc", "name it"),
            ("x.phh", "xml", "partypoker or irc, not .xml."),
        ):
            with pytest.raises(PokerlabError, match=words):
                import_hands(history, tmp_path / path, form)


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_an_import_that_fails_leaves_nothing(failing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands of several games in several pieces: all of them come in, or none, wherever the disk is full."""
    log = "\n".join(f"STATE:{hand}:cc:K|J:1|-1:a|b" for hand in range(5))
    (tmp_path / "k.log").write_text(log)
    path, taken = tmp_path / "h.duckdb", []

    def take_in(history: History, match: int, block: int, lines: list[str]) -> None:
        taken.append(block)
        if len(taken) == failing:
            raise BadFile("no space is left")
        whole(history, match, block, lines)

    whole = History.take_in
    monkeypatch.setattr("pokerlab.match.hands.exchange._BATCH", 2)
    with History(path) as history:
        assert import_hands(history, tmp_path / "k.log", "acpc", game=open_game("kuhn")).hands == 5
        monkeypatch.setattr(History, "take_in", take_in)
        with pytest.raises(BadFile, match="no space"):
            import_hands(history, tmp_path / "k.log", "acpc", game=open_game("kuhn"))
        assert import_hands(history, tmp_path / "k.log", "acpc", game=open_game("kuhn")).hands == 5
    with HandsFile(path) as hands:
        assert [(match.number, match.hands) for match in hands.matches()] == [(1, 5), (2, 5)]


def test_a_file_in_use_is_named(tmp_path: Path) -> None:
    """Another process that has the file open is told of, and not a lock of the database."""
    import subprocess
    import sys

    path = tmp_path / "busy.duckdb"
    with History(path):
        program = f"from pokerlab.match.hands.query import HandsFile\nHandsFile({str(path)!r})"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "is in use" in done.stderr
