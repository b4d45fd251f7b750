"""The pushfold command: grids, files, and sentences."""

from __future__ import annotations

import csv

import pytest

from command_line import CommandLine
from published.push_fold import EQUILIBRIA


def test_grids_and_ev(cli: CommandLine):
    out = cli(["pushfold", "--stack", "9", "--ev"]).printed
    assert "small blind pushes" in out
    assert EQUILIBRIA[9][0] < 0
    assert f"small blind loses {-EQUILIBRIA[9][0]:.6f} big blinds per hand" in out
    assert "a fold has -0.5" in out
    assert cli(["pushfold"], width=80).printed.startswith("push or fold with stacks of 10 big blinds")


def test_files(tmp_path, cli: CommandLine):
    picture, table = tmp_path / "a.svg", tmp_path / "a.csv"
    cli(["pushfold", "--stacks", "8,20", "--plot", str(picture), "--csv", str(table)])
    assert "<svg" in picture.read_text(encoding="utf-8")
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == 169
    assert float(rows[0]["push"]) == pytest.approx(1)


def test_a_chart_with_gaps(tmp_path, cli: CommandLine):
    table = tmp_path / "a.csv"
    words = ["pushfold", "--chart", "8", "--step", "0.5", "--ante", "0", "--csv", str(table)]
    out = cli(words, width=80).printed
    assert "8+" in out
    assert "* 63s at " in out
    assert all(len(line) <= 80 for line in out.splitlines() if line[:1] in "AKQJT98765432" and line[1:2] == " ")
    rows = {row["hand"]: row for row in csv.DictReader(table.open(encoding="utf-8"))}
    assert rows["32o"]["push"] == "1.0"
    assert "," in rows["63s"]["push_spans"]


def test_an_answer(cli: CommandLine):
    out = cli(["pushfold", "--stack", "12", "--call", "20%"]).printed
    assert "the big blind calls 20.0 % of hands; best response:" in out
    assert "more than in equilibrium" in out
    assert "by equity against a random hand" in out


def test_a_table_for_prizes(tmp_path, cli: CommandLine):
    picture, table = tmp_path / "a.png", tmp_path / "a.csv"
    words = ["pushfold", "--stacks", "12,8,20", "--payouts", "50,30,20", "--target", "0.01"]
    out = cli([*words, "--plot", str(picture), "--csv", str(table)], width=200).printed
    assert out.startswith("push or fold with BU 12, SB 8, BB 20 big blinds; prizes 50, 30, 20")
    assert "BB over-calls BU and SB" in out
    assert "% of the prize pool" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == 6 * 169
    assert {row["against"] for row in rows} == {"", "BU", "SB", "BU+SB"}


@pytest.mark.parametrize(
    ("words", "form"),
    [(["--stack", "7.5"], "classes"), (["--stacks", "8,0.3,9", "--payouts", "60,40", "--target", "0.05"], "pushes")],
)
def test_a_saved_solution_opens_everywhere(words, form, tmp_path, cli: CommandLine):
    """The file has the game, with a blind all-in and prizes too, so that it is verified, resumed and measured."""
    file = str(tmp_path / "a.solution")
    found = cli(["pushfold", *words, "--out", file, "--json"]).json
    assert found["out"] == file
    shown = cli(["show", file, "--json"]).json
    assert (shown["form"], shown["iterations"]) == (form, found["iterations"])
    assert cli(["verify", file, "--json"]).json["matches"] is True
    assert cli(["browse", file, "push", "--json"]).json["actions"] == ["fold", "push" if form == "pushes" else "call"]
    measured = cli(["measure", shown["game"], file, "--json"]).json
    assert measured["exploitability"] == pytest.approx(shown["exploitability"], abs=1e-9)
    if form == "pushes":
        more = found["iterations"] + 5
        assert cli(["solve", "--resume", file, "--iterations", str(more), "--json"]).json["iterations"] == more
        assert "has 3;" in cli(["exploit", shown["game"], "--opponent", "always-call"]).refusal
        assert "pokerlab browse" in cli(["beliefs", file]).refusal


def test_more_players_leave_rare_decisions_out(cli: CommandLine):
    out = cli(["pushfold", "--stacks", "20,18,22,19,20", "--position", "BU", "--target", "1"], width=80).printed
    assert "folded to BU" in out
    assert "HJ" not in out.split("seat  stack")[0].replace("HJ 20,", "")
    assert "% of all chips" in out


def test_calls_against_a_seat(cli: CommandLine):
    words = ["pushfold", "--stacks", "6,15,17,16", "--position", "BU", "--big-blind-ante", "1", "--against", "btn"]
    out = cli([*words, "--target", "1"], width=220).printed
    assert "big-blind ante 1" in out.splitlines()[0]
    grids = out.split("SB pushes")[0]  # before the ranges in words
    assert "BU pushes" in grids
    assert "SB calls BU" in grids
    assert "BB calls BU" in grids
    assert ["seat", "v", "BU", "v", "SB"] in [line.split() for line in out.splitlines()]


@pytest.mark.parametrize(
    "words",
    [
        ["--stack", "0.2"],
        ["--stack", "-3"],
        ["--stacks", "3,4,5", "--call", "20%"],
        ["--stacks", "3,4,5", "--with", "lp"],
        ["--stacks", "3,0,5"],
        ["--stacks", "3,4,5", "--position", "UTG"],
        ["--stacks", "3,4,5", "--against", "BB"],
        ["--stack", "9", "--against", "SB"],
        ["--stacks", "3,4,5", "--ante", "1", "--big-blind-ante", "1"],
        ["--stack", "9", "--ante", "1", "--big-blind-ante", "1"],
        ["--stack", "9", "--big-blind-ante", "-1"],
        ["--stacks", "3,4,5", "--payouts", "20,80"],
        ["--payouts", "60,40"],
        ["--chart", "20", "--stack", "5"],
        ["--chart", "20", "--with", "cfr"],
        ["--chart", "20", "--out", "a.solution"],
        ["--stacks", "9,9,9", "--position", "SB", "--out", "a.solution"],
        ["--chart", "20", "--call", "20%"],
        ["--with", "no-such"],
        ["--with", "outcome"],
        ["--call", "ZZ"],
        ["--plot", "a.gif"],
        ["--csv", "/no/such/folder/a.csv"],
        ["--target", "-1"],
    ],
)
def test_bad_input_is_one_sentence(words, cli: CommandLine):
    assert cli(["pushfold", *words]).refusal
