"""Tables without borders, rows of facts, and tables of any width."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.markup import escape
from rich.table import Table
from rich.text import Text


def plain_table(
    headings: Iterable[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int | Collection[str] = 1,
    column: dict[str, Any] | None = None,
    **settings: Any,
) -> Table:
    """A table without borders; the first `left` columns, or those of these names, are aligned left, the others right.

    Headings are plain text, cells markup. `column` has settings of every column, `settings` those of the table.
    """
    table = Table(**{"box": None, "pad_edge": False, "header_style": "dim"} | settings)
    for place, heading in enumerate(headings):
        is_left = place < left if isinstance(left, int) else heading in left
        table.add_column(escape(heading), justify="left" if is_left else "right", **column or {})
    for row in rows:
        table.add_row(*row)
    return table


def fact_table(rows: Iterable[tuple[str, str]], *, width: int | None = None) -> Table:
    """Rows of a dim name and a text."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", width=width)
    table.add_column()
    for name, text in rows:
        table.add_row(name, text)
    return table


LEAST = 16  # characters that a cut text keeps
LEAST_WRAPPED = 12  # the same for texts that go over several lines
BORDER = 3  # extra width of a column


def print_wide_table(
    console: Any, headings: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: Sequence[bool], cut: bool = True
) -> bool:
    """Print a table of plain texts, row by row if it is too wide; return whether a text was cut.

    If no text may be cut, headings and texts go over several lines first. The title of a stacked row is its first cell
    if that has no heading, else its number.
    """
    natural = [max(map(cell_len, column)) for column in zip(headings, *rows, strict=True)]
    free_width = console.width - 1 - BORDER * len(headings)
    widths = fitted(headings, natural, numeric, free_width=free_width)
    if not cut and widths != natural:
        words = [max(heading.split() or [""], key=cell_len) for heading in headings]
        wrapped = [max(map(cell_len, (word, *texts))) for word, *texts in zip(words, *rows, strict=True)]
        widths = fitted(words, wrapped, numeric, free_width=free_width, least_text=LEAST_WRAPPED)
    if widths is None:
        return _print_stacked(console, headings, rows, cut=cut)
    table = Table()
    for heading, width, number in zip(headings, widths, numeric, strict=True):
        side = "right" if number else "left"
        over = "ellipsis" if cut else "fold"
        table.add_column(Text(heading), justify=side, width=width, no_wrap=cut, overflow=over)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)
    return cut and widths != natural


def fitted(
    headings: Sequence[str],
    natural: Sequence[int],
    numeric: Sequence[bool],
    *,
    free_width: int,
    least_text: int = LEAST,
) -> list[int] | None:
    """Column widths that fit, cutting the widest texts first; None if too little would remain.

    >>> fitted(["a", "hand"], [40, 4], [False, True], free_width=30)
    [26, 4]
    >>> fitted(["a", "b"], [40, 40], [False, False], free_width=30)
    """
    least = [
        width if number else min(width, max(least_text, cell_len(heading)))
        for heading, width, number in zip(headings, natural, numeric, strict=True)
    ]
    if sum(least) > free_width:
        return None
    widths = [min(width, free_width) for width in natural]
    while sum(widths) > free_width:
        widths[max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])] -= 1
    return widths


def _print_stacked(console: Any, headings: Sequence[str], rows: Sequence[Sequence[str]], *, cut: bool) -> bool:
    """Print each value on a line after its heading; return whether one was cut."""
    name_width = min(max(map(cell_len, headings)), console.width // 2)
    available = console.width - name_width - 2
    for number, row in enumerate(rows, start=1):
        console.print(Text(f"row {number:,}", "dim") if headings[0] else Text(row[0]))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", width=name_width, no_wrap=True, overflow="ellipsis")
        table.add_column(no_wrap=cut, overflow="ellipsis", max_width=available)
        for heading, value in zip(headings, row, strict=True):
            if heading and (value or cut):
                table.add_row(Text(heading), Text(value))
        console.print(table)
    return cut and any(cell_len(value) > available for row in rows for value in row)
