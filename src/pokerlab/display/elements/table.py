"""Tables without borders, and rows of facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table


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
