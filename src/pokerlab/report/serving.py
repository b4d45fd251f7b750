"""A served match for people: scores pass by pass, forfeits and notes."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.formats.acpc import number
from pokerlab.lab.serving import MOST_NOTES, ServedMatch


def print_served(result: ServedMatch, console: Any) -> None:
    """What every pass came to, and all of them together."""
    total = result.scores
    table = Table()
    for heading in ("pass", "hands", *total, "log"):
        table.add_column(escape(heading), overflow="fold")
    for place, one in enumerate(result.passes, start=1):
        scores = dict(zip(one.served.names, one.served.scores, strict=True))
        row = [number(scores[name]) for name in total]
        table.add_row(str(place), str(one.served.hands), *row, escape(str(one.log)))
        for name, reason in one.served.forfeits.items():
            console.print(f"[red]{escape(name)} forfeits: {escape(reason)}[/red]")
        for note in one.served.notes[:MOST_NOTES]:
            console.print(f"[yellow]{escape(note)}[/yellow]")
    if len(result.passes) > 1:
        table.add_row("all", "", *(number(chips) for chips in total.values()), "", style="bold")
    console.print(table)
