"""Convergence curves: exploitability against seconds, iterations, nodes touched or passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pokerlab.errors import BadSetting
from pokerlab.figure import Figure, Line, Panel

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
