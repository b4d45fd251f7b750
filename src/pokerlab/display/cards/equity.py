"""Equities, preflop tables, ranges, and the strength of a hand."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.equity import Equity
from pokerlab.display.elements.grid import EQUITY, Grid
from pokerlab.display.elements.numbers import bar, bin_text, card_text, counted, short_text

BAR = 20  # characters; fewer, or no bar, on a narrow screen
SHORTEST = 8  # characters of a bar or a name
NUMBERS = 4 * len("50.0000 %  ")
ERROR = len(" ± 0.828")


def show_equity(screen: Any, result: Equity) -> None:
    """A row per player, the best in green, and how the numbers were computed."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    available = screen.width - NUMBERS - (0 if result.exact else ERROR)
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
    known = (result.board and f"board [bold]{result.board}[/bold]", result.dead and f"dead {result.dead}")
    if any(known):
        screen.print(", ".join(filter(None, known)))
    screen.print(table)
    screen.print()
    kind = "exact" if result.exact else "sampled, ± one standard error"
    counts = f" ({counted(int(result.deals), 'deal')})" if result.exact and float(result.deals).is_integer() else ""
    ended = "interrupted: " if result.interrupted else ""
    screen.print(f"[dim]{ended}{kind}: {result.method}{counts}; {result.reason}; took {result.seconds:.2f} s[/dim]")


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
    combos, removed = (short_text(result[name], 4) for name in ("combos", "removed"))
    share = f"[bold]{combos}[/bold] of {result['possible']:,} hands, {100 * result['fraction']:.2f} %"
    screen.print(share + (f"; the board {result['board']} removes {removed}" if result["board"] else ""))
    screen.print(f"[dim]{escape(result['range'])}[/dim]")


_ROWS = (
    ("immediate", "immediate rank", "IHR"),
    ("positive", "positive potential", "PPot"),
    ("negative", "negative potential", "NPot"),
    ("effective", "effective strength", "EHS"),
    ("rollout", "roll-out strength", "7cHS"),
    ("squared", "its mean square", "E[HS²]"),
)
_DRAW_ROWS = (
    ("immediate", "hand strength", "HS"),
    ("positive", "positive potential", "PPOT"),
    ("effective", "effective strength", "EHS"),
)
DRAW_NOTE = (
    "PPOT: the chance that a hand that is behind comes ahead by this draw, ties counting half, while the opponent's "
    "hand stays as it is; EHS = HS + (1 - HS) PPOT (Ee 2024)"
)
MEASURE_BAR = 24  # characters


def show_strength(screen: Any, result: dict[str, Any]) -> None:
    """The result of lab.strength.hand_strength."""
    board = f" on {card_text(result['board'])}" if result["board"] else ""
    strength = f", class {result['class']:,} of {result['class_count']:,}" if "class" in result else ""
    screen.print(f"\n{card_text(result['hand'])}{board}: [bold]{result['name']}[/bold]{strength}")
    if "wins" in result:
        counts = [result[name] for name in ("wins", "ties", "losses")]
        wins, ties, losses, total = (short_text(count, 2) for count in (*counts, sum(counts)))
        outcome = f"beats {wins}, ties {ties}, loses to {losses} of {total} hands"
        screen.print(f"[dim]against {escape(result['against'])}: {outcome}[/dim]")
    elif "exact" in result:
        how = "exactly" if result["exact"] else f"± {result['standard_error']:.4f}"
        screen.print(f"[dim]against {escape(result['against'])}, {how}[/dim]")
    elif "order" in result:
        return
    names = _ROWS if "discards" not in result else _DRAW_ROWS
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, words, letters in names:
        if name in result:
            next_card = result.get("next_card", {}).get(name)
            note = "" if next_card is None else f"[dim]next card alone {next_card:.4f}[/dim]"
            drawn = bar(result[name], MEASURE_BAR)
            table.add_row(words, f"[cyan]{letters}[/cyan]", f"{result[name]:.4f}", drawn, note)
    screen.print()
    screen.print(table)
    if "discards" in result:
        thrown = f"discard {card_text(result['discards'])}" if result["discards"] else "stand pat"
        screen.print(f"\nbest mean strength after the draw: {thrown}, {result['after_draw']:.4f}")
        screen.print(f"[dim]{DRAW_NOTE}[/dim]")
    if "histogram" in result:
        screen.print("\n[dim]share of hands beaten at the river: how often[/dim]")
        histogram = result["histogram"]
        for i, chance in enumerate(histogram):
            drawn = bar(chance / max(histogram), MEASURE_BAR)
            screen.print(f"{bin_text(i, len(histogram)):>10}  {100 * chance:5.1f} %  [green]{drawn}[/green]")
