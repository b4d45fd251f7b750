"""The strength of a hand, as text and bars."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import bar, card_text

_ROWS = (
    ("immediate", "immediate rank", "IHR"),
    ("positive", "positive potential", "PPot"),
    ("negative", "negative potential", "NPot"),
    ("effective", "effective strength", "EHS"),
    ("rollout", "roll-out strength", "7cHS"),
    ("squared", "its mean square", "E[HS²]"),
)
BAR = 24  # characters


def show_strength(screen: Any, result: dict[str, Any]) -> None:
    """The result of lab.strength.hand_strength."""
    place = f" on {card_text(result['board'])}" if result["board"] else ""
    strength = f", class {result['class']:,} of {result['class_count']:,}" if "class" in result else ""
    screen.print(f"\n{card_text(result['hand'])}{place}: [bold]{result['name']}[/bold]{strength}")
    if "wins" in result:
        met = result["wins"] + result["ties"] + result["losses"]
        counts = f"beats {_count(result['wins'])}, ties {_count(result['ties'])}, loses to {_count(result['losses'])}"
        screen.print(f"[dim]against {escape(result['against'])}: {counts} of {_count(met)} hands[/dim]")
    elif "exact" in result:
        how = "exactly" if result["exact"] else f"± {result['standard_error']:.4f}"
        screen.print(f"[dim]against {escape(result['against'])}, {how}[/dim]")
    elif "order" in result:
        return
    screen.print()
    screen.print(_measures(result))
    if "histogram" in result:
        _show_histogram(screen, result["histogram"])


def _measures(result: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, words, letters in _ROWS:
        if name in result:
            next_card = result.get("next_card", {}).get(name)
            note = "" if next_card is None else f"next card alone {next_card:.4f}"
            table.add_row(
                words, f"[cyan]{letters}[/cyan]", f"{result[name]:.4f}", bar(result[name], BAR), f"[dim]{note}[/dim]"
            )
    return table


def _show_histogram(screen: Any, histogram: Any) -> None:
    screen.print("\n[dim]share of hands beaten at the river: how often[/dim]")
    tallest = max(histogram)
    bins = len(histogram)
    for i, chance in enumerate(histogram):
        label = f"{100 * i / bins:3.0f}–{100 * (i + 1) / bins:.0f} %"
        screen.print(f"{label:>10}  {100 * chance:5.1f} %  [green]{bar(chance / tallest, BAR)}[/green]")


def _count(weight: float) -> str:
    return f"{weight:,.2f}".rstrip("0").rstrip(".")
