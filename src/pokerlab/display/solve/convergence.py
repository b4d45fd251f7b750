"""Convergence curves over seconds, iterations, nodes or passes, and algorithms side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from pokerlab.display.elements.numbers import gap_text, value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.elements.text_chart import letter_of, log_chart, style_of
from pokerlab.errors import BadSetting
from pokerlab.figure import Figure, Line, Panel
from pokerlab.lab.solve.comparing import Comparison
from pokerlab.tables import Columns

if TYPE_CHECKING:
    from pokerlab.strategy.files.solution import Solution

AXES = {
    "iterations": "iterations",
    "seconds": "seconds",
    "nodes": "nodes touched",
    "passes": "passes over the game (gradient evaluations)",
}
FIELDS = {"iterations": "iterations", "seconds": "seconds", "nodes": "nodes_touched", "passes": "nodes_touched"}
LOWEST = 1e-12  # smaller shares of the largest value are drawn here: rounding errors of exact algorithms


def check_axis(axis: str) -> str:
    """The axis, or BadSetting with the possible ones."""
    if axis not in AXES:
        raise BadSetting(f"curves are drawn against {', '.join(AXES)}, not {axis[:40]!r}")
    return axis


def pass_size(solution: Solution, axis: str) -> float:
    """On the axis `passes`, the nodes that a pass over the game touches; elsewhere 1."""
    return float(solution.built_form().size.nodes) if axis == "passes" else 1.0


def curve_points(solutions: Mapping[str, Solution], axis: str) -> dict[str, list[tuple[float, float]]]:
    """The points of each curve that logarithmic axes can show."""
    field = FIELDS[check_axis(axis)]
    gaps = (point.exploitability for one in solutions.values() for point in one.curve)
    lowest = LOWEST * (max(gaps, default=0.0) or 1.0)
    curves = {}
    for name, one in solutions.items():
        size = pass_size(one, axis)
        curves[name] = [
            (float(getattr(point, field)) / size, max(point.exploitability, lowest))
            for point in one.curve
            if getattr(point, field) > 0
        ]
    return curves


def convergence_figure(solutions: Mapping[str, Solution], *, title: str, axis: str = "seconds") -> Figure:
    """The curves of solutions by name, on logarithmic axes."""
    lines = [
        Line([x for x, _ in points], [y for _, y in points], name, style="line" if len(points) > 1 else "points")
        for name, points in curve_points(solutions, axis).items()
        if points
    ]
    panel = Panel(tuple(lines), title, x_label=AXES[axis], y_label="exploitability", x_log=True, y_log=True)
    return Figure("convergence", title, (panel,))


# ---- comparison ------------------------------------------------------------------------------------------------------


WIDEST = 100  # columns of the chart
HEADINGS = ("", "algorithm", "expl.", "value", "iterations", "seconds", "a second", "nodes")


def show_comparison(screen: Any, comparison: Comparison, *, axis: str) -> None:
    """A chart of the curves, and a row per algorithm, the best first."""
    chart = log_chart(
        curve_points(comparison.solutions, axis),
        width=min(screen.width, WIDEST),
        x_label=AXES[axis],
        y_label="exploitability",
    )
    best = min((one.exploitability for one in comparison.solutions.values() if one.measure.is_known), default=None)
    names, rows = list(comparison.solutions), []
    for name, one in comparison.ranking:
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
    if comparison.interrupted:
        left_out = f"; not run: {', '.join(comparison.not_run)}" if comparison.not_run else ""
        screen.print(f"interrupted{left_out}", markup=False)


def comparison_columns(comparison: Comparison, axis: str) -> Columns:
    """The curves as columns, with passes where that is the axis."""
    columns = dict(comparison.columns())
    if axis == "passes":
        sizes = {name: pass_size(one, axis) for name, one in comparison.solutions.items()}
        each = zip(columns["algorithm"], columns["nodes_touched"], strict=True)
        columns["passes"] = [nodes / sizes[name] for name, nodes in each]
    return columns


def comparison_figure(comparison: Comparison, axis: str) -> Figure:
    """The curves as a figure."""
    return convergence_figure(comparison.solutions, title=comparison.game, axis=axis)
