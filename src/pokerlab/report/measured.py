"""How exploitable players are, in words."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.lab.local_response import LocalResponse
from pokerlab.lab.measuring import Measured
from pokerlab.report.match import seat_name
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


def show_local(screen: Any, found: LocalResponse) -> None:
    """What local best response won, by seat, and what that says."""
    usual = found.units.usual
    won = usual.of(found.winnings)
    screen.print(
        f"local best response wins [bold]{won.mean:+,.{usual.digits}f} ± {won.half_width:,.{usual.digits}f}[/bold] "
        f"{usual.name}/hand against {escape(found.agent)} in {escape(game_title(found.game))}"
    )
    for seat, summary in enumerate(found.seats):
        if summary is not None:
            part = usual.of(summary)
            screen.print(
                f"[dim]{seat_name(seat, len(found.seats)):>16}[/dim]  "
                f"{part.mean:+,.{usual.digits}f} ± {part.half_width:,.{usual.digits}f}"
            )
    played = f"{found.hands:,} hands, every deal from both seats, all-ins at their expected value"
    screen.print(f"[dim]{played}; bets: {escape(found.menu)}; from round {found.from_round} on[/dim]")
    screen.print("[dim]± is half of the 95 % interval; a best response wins at least as much on average[/dim]")
    for agent, text, count in found.remarks[:8]:
        screen.print(f"[dim]{escape(agent)}: {count:,} times {escape(text)}[/dim]")
