"""Several algorithms on one game, beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import gap_text, value_text
from pokerlab.display.elements.text_chart import letter_of, log_chart, style_of
from pokerlab.display.solve.convergence import AXES, drawn_points, pass_sizes
from pokerlab.lab.comparing import Comparison

WIDEST = 100  # columns of the chart


def show_comparison(screen: Any, found: Comparison, *, axis: str, written: Sequence[Path] = ()) -> None:
    """A line for each algorithm, the best first, its curve as letters, and what was written where."""
    sizes = pass_sizes(found.solutions, axis)
    curves = drawn_points({name: one.curve for name, one in found.solutions.items()}, axis, sizes)
    chart = log_chart(curves, width=min(screen.width, WIDEST), x_label=AXES[axis], y_label="exploitability")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("", "algorithm", "expl.", "value", "iterations", "seconds", "a second", "nodes"):
        table.add_column(heading, justify="left" if heading in ("", "algorithm") else "right")
    best = min((one.exploitability for one in found.solutions.values() if one.measure.is_known), default=None)
    names = list(found.solutions)
    for name, one in found.ranking:
        index = names.index(name)
        gap = gap_text(one.exploitability)
        table.add_row(
            f"[{style_of(index)}]{letter_of(index)}[/]" if chart is not None else "",
            escape(name),
            f"[bold green]{gap}[/]" if one.exploitability == best else gap,
            value_text(one.value, 5),
            f"{one.iterations:,}",
            f"{one.seconds:.2f}",
            f"{one.iterations / max(one.seconds, 1e-9):,.0f}",
            f"{one.nodes_touched:,}",
        )
    if chart is not None:
        screen.print(chart)
        screen.print()
    screen.print(table)
    for path in written:
        screen.print(f"wrote {path}", markup=False, soft_wrap=True, style="dim")
    if found.interrupted:
        left_out = f"; not run: {', '.join(found.not_run)}" if found.not_run else ""
        screen.print(f"interrupted{left_out}", markup=False)
