"""A spot over many boards, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

MOST_SHOWN = 60  # boards


def show_boards(
    screen: Any, rows: Sequence[Mapping[str, Any]], means: Mapping[str, float], *, out: Path | None
) -> None:
    """A line for each of the first boards, their weighted means, and where the table is kept."""
    names = [name for name in means if name.startswith("frequency ")]
    actions = [name.removeprefix("frequency ") for name in names]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("board", "weight", "EV oop", "EV ip", "equity", *actions):
        table.add_column(heading, justify="left" if heading == "board" else "right")
    for row in rows[:MOST_SHOWN]:
        table.add_row(row["board"], f"{row['weight']:g}", *_cells(row, names))
    if means:
        table.add_row("[bold]all[/bold]", f"{sum(row['weight'] for row in rows):g}", *_cells(means, names))
    screen.print(table)
    if len(rows) > MOST_SHOWN:
        screen.print(f"[dim]and {len(rows) - MOST_SHOWN} more boards[/dim]")
    if out is not None:
        screen.print(f"[dim]kept in[/dim] {escape(str(out))}")


def _cells(row: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    if "problem" in row:
        return [row["problem"]]
    shares = [f"{100 * (row.get(name) or 0):.1f} %" for name in names]
    numbers = [f"{row[name]:.2f}" for name in ("ev_out_of_position", "ev_in_position")]
    return [*numbers, f"{100 * row.get('equity_out_of_position', float('nan')):.1f} %", *shares]
