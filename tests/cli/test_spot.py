"""The commands about spots: solve, keep, walk, tables."""

from __future__ import annotations

import csv
import json
import re
import signal
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.strategy.files.solution_file import load

EXAMPLES = Path(__file__).parents[2] / "examples"
QUICK = ["--board", "Ks7h2d5c9s", "--oop", "AA,KQs,76s,JTo", "--ip", "QQ,KJs,76s,65s"]


def test_solve_keep_and_browse(tmp_path: Path, cli: CommandLine) -> None:
    kept = tmp_path / "a.spot"
    code, out, error = cli(["spot", *QUICK, "--target", "1%", "--out", str(kept)])
    assert code == 0, error
    assert "out of position" in out
    assert "of the pot, " in out
    assert "infosets" in error  # the forecast
    code, out, error = cli(["spot", "--resume", str(kept), "--target", "0.5%", "--json"])
    assert code == 0, error
    summary = json.loads(out)
    assert summary["exploitability_percent"] <= 0.5
    assert sum(summary["ev"]) == pytest.approx(100)
    assert sum(summary["root"]["frequencies"].values()) == pytest.approx(1)
    code, out, error = cli(["browse", str(kept), "check", "--hand", "QQ"])
    assert code == 0, error
    assert "EV" in out
    table = tmp_path / "a.csv"
    code, out, error = cli(["browse", str(kept), "check", "--csv", str(table), "--json"])
    assert code == 0, error
    place = json.loads(out)
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == len(place["hands"]["0"]) + len(place["hands"]["1"])
    assert {row["player"] for row in rows} == {"0", "1"}
    assert place["player"] == 1


@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_examples_are_forecast(name: str, cli: CommandLine) -> None:
    code, out, error = cli(["spot", str(EXAMPLES / f"{name}.toml"), "--forecast", "--json"])
    assert code == 0, error
    size = json.loads(out)
    assert size["nodes"] >= 45
    assert size["seconds"] > 0


@pytest.mark.parametrize(
    "words",
    [
        ["spot"],
        ["spot", "missing.toml"],
        ["spot", *QUICK, "--target", "lots"],
        ["spot", *QUICK, "--target", "-1%"],
        ["spot", *QUICK, "--storage", "float8"],
        ["spot", *QUICK, "--with", "lp"],
        ["spot", *QUICK, "--with", "nothing"],
        ["spot", *QUICK, "--iterations", "-3"],
        ["spot", *QUICK, "--out", "/no/such/folder/a"],
        ["spot", "--board", "Ks7h2d5c9s", "--oop", "KsKh"],
        ["spot", "--board", "KsKs7h2d5c"],
        ["spot", "--resume", "missing.spot"],
        ["browse", "missing.spot"],
        ["browse", __file__],
    ],
)
def test_mistakes_are_sentences(words: list[str], cli: CommandLine) -> None:
    code, _, error = cli(words)
    assert code == 2
    assert error.strip()
    assert "Traceback" not in error


def test_rake_is_a_share_or_a_percentage(cli: CommandLine) -> None:
    words = ["spot", *QUICK, "--iterations", "5", "--json", "--rake"]
    percent, share, none = (cli([*words, rake]).json["ev"] for rake in ("5%", "0.05", "0"))
    assert percent == share
    assert sum(share) < 0.96 * sum(none)


