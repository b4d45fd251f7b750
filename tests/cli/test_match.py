"""The commands match, tournament and hands."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pokerlab import store
from pokerlab.cli import main
from pokerlab.formats.spot_file import read_file


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str, code: int = 0) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["pokerlab", *words])
        monkeypatch.setenv("COLUMNS", "200")
        with pytest.raises(SystemExit) as left:
            main()
        out, error = capsys.readouterr()
        assert int(left.value.code or 0) == code, error
        assert "Traceback" not in error
        return out, error

    return call


def test_a_match_from_the_command_line(run: Any, tmp_path: Path) -> None:
    words = ["match", "formula", "random", "--game", "leduc", "--hands", "60", "--duplicate", "--seed", "7"]
    out, _ = run(*words)
    for part in ("formula", "mbb/hand", "small bets/hand", "button", "F-test", "95 %"):
        assert part in out
    file, plot = str(tmp_path / "m.duckdb"), tmp_path / "m.svg"
    first = json.loads(run(*words, "--json", "--out", file, "--plot", str(plot))[0])
    second = json.loads(run(*words, "--json", "--workers", "1", "--adjust-all-in")[0])
    assert first["agents"][0]["mbb"] == second["agents"][0]["mbb"]
    assert first["hands"] == 60
    assert plot.read_text().lstrip().startswith("<?xml")
    resumed = json.loads(run(*words, "--json", "--out", file, "--resume")[0])
    assert resumed["agents"] == first["agents"]
    out, _ = run("hands", file, "select agent, count(*) from players group by agent order by agent")
    assert "formula" in out
    assert "60" in out
    answer = json.loads(run("hands", file, "select 'nan'::double, payoffs from hands limit 1", "--json")[0])
    assert answer["rows"][0][0] is None
    odd = "select {'a': ['inf'::double], 'b': map([1], ['nan'::double])}"
    assert json.loads(run("hands", file, odd, "--json")[0])["rows"] == [[{"a": [None], "b": {"1": None}}]]
    assert "won" in run("hands", file, "--replay", "0")[0] or "+" in run("hands", file, "--replay", "0")[0]
    assert json.loads(run("hands", file, "--json")[0])["matches"][0]["hands"] == 60
    run("hands", file, "--export", "acpc", str(tmp_path / "m.log"))
    out, _ = run("hands", file, "--import", "acpc", str(tmp_path / "m.log"), "--game", "leduc")
    assert "60 hands" in out
    assert "acpc:m.log" in run("hands", file)[0]


EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_match_from_a_spot(run: Any, tmp_path: Path) -> None:
    words = ["formula", "always-call", "--hands", "40", "--duplicate", "--seed", "7", "--adjust-all-in"]
    file, kept = str(tmp_path / "m.duckdb"), tmp_path / "river.solution"
    out, _ = run("match", *words, "--from", str(EXAMPLES / "turn.toml"), "--out", file)
    for part in ("chips/hand", "% of the pot/hand", "out of position", "in position"):
        assert part in out
    assert "mbb" not in out
    found = json.loads(run("match", *words, "--from", str(EXAMPLES / "river.toml"), "--json")[0])
    store.save(kept, {}, kind="solution", spot=read_file(EXAMPLES / "river.toml"))
    again = json.loads(run("match", *words, "--from", str(kept), "--json")[0])
    assert again["agents"] == found["agents"]
    assert set(found["agents"][0]) >= {"chips", "pot_percent"}
    assert "chips" in run("hands", file)[0]
    scenes = run("hands", file, "--replay", "1")[0]
    assert "pot 100" in scenes
    assert "turn" in scenes
    run("hands", file, "--export", "acpc", str(tmp_path / "m.log"))
    out, _ = run("hands", file, "--import", "acpc", str(tmp_path / "m.log"), "--game", str(EXAMPLES / "turn.toml"))
    assert "40 hands" in out
    assert "PHH has no code" in run("hands", file, "--export", "phh", str(tmp_path / "m.phhs"), code=2)[1]
    out, _ = run("tournament", "formula", "random", "--game", str(EXAMPLES / "river.toml"), "--hands", "20")
    assert "chips/hand of the row's agent" in out


def test_a_tournament_from_the_command_line(run: Any) -> None:
    words = ["tournament", "formula", "random", "always-fold", "--game", "kuhn", "--hands", "100", "--seed", "2"]
    out, _ = run(*words)
    for part in ("By total bankroll", "By instant run-off", "sure at", "winner: formula"):
        assert part in out
    assert json.loads(run(*words, "--json")[0])["runoff"]["ranking"][0] == "formula"


def test_a_person_in_a_match(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["match", "human", "always-call", "--game", "kuhn", "--hands", "2", "--json"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("what\nc\n?\nc\nc\nc\n"))
    out, error = run(*words)
    assert json.loads(out)["hands"] == 2
    assert "pot 2" in error
    assert "leave the table" in error  # help, asked for by "?"
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n"))
    out, error = run(*words, code=2)
    assert out == ""
    assert "the input ended before the hand did" in error


def test_saved_solutions_compiled(run: Any, tmp_path: Path) -> None:
    from pokerlab.strategy.facade import solve

    file = solve("kuhn", algorithm="lp").save(tmp_path / "kuhn.safetensors")
    words = ["match", f"strategy:{file}", f"strategy:{file}(purify=true)", "--game", "kuhn", "--hands", "50000"]
    result = json.loads(run(*words, "--compiled", "--duplicate", "--json")[0])
    assert result["hands"] == 50000
    _, error = run("match", "formula", "random", "--game", "kuhn", "--compiled", code=2)
    assert "saved solutions" in error


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["match", "formula", "rules", "--resume"], "--out"),
        (["match", "formula", "rules", "--plot", "x.gif", "--hands", "2"], ".png or .svg"),
        (["match", "formula"], "seats 2 players"),
        (["match", "formula", "ruls"], "did you mean rules"),
        (["match", "formula", "rules", "--game", "leduk"], "did you mean leduc"),
        (["match", "formula", "rules", "--hands", "-5"], "hands"),
        (["match", "formula(bluff=9)", "rules"], "bluff must be"),
        (["match", 'remote:"unclosed', "rules"], "cannot be read"),
        (["match", "remote(port=x)", "rules"], "port must be"),
        (["match", "remote(seconds=inf)", "rules"], "seconds must be"),
        (["match", "remote:/bin/true", "rules", "--hands", "1"], "never connected"),
        (["match", "formula", "rules", "--from", "x.toml", "--game", "leduc"], "leave out --game"),
        (["match", "formula", "rules", "--from", "nowhere.toml"], "nowhere.toml"),
        (["match", "formula", "rules", "--from", "README.md"], "README.md is not a pokerlab file"),
        (["tournament", "formula"], "at least two"),
        (["hands", "nowhere.duckdb"], "no file"),
        (["hands", "x", "--export", "acpc"], "--export"),
    ],
)
def test_mistakes_get_a_sentence(run: Any, words: list[str], told: str) -> None:
    _, error = run(*words, code=2)
    assert told in error
