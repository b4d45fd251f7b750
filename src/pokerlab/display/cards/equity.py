"""Who wins how often when hands or ranges meet, in words and bars."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.cards.equity import Equity
from pokerlab.display.elements.numbers import bar

BAR = 20  # characters; fewer, or no bar, where there is no room
SHORTEST = 8  # characters of a bar or a name
NUMBERS = 4 * len("50.0000 %  ")
ERROR = len(" ± 0.828")


def show_equity(screen: Any, result: Equity) -> None:
    """A line for each player, the best in green, and how the numbers were found."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    numbers = NUMBERS if result.exact else NUMBERS + ERROR
    room = screen.width - numbers
    names = min(max(len(share.held) for share in result.players), 32, max(room - 2, SHORTEST))
    length = min(BAR, room - names - 4)
    table.add_column("", style="bold", max_width=names, no_wrap=True, overflow="ellipsis")
    for heading in ("equity", "win", "tie", "lose"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    best = max(share.equity for share in result.players)
    for share in result.players:
        colour = "green" if share.equity == best else "white"
        error = f" ± {100 * share.standard_error:.3f}" if not result.exact else ""
        table.add_row(
            escape(share.held),
            f"[{colour}]{100 * share.equity:.4f} %[/]{error}",
            f"{100 * share.win:.4f} %",
            f"{100 * share.tie:.4f} %",
            f"{100 * share.lose:.4f} %",
            f"[{colour}]{bar(share.equity, length) if length >= SHORTEST else ''}[/]",
        )
    screen.print()
    if result.board or result.dead:
        words = [f"board [bold]{result.board}[/bold]"] * bool(result.board) + [f"dead {result.dead}"] * bool(
            result.dead
        )
        screen.print(", ".join(words))
    screen.print(table)
    screen.print()
    kind = "exact" if result.exact else "by chance, ± one standard error"
    deals = f" ({result.deals:,.0f} deal{'s' * (result.deals != 1)})"
    counts = deals if result.exact and float(result.deals).is_integer() else ""
    ended = "interrupted: " if result.interrupted else ""
    screen.print(f"[dim]{ended}{kind}: {result.method}{counts}; {result.reason}. {result.seconds:.2f} s[/dim]")
