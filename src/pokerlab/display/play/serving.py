"""A served match, and the result of an agent at a dealer."""

from __future__ import annotations

from typing import Any

from rich.box import HEAVY_HEAD
from rich.markup import escape

from pokerlab.display.elements.table import plain_table
from pokerlab.formats.acpc import number
from pokerlab.lab.play.serving import MOST_NOTES, AtDealer, ServedMatch


def print_served(result: ServedMatch, console: Any) -> None:
    """Scores by pass and in total, forfeits and notes."""
    total = result.scores
    rows = []
    for place, one in enumerate(result.passes, start=1):
        scores = dict(zip(one.served.names, one.served.scores, strict=True))
        cells = [number(scores[name]) for name in total]
        rows.append((str(place), str(one.served.hands), *cells, escape(str(one.log))))
        for name, reason in one.served.forfeits.items():
            console.print(f"[red]{escape(name)} forfeits: {escape(reason)}[/red]")
        for note in one.served.notes[:MOST_NOTES]:
            console.print(f"[yellow]{escape(note)}[/yellow]")
    if len(result.passes) > 1:
        rows.append(("[bold]all[/]", "", *(f"[bold]{number(chips)}[/]" for chips in total.values()), ""))
    headings = ("pass", "hands", *total, "log")
    console.print(plain_table(headings, rows, left=len(headings), column={"overflow": "fold"}, box=HEAVY_HEAD))


def print_at_dealer(result: AtDealer, console: Any) -> None:
    """The winnings of an agent per hand, with the interval, and its illegal actions."""
    agent, a_hand = escape(result.agent), result.a_hand
    each = "" if a_hand is None else f", {a_hand.mean:+.4g} ± {a_hand.half_width:.3g} a hand (95 % interval)"
    won = "won" if result.won >= 0 else "lost"
    console.print(f"{agent} played {result.hands:,} hands and {won} {abs(result.won):g} chips{each}")
    for reason, count in result.faults.most_common(MOST_NOTES):
        console.print(f"[yellow]{agent}: {count:,} illegal actions: {escape(reason)}[/yellow]")
