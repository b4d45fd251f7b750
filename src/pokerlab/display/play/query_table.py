"""The rows of any query in the width there is: a table, with long texts cut where that makes it fit, or row by row.

Numbers and headings are never cut, and no word is broken: what is too long ends in an ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from pokerlab.display.elements.numbers import cell_text
from pokerlab.errors import printable
from pokerlab.match.hands.query import Answer

LEAST = 16  # letters that are left of a text in a table, at least
BORDER = 3  # columns of a terminal that a column of a table takes besides its own


def print_answer(answer: Answer, console: Any, *, most: int) -> None:
    """The rows of an answer, at most so many."""
    headings = [printable(column) for column in answer.columns]
    rows = [[printable(cell_text(value)) for value in row] for row in answer.rows[:most]]
    numeric = [
        all(row[i] is None or isinstance(row[i], (int, float)) for row in answer.rows) for i in range(len(headings))
    ]
    natural = [max(map(cell_len, column)) for column in zip(headings, *rows, strict=True)]
    widths = fitted(headings, natural, numeric, room=console.width - 1 - BORDER * len(headings))
    if widths is not None:
        console.print(_table(headings, rows, widths, numeric))
        is_cut = widths != natural
    else:
        is_cut = _print_stacked(console, headings, rows)
    if not rows:
        console.print("no rows")
    if is_cut:
        console.print("[dim]texts are cut to the width of the screen; --json has them whole[/dim]")
    if answer.more or len(answer.rows) > most:
        console.print(f"[dim]the first {min(most, len(answer.rows)):,} rows; --rows shows more[/dim]")


def fitted(headings: Sequence[str], natural: Sequence[int], numeric: Sequence[bool], *, room: int) -> list[int] | None:
    """Widths of columns that fit, the widest texts cut first; None where that leaves too little of them.

    >>> fitted(["a", "hand"], [40, 4], [False, True], room=30), fitted(["a", "b"], [40, 40], [False, False], room=30)
    ([26, 4], None)
    """
    least = [
        width if number else min(width, max(LEAST, cell_len(heading)))
        for heading, width, number in zip(headings, natural, numeric, strict=True)
    ]
    if sum(least) > room:
        return None
    widths = [min(width, room) for width in natural]
    while sum(widths) > room:
        widths[max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])] -= 1
    return widths


def _table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], numeric: Sequence[bool]
) -> Table:
    table = Table()
    for heading, width, number in zip(headings, widths, numeric, strict=True):
        side = "right" if number else "left"
        table.add_column(Text(heading), justify=side, width=width, no_wrap=True, overflow="ellipsis")  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _print_stacked(console: Any, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Each row on lines of its own, a value a line behind its heading; whether a value was cut."""
    name_width = min(max(map(cell_len, headings)), console.width // 2)
    room = console.width - name_width - 2
    for number, row in enumerate(rows, start=1):
        console.print(f"[dim]row {number:,}[/dim]")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", width=name_width, no_wrap=True, overflow="ellipsis")
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=room)
        for heading, value in zip(headings, row, strict=True):
            table.add_row(Text(heading), Text(value))
        console.print(table)
    return any(cell_len(value) > room for row in rows for value in row)
