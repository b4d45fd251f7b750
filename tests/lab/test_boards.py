"""Reports over boards: the list of flops, weights, resuming, totals."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokerlab.errors import BadCards, BadFile, BadSetting
from pokerlab.lab import boards
from pokerlab.lab.boards import WeightedBoard, all_flops, read_boards, read_table, report, totals
from pokerlab.lab.solving import solve

SEAT = {"range": "AA,KQs,76s,JTo", "bet": "75%", "raise": "allin"}
SPOT: dict[str, Any] = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 200, "out_of_position": SEAT, "in_position": SEAT}
BOARDS = read_boards("Ks7h2d5c9s:3, Qs7h2d5c9s, AsKhQdJcTs")


def test_all_flops_are_1755_classes_of_22100() -> None:
    flops = all_flops()
    assert len(flops) == 1755
    assert sum(flop.weight for flop in flops) == 22_100


def test_rows_are_the_solutions_of_their_boards(tmp_path: Path) -> None:
    rows = report(SPOT, BOARDS, out=tmp_path / "a.csv", iterations=40)
    assert [row["board"] for row in rows] == [item.board for item in BOARDS]
    alone = solve(SPOT, iterations=40)
    assert rows[0]["ev_out_of_position"] == alone.values[0]
    means = totals(rows)
    weighted = sum(row["weight"] * row["ev_out_of_position"] for row in rows) / 5
    assert means["ev_out_of_position"] == pytest.approx(weighted)


def test_a_report_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    first = report(SPOT, BOARDS[:2], out=out, iterations=20)
    solved: list[str] = []
    rows = report(SPOT, BOARDS, out=out, iterations=20, on_row=lambda row, _: solved.append(row["board"]))
    assert solved == [BOARDS[2].board]
    assert rows[0]["ev_out_of_position"] == first[0]["ev_out_of_position"]
    assert len(read_table(out)) == 3


def test_processes_give_the_same_rows() -> None:
    one, two = (report(SPOT, BOARDS, workers=workers, iterations=10) for workers in (1, 2))
    for row, other in zip(one, two, strict=True):
        assert {k: v for k, v in row.items() if k != "seconds"} == {k: v for k, v in other.items() if k != "seconds"}


def test_a_board_that_cannot_be_played_is_told_in_its_row() -> None:
    seats = {"out_of_position": SEAT | {"range": "KsKh"}, "in_position": SEAT}
    rows = report(SPOT | seats, read_boards("Ks7h2d5c9s, 3s7h2d5c9s"), iterations=5)
    assert "empty" in rows[0]["problem"]
    assert "ev_out_of_position" in rows[1]


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(BadCards):
        read_boards("Ks7hXX")
    with pytest.raises(BadCards):
        read_boards("")
    with pytest.raises(BadSetting):
        read_boards("Ks7h2d:lots")
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    with pytest.raises(BadFile, match="is not a report of boards"):
        read_table(tmp_path / "a.csv")
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(BadFile, match="cannot read"):
            read_table(path)


def test_a_table_of_another_spot_is_refused_and_weights_are_those_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    report(SPOT, BOARDS[:1], out=out, iterations=10)
    before = out.read_text(encoding="utf-8")
    for settings, options in ((SPOT | {"pot": 10, "stack": 20}, {"iterations": 10}), (SPOT, {"iterations": 20})):
        with pytest.raises(BadFile, match="another spot"):
            report(settings, BOARDS[:1], out=out, **options)
    assert out.read_text(encoding="utf-8") == before
    again = report(SPOT, [WeightedBoard(BOARDS[0].board, 7)], out=out, iterations=10)
    assert again[0]["weight"] == 7


def test_whole_numbers_stay_whole_in_a_resumed_table(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    report(SPOT, BOARDS[:1], out=out, iterations=10)
    report(SPOT, BOARDS[:2], out=out, iterations=10)
    with out.open(newline="", encoding="utf-8") as file:
        assert [row["iterations"] for row in csv.DictReader(file)] == ["10", "10"]


def test_an_interrupted_board_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    stopped = iter(["target", "interrupted"])
    monkeypatch.setattr(
        boards, "solve", lambda *words, **options: replace(solve(*words, **options), stopped=next(stopped))
    )
    out = tmp_path / "a.csv"
    with pytest.raises(KeyboardInterrupt):
        report(SPOT, BOARDS, out=out, iterations=5)
    assert [row["board"] for row in read_table(out)] == [BOARDS[0].board]
