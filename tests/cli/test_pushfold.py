"""The pushfold command: grids, files, and sentences."""

from __future__ import annotations

import csv

import pytest

from command_line import CommandLine
from published.push_fold import EQUILIBRIA


def test_grids_and_ev(cli: CommandLine):
    out = cli(["pushfold", "--stack", "9", "--ev"]).printed
    assert "small blind pushes" in out
    assert f"{EQUILIBRIA[9][0]:+.6f}" in out
    assert "a fold has -0.5" in out
    assert cli(["pushfold"], width=80).printed.startswith("push or fold with stacks of 10 big blinds")


def test_files(tmp_path, cli: CommandLine):
    picture, table = tmp_path / "a.svg", tmp_path / "a.csv"
    cli(["pushfold", "--stacks", "8,20", "--picture", str(picture), "--csv", str(table)])
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


@pytest.mark.parametrize(
    "words",
    [
        ["--stack", "0.2"],
        ["--stack", "-3"],
        ["--stacks", "3,4,5"],
        ["--chart", "20", "--stack", "5"],
        ["--chart", "20", "--with", "cfr"],
        ["--chart", "20", "--call", "20%"],
        ["--with", "no-such"],
        ["--with", "outcome"],
        ["--call", "ZZ"],
        ["--picture", "a.gif"],
        ["--csv", "/no/such/folder/a.csv"],
        ["--target", "-1"],
    ],
)
def test_bad_input_is_one_sentence(words, cli: CommandLine):
    assert cli(["pushfold", *words]).refusal
