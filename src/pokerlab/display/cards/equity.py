"""Equities, preflop tables and ranges."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.equity import Equity
from pokerlab.display.elements.grid import EQUITY, Grid
from pokerlab.display.elements.numbers import bar

BAR = 20  # characters; fewer, or no bar, on a narrow screen
SHORTEST = 8  # characters of a bar or a name
NUMBERS = 4 * len("50.0000 %  ")
ERROR = len(" ± 0.828")


def show_equity(screen: Any, result: Equity) -> None:
    """A row per player, the best in green, and how the numbers were computed."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    numbers = NUMBERS if result.exact else NUMBERS + ERROR
    available = screen.width - numbers
    names = min(max(len(share.held) for share in result.players), 32, max(available - 2, SHORTEST))
    length = min(BAR, available - names - 4)
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
        dead = f"dead {result.dead}" if result.dead else ""
        screen.print(", ".join(filter(None, (result.board and f"board [bold]{result.board}[/bold]", dead))))
    screen.print(table)
    screen.print()
    kind = "exact" if result.exact else "sampled, ± one standard error"
    deals = f" ({result.deals:,.0f} deal{'s' * (result.deals != 1)})"
    counts = deals if result.exact and float(result.deals).is_integer() else ""
    ended = "interrupted: " if result.interrupted else ""
    screen.print(f"[dim]{ended}{kind}: {result.method}{counts}; {result.reason}. {result.seconds:.2f} s[/dim]")


def show_preflop(screen: Any, result: dict[str, Any]) -> None:
    """Equities of the 169 starting hands as a grid."""
    equity = result["equity"]
    texts = [f"{name:3}{100 * share:2.0f}" for name, share in zip(CLASS_NAMES, equity, strict=True)]
    screen.print()
    screen.print(Grid(equity.reshape(13, 13), scale=EQUITY, texts=texts, width=6))
    screen.print()
    whose = f"of {result['hand']} against each hand" if result["hand"] else "of each hand against random cards"
    best, worst = (
        f"{CLASS_NAMES[number]} {100 * equity[number]:.4f} %"
        for number in (int(equity.argmax()), 168 - int(equity[::-1].argmin()))
    )
    screen.print(f"equity {whose}, in percent")
    screen.print(f"most [green]{best}[/green], least [red]{worst}[/red]")
    screen.print(f"[dim]exact, {result['boards']:,} boards of {result['board_cards']} cards for every two hands[/dim]")


def show_range(screen: Any, result: dict[str, Any]) -> None:
    """A range as a grid, its number of hands, and its notation."""
    screen.print()
    screen.print(Grid(result["grid"]))
    screen.print()
    combos, removed = (f"{result[name]:.4f}".rstrip("0").rstrip(".") for name in ("combos", "removed"))
    share = f"[bold]{combos}[/bold] of {result['possible']:,} hands, {100 * result['fraction']:.2f} %"
    screen.print(share + (f"; the board {result['board']} removes {removed}" if result["board"] else ""))
    screen.print(f"[dim]{escape(result['range'])}[/dim]")
