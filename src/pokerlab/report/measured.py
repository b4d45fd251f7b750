"""How exploitable players are, in words."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.lab.measuring import Measured
from pokerlab.report.numbers import game_title, value_text


def show_measured(screen: Any, found: Measured) -> None:
    """What each seat wins, what a best response would, and how exploitable all of them are."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("seat", "agent", "wins", "best response wins", "gain"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    rows = zip(found.players, found.measure.values, found.measure.best_responses, found.measure.gains, strict=True)
    for seat, (agent, *numbers) in enumerate(rows):
        table.add_row(str(seat), escape(agent), *map(value_text, numbers))
    screen.print(table)
    gap = max(found.measure.exploitability, 0.0)  # below zero by rounding only
    screen.print(
        f"[dim]exploitability[/dim]  [bold]{gap:.6g}[/bold] a hand, {100 * gap / found.pot:.3g} % of the pot, "
        f"in {escape(game_title(found.game))}"
    )
