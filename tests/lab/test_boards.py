"""Reports over boards: the list of flops, weights, resuming, totals."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokerlab.errors import BadFile, IllegalAction
from pokerlab.events import Cancelled, Event
from pokerlab.lab.solve.solving import solve
from pokerlab.lab.solve.tasks import spot_task
from pokerlab.lab.spots import boards
from pokerlab.lab.spots.board_list import WeightedBoard, read_boards
from pokerlab.lab.spots.boards import actions_at, read_moves, read_table, report, totals

SEAT = {"range": "AA,KQs,76s,JTo", "bet": "75%", "raise": "allin"}
SPOT: dict[str, Any] = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 200, "out_of_position": SEAT, "in_position": SEAT}
BOARDS = read_boards("Ks7h2d5c9s:3, Qs7h2d5c9s, AsKhQdJcTs")


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
    events: list[Event] = []
    rows = report(SPOT, BOARDS, out=out, iterations=20, on_progress=events.append)
    saved, row = (event.payload for event in events)
    assert [one["board"] for one in saved] == [item.board for item in BOARDS[:2]]
    assert row["board"] == BOARDS[2].board
    assert [(event.done, event.total) for event in events] == [(2, 3), (3, 3)]
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


def test_files_that_are_no_report(tmp_path: Path) -> None:
    for text in ("x,y\n1,2\n", "board,weight\nKs7h2d5c9s,1\n", "board,weight,iterations\nKs7h2d5c9s,1,lots\n"):
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(BadFile, match="is not a report of boards"):
            read_table(tmp_path / "a.csv")
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(BadFile, match="cannot read"):
            read_table(path)


def test_a_file_that_is_no_report_is_not_overwritten(tmp_path: Path) -> None:
    """Whatever it holds: one line of words is a table without rows, too."""
    report(SPOT, BOARDS[:2], out=tmp_path / "whole.csv", iterations=5)
    lines = (tmp_path / "whole.csv").read_text().splitlines()
    worst = lines[0].split(",").index("exploitability_percent")
    without = [",".join(word for at, word in enumerate(line.split(",")) if at != worst) for line in lines]
    more = [f"{lines[0]},stars", *(f"{line},5" for line in lines[1:])]
    for text in ("my notes\n", "board,weight\n", "\n".join(without), "\n".join(more)):
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(BadFile, match="is not a report of boards|a column 'stars'"):
            report(SPOT, BOARDS, out=tmp_path / "a.csv", iterations=5)
        assert (tmp_path / "a.csv").read_text() == text
    (tmp_path / "a.csv").write_text("\n")
    assert len(report(SPOT, BOARDS, out=tmp_path / "a.csv", iterations=5)) == 3


def test_a_table_with_an_edited_header_is_refused(tmp_path: Path) -> None:
    """Every column in turn is renamed, named like another, and left out."""
    out = tmp_path / "a.csv"
    report(SPOT, BOARDS[:1], out=out, iterations=5)
    cells = [line.split(",") for line in out.read_text().splitlines()]
    names = cells[0]
    for at, name in enumerate(names):
        edited = [
            [[*names[:at], other, *names[at + 1 :]], *cells[1:]]
            for other in (f"{name}x", "frequency of folds", names[at - 1])
        ]
        edited.append([[cell for place, cell in enumerate(row) if place != at] for row in cells])
        for rows in edited:
            text = "\n".join(map(",".join, rows))
            out.write_text(text)
            with pytest.raises(BadFile):
                report(SPOT, BOARDS[:2], out=out, iterations=5)
            assert out.read_text() == text


def test_a_table_of_another_spot_is_refused_and_weights_are_those_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    report(SPOT, BOARDS[:1], out=out, iterations=10)
    before = out.read_text(encoding="utf-8")
    for settings, options in (
        (SPOT | {"pot": 10, "stack": 20}, {"iterations": 10}),
        (SPOT, {"iterations": 20}),
        (SPOT, {"iterations": 10, "at": ["check"]}),
    ):
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
    with pytest.raises(Cancelled):
        report(SPOT, BOARDS, out=out, iterations=5)
    assert [row["board"] for row in read_table(out)] == [BOARDS[0].board]


# ---- at a decision ---------------------------------------------------------------------------------------------------

UNEVEN: dict[str, Any] = {
    "board": "Ks7h2d5c9s",
    "pot": 60,
    "stack": 150,
    "out_of_position": {"range": "AA,KQs,76s,JTo,98s:0.5", "bet": "33%,100%", "raise": "allin"},
    "in_position": {"range": "QQ+,K9s+,76s,A5s,QJo:0.3", "bet": "50%", "raise": "3x"},
}


@pytest.mark.parametrize("moves", ["", "check", "bet 20", "bet 60, all-in", "check, bet 30", "check, bet 30, all-in"])
def test_rows_are_of_the_decision_that_is_asked_for(moves: str) -> None:
    at = read_moves(moves)
    row = report(UNEVEN, read_boards("Qs7h2d5c9s"), at=at, iterations=30)[0]
    solution = solve(UNEVEN | {"board": "Qs7h2d5c9s"}, iterations=30)
    place = solution.at(*at)
    assert place.player is not None
    assert (row["ev_out_of_position"], row["ev_in_position"]) == pytest.approx((place.ev(0), place.ev(1)))
    assert (row["equity_out_of_position"], row["equity_in_position"]) == pytest.approx(
        (place.equity(0), place.equity(1))
    )
    assert {name[10:]: share for name, share in row.items() if name[:10] == "frequency "} == place.strategy()
    view, reach = solution.root, 1.0
    for move in at:
        chosen = view.actions[view.action_number(move)]
        pairs = [(view.at(action), share) for action, share in view.strategy().items()]
        assert sum(share for _, share in pairs) == pytest.approx(1)
        reach *= view.strategy()[chosen]
        view = view.at(move)
    assert row["reach"] == pytest.approx(reach)


def test_totals_count_a_board_by_its_weight_and_by_how_often_the_decision_comes() -> None:
    """So that they are what is seen over all deals: checks, then bets, of all hands dealt."""
    first = report(UNEVEN, BOARDS, iterations=30)
    after = report(UNEVEN, BOARDS, at=["check"], iterations=30)
    weights = [item.weight for item in BOARDS]
    assert totals(after)["reach"] == pytest.approx(totals(first)["frequency check"])
    both = sum(w * row["reach"] * row["frequency bet 30"] for w, row in zip(weights, after, strict=True)) / sum(weights)
    assert totals(after)["reach"] * totals(after)["frequency bet 30"] == pytest.approx(both)
    assert totals(after)["exploitability_percent"] == pytest.approx(totals(first)["exploitability_percent"])


def test_a_decision_that_nobody_comes_to_has_no_numbers() -> None:
    locked = UNEVEN | {"lock": [{"at": "", "strategy": {"check": 1.0}}]}
    row = report(locked, read_boards("Qs7h2d5c9s"), at=["bet 20"], iterations=10)[0]
    assert row["reach"] == 0
    assert row["frequency fold"] is None
    assert row["ev_in_position"] is None
    assert "frequency fold" not in totals([row])


def test_the_columns_are_the_same_whatever_happens_on_a_board(tmp_path: Path) -> None:
    headers = []
    seats = {"out_of_position": UNEVEN["out_of_position"] | {"range": "KsKh,QdQc"}}
    for number, text in enumerate(["Ks7h2d5c9s", "QdKs7h2d5c, 3d7h2c5c9s", "2s3s4d5d8h"]):
        out = tmp_path / f"{number}.csv"
        report(UNEVEN | seats, read_boards(text), at=["check"], out=out, iterations=3)
        headers.append(out.read_text(encoding="utf-8").splitlines()[0])
    assert len(set(headers)) == 1
    assert headers[0] == (
        "board,weight,reach,ev_out_of_position,ev_in_position,equity_out_of_position,equity_in_position,"
        "frequency check,frequency bet 30,exploitability_percent,iterations,seconds,problem,spot"
    )


def test_a_card_among_the_moves_may_be_on_some_boards() -> None:
    turn = {name: value for name, value in UNEVEN.items() if name != "board"}
    rows = report(turn | {"board": "Ks7h2d5c"}, read_boards("Ks7h2d5c, Ts7h2d5c"), at=["x", "x", "Ts"], iterations=2)
    assert "frequency bet 20" in rows[0]
    assert rows[1]["problem"] == "the card Ts is on the board already"


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("bet 25", "'bet 25' is not an action here"),
        ("check, bet 25", "after 'check': 'bet 25' is not an action here"),
        ("check, check", "nobody acts after 'check, check': the hand is over"),
        ("check, check, check", "after 'check, check': 'check' cannot be done: the hand is over"),
        ("Td", "'Td' is not an action here"),
    ],
)
def test_moves_that_cannot_be_made_are_told_before_anything_is_solved(
    moves: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "solve", None)
    with pytest.raises(IllegalAction, match=reason):
        report(UNEVEN, BOARDS, at=read_moves(moves), iterations=5)


def test_a_size_of_another_street_is_told_with_the_board() -> None:
    seat = {"range": "random", "bet": {"turn": "50%", "river": "100%"}, "raise": "none"}
    both = SPOT | {"out_of_position": seat, "in_position": seat}
    mixed = read_boards("Ks7h2d5c9s, Ks7h2d5c")
    with pytest.raises(IllegalAction, match="on Ks7h2d5c9s: 'bet 50' is not an action here"):
        report(both, mixed, at=["bet 50"])
    spot = spot_task(both | {"board": "Ks7h2d5c"}).spot
    assert spot is not None
    with pytest.raises(IllegalAction, match="nobody acts after 'check, check': a card comes; name it too"):
        actions_at(spot, ["check", "check"])


def test_rows_of_other_boards_are_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    report(SPOT, BOARDS, out=out, iterations=5)
    before = out.read_text(encoding="utf-8")
    with pytest.raises(BadFile, match="holds Qs7h2d5c9s too"):
        report(SPOT, [BOARDS[0], WeightedBoard("2s3s4d5d8h", 1)], out=out, iterations=5)
    assert out.read_text(encoding="utf-8") == before