def test_in_big_blinds_it_is_the_same_spot(tmp_path: Path, cli: CommandLine) -> None:
    """A spot in chips, shown in big blinds; and the same with amounts written in big blinds."""
    sizes = ["--raise", "3x,90", "--rake", "5%", "--rake-cap", "7", "--iterations", "20"]
    chips = ["spot", *QUICK, *sizes, "--pot", "130", "--stack", "310", "--bet", "33%,40"]
    kept = tmp_path / "blinds.spot"
    first = cli([*chips, "--json"]).json
    second = cli([*chips, "--big-blind", "20", "--json", "--out", str(kept)]).json
    written = {"--pot": "6.5bb", "--stack": "15.5 bb", "--bet": "33%, 2bb", "--raise": "3x,4.5bb", "--rake-cap": "0.35"}
    written |= {"--rake": "5%", "--chip": "0.05"}
    words = [word for pair in written.items() for word in pair]
    third = cli(["spot", *QUICK, *words, "--iterations", "20", "--json"]).json
    assert (first["pot"], first["stack"], first["unit"]) == (130, 310, "chips")
    assert second["ev"] == pytest.approx([value / 20 for value in first["ev"]])
    assert list(first["root"]["frequencies"]) == ["check", "bet 40", "bet 43"]
    assert list(second["root"]["frequencies"]) == ["check", "bet 2", "bet 2.15"]
    for one in (second, third):
        assert (one["pot"], one["stack"], one["unit"]) == (6.5, 15.5, "bb")
        frequencies = list(first["root"]["frequencies"].values())
        assert list(one["root"]["frequencies"].values()) == pytest.approx(frequencies, abs=1e-5)
        assert one["ev"] == pytest.approx(second["ev"])
    assert "pot 6.5 bb" in cli(["browse", str(kept)]).printed
    assert "in bb" in cli(["browse", str(kept), "--grid", "ev"]).printed
    assert cli(["verify", str(kept)]).code == 0
    boards = ["report", str(EXAMPLES / "river.toml"), "--boards", "Ks7h2d5c9s", "--iterations", "2"]
    assert "in bb" in cli([*boards, "--big-blind", "4"]).printed
    assert "in bb" not in cli(boards).printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pot", "6bb"], "pot is in big blinds, and other amounts in chips"),
        (["--bet", "3bb"], "needs a spot that states its big blind"),
        (["--pot", "6b"], "or of big blinds as 6.5bb"),
        (["--pot", "nanbb", "--stack", "6bb"], "or of big blinds as"),
        (["--big-blind", "0"], "big_blind must be"),
        (["--big-blind", "1e-5", "--pot", "1e12"], "pot must be a number"),
        (["--big-blind", "3", "--pot", "inf"], "pot must be a number"),
    ],
)
def test_bad_big_blinds_get_a_sentence(words: list[str], said: str, cli: CommandLine) -> None:
    assert said in cli(["spot", *QUICK, *words, "--iterations", "1"]).refusal


def test_locks_what_they_cost_and_who_exploits(tmp_path: Path, cli: CommandLine) -> None:
    kept = tmp_path / "locked.spot"
    locked = ["spot", *QUICK, "--lock", "check: check", "--target", "0.3%"]
    code, out, error = cli([*locked, "--cost", "--json", "--out", str(kept)])
    assert code == 0, error
    told = json.loads(out)
    assert told["stopped"] == "target"
    assert told["cost_of_locks"][1] > 0.5  # in position gives up its bets
    assert sum(told["cost_of_locks"]) == pytest.approx(0, abs=1e-6)
    assert told["ev"][1] == pytest.approx(told["ev_without_locks"][1] - told["cost_of_locks"][1])
    code, out, error = cli([*locked, "--cost"])
    assert code == 0, error
    assert re.search(
        r"cost of locks +out of position gains [\d.]+, in position loses [\d.]+\s+in chips a hand, accurate to [\d.]+",
        out,
    )
    assert re.search(r"with locks +without\s+check +[\d.]+ % +[\d.]+ %", out)  # the first decision, side by side
    code, out, error = cli(["browse", str(kept), "--exploit", "oop", "--json"])
    assert code == 0, error
    assert json.loads(out)["ev"][0] >= told["ev"][0]
    assert "best response" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spot", *QUICK, "--lock", "check"], "a lock reads as"),
        (["spot", *QUICK, "--lock", "jump: check"], "not an action"),
        (["spot", *QUICK, "--cost"], "cost of locks"),
        (["spot", "--resume", "x.spot", "--lock", "check: check"], "saved solution"),
        (["browse", "x.spot", "--exploit", "me"], "oop"),
        (["spot", "--resume", "x.spot", "--pot", "50"], "saved solution"),
        (["spot", *QUICK, "--limit", "lots"], "--limit"),
        (["report", str(EXAMPLES / "river.toml"), "--boards", "nosuchfile.txt"], "nosuchfile.txt"),
        (["report", str(EXAMPLES / "river.toml"), "--boards", "Ks7h2d5c9s", "--storage", "int8"], "int16"),
        (["report", str(EXAMPLES / "river.toml"), "--boards", "Ks7h2d5c9s", "--iterations", "0"], "positive"),
    ],
)
def test_bad_locks_get_a_sentence(words: list[str], said: str, cli: CommandLine) -> None:
    code, _, error = cli(words)
    assert code == 2
    assert said in error


def test_options_stand_over_a_file(cli: CommandLine) -> None:
    words = ["spot", str(EXAMPLES / "river.toml"), "--pot", "50", "--stack", "80", "--oop", "AA,QQ", "--ip", "KK,JJ"]
    words += ["--board", "Ts7h2d5c9s", "--oop-bet", "river 50%", "--rake", "5%", "--rake-cap", "2", "--target", "1%"]
    code, out, error = cli([*words, "--json"])
    assert code == 0, error
    told = json.loads(out)
    assert (told["pot"], told["stack"], told["board"]) == (50, 80, "Ts7h2d5c9s")
    assert told["root"]["actions"] == ["check", "bet 25"]
    assert 47.9 < sum(told["ev"]) < 48.1  # the rake
    code, out, error = cli([*words, "--oop-bet", "", "--json"])
    assert code == 0, error
    assert json.loads(out)["root"]["actions"] == ["check"]  # no bets is a menu too


