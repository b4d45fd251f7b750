"""The icm command."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from command_line import CommandLine


def test_the_stacks_of_the_thesis(cli: CommandLine) -> None:
    words = ["icm", "--stacks", "10,1,289", "--payouts", "0.6,0.4"]
    found = cli([*words, "--json"]).json
    assert found["prizes_exact"] == ["182711/493350", "17741/478500", "7707341/13006500"]
    assert sum(found["values"]) == pytest.approx(1)
    printed = cli(words, width=80).printed
    assert "0.3703" in printed
    assert "bubble factor" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_a_row_for_each_player(tmp_path: Path, cli: CommandLine) -> None:
    table = tmp_path / "values.csv"
    words = ["icm", "--stacks", "5000,3000,0,1500*12", "--payouts", "50,30,20", "--bounties", "5", "--csv", str(table)]
    cli([*words, "--plot", str(tmp_path / "values.svg")])
    with table.open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 15
    assert sum(float(row["prize"]) for row in rows) == pytest.approx(100)
    assert sum(float(row["bounties"]) for row in rows) == pytest.approx(70), "who is out has no bounty left"
    assert (tmp_path / "values.svg").stat().st_size > 1000


def test_prizes_beyond_the_players_are_told(cli: CommandLine) -> None:
    found = cli(["icm", "--stacks", "0,1,2", "--payouts", "50,30,15,5", "--json"]).json
    assert found["prize_pool"] == 95
    assert len(found["notes"]) == 2


def test_shares_of_a_pool(cli: CommandLine) -> None:
    found = cli(["icm", "--stacks", "1,1", "--payouts", "60,40", "--pool", "500", "--json"]).json
    assert found["values"] == [250, 250]


@pytest.mark.parametrize(
    "words",
    [
        ["--stacks", "0,0", "--payouts", "1"],
        ["--stacks", "1,2", "--payouts", "1,2"],
        ["--stacks", "1,2", "--payouts", "60,30", "--pool", "100"],
        ["--stacks", "1,2", "--payouts", "1", "--bounties", "1,2,3"],
        ["--stacks", "5*31", "--payouts", "1", "--pairs"],
        ["--stacks", "5*101", "--payouts", "1", "--bounties", "1"],
        ["--stacks", "1,2", "--payouts", "1", "--plot", "values.txt"],
        ["--stacks", "1,x", "--payouts", "1"],
        ["--stacks", "1,2"],
    ],
)
def test_bad_input_is_one_sentence(words: list[str], cli: CommandLine) -> None:
    assert cli(["icm", *words]).refusal
