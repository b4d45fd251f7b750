"""Several algorithms on one game, beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.report.numbers import value_text
from pokerlab.strategy.solution import Solution


def show_comparison(screen: Any, solutions: Mapping[str, Solution], *, picture: Path) -> None:
    """A line for each algorithm, the best first, and where the picture is."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("algorithm", "expl.", "value", "iterations", "seconds", "a second", "nodes"):
        table.add_column(heading, justify="left" if heading == "algorithm" else "right")
    best = min(found.exploitability for found in solutions.values())
    for spec, found in sorted(solutions.items(), key=lambda item: item[1].exploitability):
        gap = f"{found.exploitability:.3g}"
        table.add_row(
            escape(spec),
            f"[bold green]{gap}[/]" if found.exploitability == best else gap,
            value_text(found.value, 5),
            f"{found.iterations:,}",
            f"{found.seconds:.2f}",
            f"{found.iterations / max(found.seconds, 1e-9):,.0f}",
            f"{found.nodes_touched:,}",
        )
    screen.print(table)
    screen.print(f"[dim]picture: {escape(str(picture))}[/dim]")
