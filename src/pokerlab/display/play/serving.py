"""A served match for people: scores pass by pass, forfeits and notes; and what an agent won at a dealer."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.formats.acpc import number
from pokerlab.lab.serving import MOST_NOTES, AtDealer, ServedMatch


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


def print_at_dealer(result: AtDealer, console: Any) -> None:
    """What an agent won, a hand with the interval, and what it did that was not allowed."""
    agent, a_hand = escape(result.agent), result.a_hand
    each = "" if a_hand is None else f", {a_hand.mean:+.4g} ± {a_hand.half_width:.3g} a hand (95 % interval)"
    console.print(f"{agent} played {result.hands:,} hands and won {result.won:+g} chips{each}")
    for reason, count in result.faults.most_common(MOST_NOTES):
        console.print(f"[yellow]{agent}: {count:,} times not allowed: {escape(reason)}[/yellow]")
