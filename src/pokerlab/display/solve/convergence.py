"""Convergence curves over seconds, iterations, nodes or passes, and algorithms side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.text import Text

from pokerlab.display.elements.numbers import gap_text, value_text
from pokerlab.display.elements.table import plain_table
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


WIDEST = 100  # columns of the chart
SAMPLED = (
    "* iterations that sample a part of the game; the others traverse all of it: compare these by seconds or by nodes"
)
HEADINGS = ("", "algorithm", "expl.", "value", "iterations", "seconds", "per second", "nodes")


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
                f"{one.iterations:,}{comparison_mark(comparison, name)}",
                f"{one.seconds:.2f}",
                f"{one.iterations / max(one.seconds, 1e-9):,.0f}{comparison_mark(comparison, name)}",
                f"{one.nodes_touched:,}",
            )
        )
    if chart is not None:
        screen.print(chart)
        screen.print()
    screen.print(plain_table(HEADINGS, rows, left=2))
    if comparison.is_mixed:
        screen.print(f"{SAMPLED}{' (--x nodes)' if axis == 'iterations' else ''}", style="dim", markup=False)
    if comparison.interrupted:
        left_out = f"; not run: {', '.join(comparison.not_run)}" if comparison.not_run else ""
        screen.print(f"interrupted{left_out}", markup=False)


def comparison_mark(comparison: Comparison, name: str) -> str:
    """What follows the iterations of an algorithm: an asterisk if they sample and others traverse the whole game."""
    if not comparison.is_mixed:
        return ""
    return "*" if name in comparison.samplers else " "


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


LETTERS = "abcdefghijklmnopqrstuvwxyz"
STYLES = ("cyan", "red", "green", "yellow", "magenta", "blue", "bright_cyan", "bright_red", "bright_green")
HEIGHT = 12  # lines
EDGE = 8  # columns of the numbers at the left

Points = Sequence[tuple[float, float]]


def letter_of(index: int) -> str:
    """The letter of a curve."""
    return LETTERS[index % len(LETTERS)]


def style_of(index: int) -> str:
    """The colour of its letter."""
    return STYLES[index % len(STYLES)]


def log_chart(curves: Mapping[str, Points], *, width: int, x_label: str, y_label: str) -> Text | None:
    """Positive points as letters on a chart of `width` columns; None if no curve has two points.

    Where curves meet, the first one is visible. A single point, such as that of a linear program, is moved to the edge
    if it is beyond the other curves.
    """
    points = [point for curve in curves.values() if len(curve) > 1 for point in curve]
    if not points:
        return None
    columns = max(width - EDGE - 1, 8)
    across = _scale([x for x, _ in points], columns)
    up = _scale([y for _, y in points], HEIGHT)
    cells: dict[tuple[int, int], int] = {}
    for index in range(len(curves) - 1, -1, -1):
        drawn = list(curves.values())[index]
        for column, row in _trace([(across(x), up(y)) for x, y in drawn]):
            cells[row, column] = index
    chart = Text(f"{y_label}\n", style="dim", no_wrap=True)
    low, high = min(y for _, y in points), max(y for _, y in points)
    for row in range(HEIGHT - 1, -1, -1):
        edge = f"{high:.2g}" if row == HEIGHT - 1 else f"{low:.2g}" if row == 0 else ""
        chart.append(f"{edge:>{EDGE - 1}} │")
        for column in range(columns):
            index = cells.get((row, column), -1)
            chart.append(*((letter_of(index), style_of(index)) if index >= 0 else (" ", "")))
        chart.append("\n")
    left, right = _edge_text(min(x for x, _ in points)), f"{_edge_text(max(x for x, _ in points))} {x_label}"
    chart.append(f"{'':>{EDGE - 1}} └{'─' * columns}\n{'':>{EDGE}}{left}{right:>{max(columns + 1 - len(left), 1)}}")
    for index, (name, drawn) in enumerate(curves.items()):
        if drawn and all(y < low for _, y in drawn):
            chart.append(f"\n{'':>{EDGE}}{letter_of(index)} ({name}) is below the axis")
    return chart


def _edge_text(number: float) -> str:
    """An end of the horizontal axis.

    >>> _edge_text(1000.0), _edge_text(0.000208), _edge_text(18_902_000.0)
    ('1,000', '0.000208', '1.89e+07')
    """
    return f"{number:,.0f}" if 1000 <= number < 1e6 else f"{number:.3g}"


def _scale(numbers: Sequence[float], size: int) -> Callable[[float], int]:
    """A map from positive numbers to 0 .. size - 1, by their logarithms."""
    low, high = math.log(min(numbers)), math.log(max(numbers))
    span = (high - low) or 1.0
    return lambda number: round(min(max((math.log(number) - low) / span, 0.0), 1.0) * (size - 1))


def _trace(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The points with every column between neighbours filled in on a straight line."""
    trace = list(places)
    for (x, y), (right, above) in pairwise(places):
        trace += [(at, round(y + (above - y) * (at - x) / (right - x))) for at in range(x + 1, right)]
    return trace
