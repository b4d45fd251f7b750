"""The rollout command: decisions, hands, files that other commands open, and sentences."""

from __future__ import annotations

import csv

import pytest

from command_line import CommandLine


def test_limit(cli: CommandLine):
    out = cli(["rollout", "--raises", "1"]).printed
    assert "wins 0.009549" in out
    assert "raise to 2" in out
    assert "small blind at the start" in out


def test_a_menu_kept_and_walked(tmp_path, cli: CommandLine):
    file, table, picture = tmp_path / "a.solution", tmp_path / "a.csv", tmp_path / "a.png"
    words = ["rollout", "--menu", "allin", "--stack", "15", "--at", "c", "--ev", "--out", str(file)]
    out = cli([*words, "--csv", str(table), "--plot", str(picture)]).printed
    assert "big blind after c" in out
    assert "EV of each hand by check" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert {row["hand"] for row in rows} >= {"AA", "72o", "T9s"}
    assert "big blind to act" in cli(["browse", str(file), "r1500"]).printed
    assert "matches what" in cli(["verify", str(file)]).printed
    game = "preflop-nolimit(stack=1500, menu='allin')"
    match = ["match", f"strategy:{file}", "rules", "--game", game, "--hands", "40", "--workers", "1", "--json"]
    assert cli(match).json["hands"] == 40


@pytest.mark.parametrize(
    "words",
    [
        ["--stack", "5"],
        ["--menu", "huge"],
        ["--raises", "-1"],
        ["--at", "r r r r r r"],
        ["--at", "r c"],
        ["--small-blind", "2"],
        ["--menu", "", "--stack", "1000"],
        ["--with", "outcome"],
        ["--plot", "a.gif"],
    ],
)
def test_bad_input_is_one_sentence(words, cli: CommandLine):
    assert cli(["rollout", *words]).refusal
