"""Answers to queries in any width: whole where they fit, cut where little is lost, else row by row; no broken word."""

from __future__ import annotations

import io

import pytest

from pokerlab.display.elements.screen import Screen
from pokerlab.display.elements.table import BORDER, LEAST, fitted
from pokerlab.display.play.hands import print_query_result
from pokerlab.match.hands.query import QueryResult

LONG = "a text of a good many words that goes on and on for more than any screen is wide " * 2


def printed(answer: QueryResult, *, width: int, most: int = 50) -> str:
    """What is printed, of which no line is wider than the screen."""
    out = io.StringIO()
    print_query_result(answer, Screen(file=out, width=width), most=most)
    lines = out.getvalue().splitlines()
    assert all(len(line.rstrip()) <= width for line in lines)
    return "\n".join(line.rstrip() for line in lines)


def test_what_fits_is_whole() -> None:
    shown = printed(QueryResult(("agent", "won"), [("formula", 12.5), (None, None)], more=False), width=80)
    assert "│ formula │ 12.5 │" in shown
    assert "--json" not in shown


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_long_texts_are_cut_and_numbers_are_not(width: int) -> None:
    shown = printed(QueryResult(("n", "settings"), [(123456, LONG), (7, "short")], more=False), width=width)
    assert "│ 123456 │ a text of a go" in shown
    assert "…" in shown
    assert "│      7 │ short" in shown
    assert "texts are cut" in shown


@pytest.mark.parametrize("width", [40, 80])
def test_many_columns_are_told_row_by_row(width: int) -> None:
    columns = tuple(f"column_{i}" for i in range(12))
    rows = [tuple(range(12)), (*(1.5,) * 11, LONG)]
    shown = printed(QueryResult(columns, rows, more=True), width=width, most=2)
    lines = shown.splitlines()
    assert lines[0] == "row 1"
    assert lines[1].split() == ["column_0", "0"]
    assert lines[12].split() == ["column_11", "11"]
    assert lines[13] == "row 2"
    assert lines[25].startswith("column_11  a text of a")
    assert lines[25].endswith("…")
    assert "the first 2 rows" in shown


def test_nothing_is_told_too() -> None:
    assert "no rows" in printed(QueryResult(("a",), [], more=False), width=80)


def test_lines_and_markup_of_a_value_are_shown() -> None:
    shown = printed(QueryResult(("text",), [("[bold]x[/bold]\ny \x1b[31m",)], more=False), width=80)
    assert "[bold]x[/bold]" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("room", range(30, 130, 7))
def test_columns_fill_the_room_that_there_is(room: int) -> None:
    headings, natural, numeric = ["a", "b", "number", "c"], [90, 30, 11, 4], [False, False, True, False]
    widths = fitted(headings, natural, numeric, free_width=room)
    least = LEAST + LEAST + 11 + 4
    assert (widths is None) == (room < least)
    if widths is not None:
        assert sum(widths) == min(room, sum(natural))
        assert widths[2:] == [11, 4]
        assert widths[0] >= widths[1] - 1  # the widest is cut first


def test_wide_letters_count_twice() -> None:
    shown = printed(QueryResult(("text", "n"), [("日本語" * 20, 1)], more=False), width=50)
    row = next(line for line in shown.splitlines() if "日" in line)
    assert 2 * sum(letter in "日本語" for letter in row) + 1 + BORDER * 2 + 1 <= 50
