"""The command `pokerlab report`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from command_line import CommandLine

EXAMPLES = Path(__file__).parents[2] / "examples"
RIVER = str(EXAMPLES / "river.toml")
TWO = "Ks7h2d5c9s, AsAd7h7c2d:2"
SPOT = """
board = "Ks 7h 2d 5c"
pot = 50
stack = 100
[out_of_position]
range = "AA,KQs,76s,JTo"
bet = "50%"
[in_position]
range = "QQ+,K9s+,76s:50%,[30]QJo[/30]"
bet = "33%,allin"
"""


@pytest.fixture
def spot(tmp_path: Path) -> str:
    path = tmp_path / "turn.toml"
    path.write_text(SPOT)
    return str(path)


def test_a_table_at_a_decision_with_totals(cli: CommandLine, spot: str) -> None:
    words = ["report", spot, "--boards", "Ks7h2d5c, Ts7h2d5c:3", "--at", "check", "--iterations", "20"]
    answer = cli(words, width=80)
    lines = answer.printed.splitlines()
    assert lines[0] == "after check"
    assert lines[1].split() == "board weight reach EV oop EV ip equity oop check bet 17 all-in 100".split()
    assert [line.split()[:2] for line in lines[2:5]] == [["Ks7h2d5c", "1"], ["Ts7h2d5c", "3"], ["all", "4"]]
    assert lines[5].startswith("exploitability ")
    assert "2 boards: about" in answer.error  # from the first second
    assert "1 of 2 boards, about" in answer.error
    told = cli([*words, "--json"]).json
    assert told["at"] == ["check"]
    one, other = (row["frequency bet 17"] * row["reach"] * row["weight"] for row in told["boards"])
    reach = sum(row["reach"] * row["weight"] for row in told["boards"])
    assert told["totals"]["frequency bet 17"] == pytest.approx((one + other) / reach)


def test_the_csv_is_plain_and_resumed(cli: CommandLine, spot: str, tmp_path: Path) -> None:
    out = tmp_path / "cbet.csv"
    words = ["report", spot, "--at", "x", "--iterations", "5", "--out", str(out), "--boards"]
    assert cli([*words, "Ks7h2d5c"]).code == 0
    answer = cli([*words, "Ks7h2d5c, Ts7h2d5c"])
    assert "2 boards, 1 of them solved already: about" in answer.error
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["board"] for row in rows] == ["Ks7h2d5c", "Ts7h2d5c"]
    assert all(0 <= float(row["frequency all-in 100"]) <= 1 for row in rows)
    before = out.read_bytes()
    for other in (["report", spot, "--iterations", "5"], ["report", spot, "--at", "bet 25", "--iterations", "5"]):
        refusal = cli([*other, "--out", str(out), "--boards", "Ks7h2d5c"]).refusal
        assert "another spot, decision or settings" in refusal
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--boards", "Ks7h2dXx"], "is not a card"),
        (["--boards", "Ks7hKs"], "twice"),
        (["--boards", "Ks7h"], "has 2 cards"),
        (["--boards", "Ks7h2d:many"], "the weight 'many'"),
        (["--boards", "Ks7h2d, Ks7h2d"], "named twice"),
        (["--boards", "nowhere.txt"], "there is no such file"),
        (["--boards", "flops:17"], "no subset of '17' flops"),
        (["--boards", TWO], "'bet 1' is not an action here; did you mean"),
        (["--boards", TWO, "--out", "nowhere/a.csv"], "cannot save a report"),
    ],
)
def test_mistakes_are_told_before_anything_is_solved(
    words: list[str], reason: str, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokerlab.lab.spots.boards.solve", None)
    at = ["--at", "bet 1"] if "bet 1" in reason else []
    assert reason in cli(["report", RIVER, *words, *at]).refusal


def test_a_subset_says_how_well_it_stands_for_all(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(task: object, **_: object) -> dict[str, object]:
        item = task.board  # type: ignore[attr-defined]
        numbers = {"ev_out_of_position": 40.0, "ev_in_position": 60.0, "equity_out_of_position": 0.5}
        made = {"exploitability_percent": 0.1, "iterations": 1, "seconds": 0.1}
        return {"board": item.board, "weight": item.weight, "reach": 1.0, **numbers, "frequency check": 0.5, **made}

    monkeypatch.setattr("pokerlab.lab.spots.boards.solve_board", solved)
    for size in (25, 49, 95, 184):
        words = ["report", str(EXAMPLES / "flop.toml"), "--boards", f"flops:{size}"]
        answer = cli(words)
        assert f"{size} flops stand for all 1,755, " in answer.printed
        assert "22100" in answer.printed
        assert answer.error.count(f" of {size} boards, about ") == 9  # every tenth of them
        assert cli([*words, "--json"]).json["subset"]["flops"] == size
    assert "stand for" not in cli(["report", str(EXAMPLES / "flop.toml"), "--boards", "Ks7h2d"]).printed


@pytest.mark.slow
def test_a_player_gets_the_continuation_bets_of_a_subset_from_pasted_ranges(cli: CommandLine, tmp_path: Path) -> None:
    """From Pio's range text to a CSV file, a flop a line, with the time it will take told first."""
    path, out = tmp_path / "cbet.toml", tmp_path / "cbet.csv"
    path.write_text(
        """
board = "Qs 8h 3d"
pot = 5.5
stack = 5
[out_of_position]
range = "88:0.75,AhQh:0.3,KQs,JTs:0.5"
[in_position]
range = "QQ,AKs:0.25,AhKh,A5s:50%"
bet.flop = "33%,75%"
"""
    )
    words = ["report", str(path), "--boards", "flops:25", "--at", "check", "--iterations", "2", "--out", str(out)]
    answer = cli(words, width=80)
    assert "25 boards: about" in answer.error
    assert "25 flops stand for all 1,755" in answer.printed
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 25
    assert sum(float(row["weight"]) for row in rows) == 22_100
    for row in rows:
        shares = [float(row[f"frequency {action}"]) for action in ("check", "bet 1.82", "bet 4.13")]
        assert sum(shares) == pytest.approx(1)
        assert float(row["ev_out_of_position"]) + float(row["ev_in_position"]) == pytest.approx(5.5)
        assert row["problem"] == ""


def test_a_table_with_numbers_taken_out_is_refused_and_stays(cli: CommandLine, spot: str, tmp_path: Path) -> None:
    out = tmp_path / "cbet.csv"
    words = ["report", spot, "--at", "x", "--iterations", "2", "--out", str(out), "--boards", "Ks7h2d5c"]
    assert cli(words).code == 0
    with out.open(newline="", encoding="utf-8") as file:
        [row] = csv.DictReader(file)
    for empty in (["exploitability_percent"], ["exploitability_percent", "reach", "ev_in_position"]):
        with out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
            writer.writerow(row | dict.fromkeys(empty, ""))
        left = out.read_bytes()
        assert "is not a report of boards" in cli(words).refusal
        assert out.read_bytes() == left
