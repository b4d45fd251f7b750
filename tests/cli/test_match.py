"""The commands match, tournament and hands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pokerlab
from command_line import CommandLine
from pokerlab import store
from pokerlab.formats.spot_file import read_file
from untimed import untimed


def test_a_match_from_the_command_line(cli: CommandLine, tmp_path: Path) -> None:
    words = ["match", "formula", "random", "--game", "leduc", "--hands", "60", "--duplicate", "--seed", "7"]
    out = cli(words).printed
    for part in ("formula", "mbb/hand", "small bets/hand", "button", "F-test", "95 %"):
        assert part in out
    file, plot = str(tmp_path / "m.duckdb"), tmp_path / "m.svg"
    first = cli([*words, "--json", "--out", file, "--plot", str(plot)]).json
    second = cli([*words, "--json", "--workers", "1", "--adjust", "all-in"]).json
    assert first["agents"][0]["mbb"] == second["agents"][0]["mbb"]
    assert first["hands"] == 60
    assert plot.read_text().lstrip().startswith("<?xml")
    resumed = cli([*words, "--json", "--out", file, "--resume"]).json
    assert untimed(resumed["agents"]) == untimed(first["agents"])
    out = cli(["hands", file, "select agent, count(*) from players group by agent order by agent"]).printed
    assert "formula" in out
    assert "60" in out
    answer = cli(["hands", file, "select 'nan'::double, payoffs from hands limit 1", "--json"]).json
    assert answer["rows"][0][0] is None
    odd = "select {'a': ['inf'::double], 'b': map([1], ['nan'::double])}"
    assert cli(["hands", file, odd, "--json"]).json["rows"] == [[{"a": [None], "b": {"1": None}}]]
    assert "formula: +1" in cli(["hands", file, "--replay", "0"]).printed
    assert cli(["hands", file, "--json"]).json["matches"][0]["hands"] == 60
    cli(["hands", file, "--export", "acpc", str(tmp_path / "m.log")])
    out = cli(["hands", file, "--import", "acpc", str(tmp_path / "m.log"), "--game", "leduc"]).printed
    assert "60 hands" in out
    assert "acpc:m.log" in cli(["hands", file]).printed


EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_match_from_a_spot(cli: CommandLine, tmp_path: Path) -> None:
    words = ["formula", "always-call", "--hands", "40", "--duplicate", "--seed", "7", "--adjust", "all-in"]
    file, kept = str(tmp_path / "m.duckdb"), tmp_path / "river.solution"
    out = cli(["match", *words, "--from", str(EXAMPLES / "turn.toml"), "--out", file]).printed
    for part in ("chips/hand", "% of the pot/hand", "out of position", "in position"):
        assert part in out
    assert "mbb" not in out
    found = cli(["match", *words, "--from", str(EXAMPLES / "river.toml"), "--json"]).json
    store.save(kept, {}, kind="solution", spot=read_file(EXAMPLES / "river.toml"))
    again = cli(["match", *words, "--from", str(kept), "--json"]).json
    assert untimed(again["agents"]) == untimed(found["agents"])
    assert set(found["agents"][0]) >= {"chips", "pot_percent"}
    assert "chips" in cli(["hands", file]).printed
    scenes = cli(["hands", file, "--replay", "1"]).printed
    assert "pot 100" in scenes
    assert "turn" in scenes
    cli(["hands", file, "--export", "acpc", str(tmp_path / "m.log")])
    out = cli(
        ["hands", file, "--import", "acpc", str(tmp_path / "m.log"), "--game", str(EXAMPLES / "turn.toml")]
    ).printed
    assert "40 hands" in out
    assert "PHH has no code" in cli(["hands", file, "--export", "phh", str(tmp_path / "m.phhs")]).error
    out = cli(["tournament", "formula", "random", "--game", str(EXAMPLES / "river.toml"), "--hands", "20"]).printed
    assert "chips/hand of the row's agent" in out


def test_a_tournament_from_the_command_line(cli: CommandLine) -> None:
    words = ["tournament", "formula", "random", "always-fold", "--game", "kuhn", "--hands", "100", "--seed", "2"]
    out = cli(words).printed
    for part in ("By total bankroll", "By instant run-off", "% confidence", "winner: formula"):
        assert part in out
    assert cli([*words, "--json"]).json["runoff"]["ranking"][0] == "formula"


def test_a_person_in_a_match(cli: CommandLine) -> None:
    words = ["match", "human", "always-call", "--game", "kuhn", "--hands", "2", "--json"]
    code, out, error = cli(words, typed="what\nc\n?\nc\nc\nc\n")
    assert code == 0
    assert json.loads(out)["hands"] == 2
    assert "pot 2" in error
    assert "leave the table" in error  # help, asked for by "?"
    code, out, error = cli(words, typed="c\n")
    assert (code, json.loads(out)["code"]) == (2, 2)
    assert "the input ended before the hand did" in error


def test_saved_solutions_compiled(cli: CommandLine, tmp_path: Path) -> None:
    from pokerlab.lab.solve.solving import solve

    file = solve("kuhn", algorithm="lp").save(tmp_path / "kuhn.safetensors")
    words = ["match", f"strategy:{file}", f"strategy:{file}(purify=true)", "--game", "kuhn", "--hands", "50000"]
    result = cli([*words, "--compiled", "--duplicate", "--json"]).json
    assert result["hands"] == 50000
    assert "saved solutions" in cli(["match", "formula", "random", "--game", "kuhn", "--compiled"]).refusal


@pytest.mark.parametrize("duplicate", ["--duplicate", "--plain"])
def test_draw_poker_by_category_of_the_hand(cli: CommandLine, tmp_path: Path, duplicate: str) -> None:
    """The match, the file of its hands and the resumed match agree; seats are named by their blinds."""
    file = str(tmp_path / "d.duckdb")
    words = ["match", "draw-basic", "always-call", "--game", "five-card-draw(stack=31)", "--hands", "161", duplicate]
    words += ["--block", "33", "--out", file, "--json"]
    result = cli(words).json
    assert result["seats"] == ["small blind", "big blind, button"]
    query = "select agent, category, count(*), avg(payoff), avg((payoff > 0)::int) from players group by all"
    rows = cli(["hands", file, query, "--json"]).json["rows"]
    stored = {(agent, category): (count, mean, won) for agent, category, count, mean, won in rows}
    listed = {
        (one["agent"], own["category"]): (
            own["hands"],
            pytest.approx(own["winnings"]["chips"]["mean"]),
            pytest.approx(own["won"]),
        )
        for one in result["agents"]
        for own in one["categories"]
    }
    assert stored == listed
    assert {"pair", "high card", "two pair"} <= {category for _, category in stored}
    for one in result["agents"]:
        assert one["small_blinds"]["mean"] == one["chips"]["mean"]  # the small blind is 1
        assert one["bb_per_100"]["mean"] == pytest.approx(50 * one["chips"]["mean"])
    assert untimed(cli([*words, "--resume"]).json["agents"]) == untimed(result["agents"])


def test_a_draw_blueprint_falls_back_and_is_compiled(cli: CommandLine, tmp_path: Path) -> None:
    """At the table with every bet, for which the fallback is meant; it then plays exactly as draw-basic."""
    file = str(tmp_path / "d.blueprint")
    train = ["train", "five-card-draw", "--stack", "6", "--menu", "min", "--buckets", "by-draws(before=20, after=20)"]
    assert cli([*train, "--iterations", "300", "--out", file]).code == 0
    table = ["--game", "five-card-draw(stack=6)", "--hands", "80", "--duplicate"]
    for fallback in ("1e9", "0"):
        for compiled in ([], ["--compiled"]):
            found = cli(["match", f"{file}(fallback={fallback})", "draw-basic", *table, *compiled, "--json"]).json
            ties = found["agents"][0]["chips"] == {"mean": 0.0, "low": 0.0, "high": 0.0}
            fell_back = sum(one["count"] for one in found["remarks"] if "strength of its hand" in one["remark"])
            assert (ties, fell_back > 80) == (fallback != "0", fallback != "0")
    out = cli(["match", file, "draw-basic", *table, "--compiled"], width=100).printed
    for part in ("sbb/hand", "small blind", "big blind", "by the hand dealt", "two pair", "draw-basic"):
        assert part in out
    refusal = cli(["match", file, "draw-basic", *table, "--compiled", "--out", str(tmp_path / "m.duckdb")]).refusal
    assert "cannot save" in refusal


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["match", "formula", "rules", "--resume"], "--out"),
        (["match", "formula", "rules", "--plot", "x.gif", "--hands", "2"], "a picture ends in .png"),
        (["match", "formula"], "needs 2 agents"),
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
        (["hands", "nowhere.duckdb"], "no such file"),
        (["hands", "x", "--export", "acpc"], "--export"),
    ],
)
def test_mistakes_get_a_sentence(cli: CommandLine, words: list[str], told: str) -> None:
    assert told in cli(words).refusal


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_own_code_prints_is_no_part_of_the_json(tmp_path: Path, workers: str) -> None:
    """In the process that a person started, and in those that it starts."""
    (tmp_path / "loud.py").write_text(
        "from pokerlab.agents.agent import Memoryless\n\n\nclass Loud(Memoryless):\n"
        "    def act(self, view, rng):\n        print('let me see')\n        return view.actions[0]\n"
    )
    words = ["match", "./loud.py", "random", "--game", "kuhn", "--hands", "8", "--workers", workers, "--json"]
    run = [sys.executable, "-m", "pokerlab", *words]
    path = {"PYTHONPATH": str(Path(pokerlab.__file__).parents[1])}
    done = subprocess.run(run, cwd=tmp_path, env=os.environ | path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["hands"] == 8
    assert done.stderr.count("let me see") >= 4


def test_more_hands_than_were_asked_for_are_told(cli: CommandLine) -> None:
    for hands, more in (("2", False), ("3", True), ("4", False)):
        answer = cli(["match", "random", "random", "--game", "kuhn", "--hands", hands, "--duplicate", "--workers", "1"])
        assert answer.code == 0
        told = f"played 4 hands instead of {hands}: every deal is played from every seat"
        assert (told in answer.error) == more
    assert "kuhn  1 hand " in cli(["match", "random", "random", "--game", "kuhn", "--hands", "1", "--plain"]).printed
    assert (
        "2 hands of 1 deal " in cli(["match", "random", "random", "--game", "kuhn", "--hands", "2", "--duplicate"]).out
    )
