"""Several algorithms on one game, side by side."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import gap_text, value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.elements.text_chart import letter_of, log_chart, style_of
from pokerlab.display.solve.convergence import AXES, convergence_figure, curve_points, pass_size
from pokerlab.figure import Figure
from pokerlab.lab.solve.comparing import Comparison
from pokerlab.tables import Columns

WIDEST = 100  # columns of the chart
HEADINGS = ("", "algorithm", "expl.", "value", "iterations", "seconds", "a second", "nodes")


def show_comparison(screen: Any, found: Comparison, *, axis: str) -> None:
    """A chart of the curves, and a row per algorithm, the best first."""
    chart = log_chart(
        curve_points(found.solutions, axis),
        width=min(screen.width, WIDEST),
        x_label=AXES[axis],
        y_label="exploitability",
    )
    best = min((one.exploitability for one in found.solutions.values() if one.measure.is_known), default=None)
    names, rows = list(found.solutions), []
    for name, one in found.ranking:
        index, gap = names.index(name), gap_text(one.exploitability)
        rows.append(
            (
                f"[{style_of(index)}]{letter_of(index)}[/]" if chart is not None else "",
                escape(name),
                f"[bold green]{gap}[/]" if one.exploitability == best else gap,
                value_text(one.value, 5),
                f"{one.iterations:,}",
                f"{one.seconds:.2f}",
                f"{one.iterations / max(one.seconds, 1e-9):,.0f}",
                f"{one.nodes_touched:,}",
            )
        )
    if chart is not None:
        screen.print(chart)
        screen.print()
    screen.print(plain_table(HEADINGS, rows, left=2))
    if found.interrupted:
        left_out = f"; not run: {', '.join(found.not_run)}" if found.not_run else ""
        screen.print(f"interrupted{left_out}", markup=False)


def comparison_columns(found: Comparison, axis: str) -> Columns:
    """The curves as columns, with passes where that is the axis."""
    columns = dict(found.columns())
    if axis == "passes":
        sizes = {name: pass_size(one, axis) for name, one in found.solutions.items()}
        each = zip(columns["algorithm"], columns["nodes_touched"], strict=True)
        columns["passes"] = [nodes / sizes[name] for name, nodes in each]
    return columns


def comparison_figure(found: Comparison, axis: str) -> Figure:
    """The curves as a figure."""
    return convergence_figure(found.solutions, title=found.game, axis=axis)