def test_a_kept_spot_is_forecast_verified_and_asked_about_either_player(tmp_path: Path, cli: CommandLine) -> None:
    kept = tmp_path / "a.spot"
    code, _, error = cli(["spot", *QUICK, "--iterations", "40", "--out", str(kept)])
    assert code == 0, error
    before = kept.read_bytes()
    code, out, _ = cli(["spot", "--resume", str(kept), "--forecast"])
    assert code == 0
    assert "infosets" in out
    assert kept.read_bytes() == before
    code, out, _ = cli(["verify", str(kept), "--json"])
    assert code == 0
    assert json.loads(out)["matches"]
    code, out, _ = cli(["browse", str(kept), "--player", "1", "--hand", "QQ"])
    assert code == 0
    assert out.startswith("in position: EV")
    code, out, _ = cli(["browse", str(kept), "--by-hand", "--player", "0"])
    assert code == 0
    assert "AhAd" in out
    code, out, _ = cli(["show", str(kept), "--containing", "AhAd", "--rows", "2"])
    assert code == 0
    assert "AhAd" in out


def test_an_interrupted_report_says_so(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from pokerlab.lab.spots import boards

    def interrupted(*words: object, **options: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(boards, "report", interrupted)
    code, _, error = cli(["report", str(EXAMPLES / "river.toml"), "--boards", "Ks7h2d5c9s"])
    assert code == 130
    assert "interrupted" in error


def test_the_strategy_alone_is_kept_walked_checked_and_played(tmp_path: Path, cli: CommandLine) -> None:
    full, small, other = (str(tmp_path / name) for name in ("full.spot", "small.spot", "other.spot"))
    code, out, error = cli(["spot", *QUICK, "--target", "1%", "--out", small, "--keep", "strategy"])
    assert code == 0, error
    assert "the file will have about" in error
    assert "cannot be resumed" in out
    assert cli(["spot", *QUICK, "--target", "1%", "--out", full]).code == 0
    code, out, error = cli(["compact", full, other])
    assert code == 0, error
    assert "instead of" in out
    told = json.loads(cli(["compact", full, other, "--json"]).out)
    assert (told["keeps"], told["out_bytes"]) == ("strategy", Path(other).stat().st_size)
    assert load(other).measure == load(small).measure
    for words in (
        ["browse", small, "check"],
        ["show", small, "--rows", "3"],
        ["verify", small],
        ["match", f"strategy:{small}", "formula", "--from", small, "--hands", "20", "--workers", "1"],
        ["play", small, "--hands", "1"],
        ["spot", *QUICK, "--lock", f"check: as strategy:{small}", "--iterations", "3"],
        ["solve", small, "--iterations", "3"],
        ["browse", small, "--exploit", "ip"],
    ):
        found = cli(words)
        assert found.code == 0, (words, found.error)
    code, _, error = cli(["spot", "--resume", small, "--iterations", "500"])
    assert code == 2
    assert "only the strategy" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spot", *QUICK, "--keep", "strategy"], "--out"),
        (["solve", "kuhn", "--keep", "strategy"], "--out"),
        (["solve", "kuhn", "--keep", "half", "--out", "x.solution"], "strategy"),
        (["spot", "--resume", "x.spot", "--keep", "strategy"], "another file"),
        (["compact", "x.spot", "x.spot"], "another file"),
        (["compact", "x.spot", "y.spot"], "no such file"),
    ],
)
def test_what_cannot_be_kept_gets_a_sentence(words: list[str], said: str, cli: CommandLine) -> None:
    code, _, error = cli(words)
    assert code == 2
    assert said in error


def test_the_size_of_the_file_is_forecast(tmp_path: Path, cli: CommandLine) -> None:
    river, full, small = str(EXAMPLES / "river.toml"), tmp_path / "full.spot", tmp_path / "small.spot"
    for storage in ("float32", "int16"):
        spot = ["spot", river, "--storage", storage]
        told = json.loads(cli([*spot, "--forecast", "--json"]).out)
        assert cli([*spot, "--iterations", "9", "--out", str(full)]).code == 0
        assert cli(["compact", str(full), str(small)]).code == 0
        assert told["file_bytes"] == pytest.approx(full.stat().st_size, rel=0.2)
        assert small.stat().st_size < 1.2 * told["file_bytes_strategy"]
