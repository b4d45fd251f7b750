"""How solutions come closer: exploitability against seconds, iterations, nodes touched or passes, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.display.elements.figure import letters, line_style
from pokerlab.errors import BadFile, BadSetting
from pokerlab.writing import replacing

if TYPE_CHECKING:
    from pokerlab.display.elements.picture import Picture
    from pokerlab.solvers.curve import Curve
    from pokerlab.strategy.solution import Solution

AXES = {
    "iterations": "iterations",
    "seconds": "seconds",
    "nodes": "nodes touched",
    "passes": "passes over the game (gradient evaluations)",
}
FIELDS = {"iterations": "iterations", "seconds": "seconds", "nodes": "nodes_touched", "passes": "nodes_touched"}
SUFFIXES = (".png", ".svg", ".pdf")
LOWEST = 1e-12  # what is below this share of the largest is drawn there: rounding, where a program is exact


def check_axis(axis: str) -> str:
    """The axis, or BadSetting with those that there are."""
    if axis not in AXES:
        raise BadSetting(f"curves are drawn against {', '.join(AXES)}, not {axis[:40]!r}")
    return axis


def check_picture(path: Path) -> Path:
    """The path, or BadFile when it does not end like a picture."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadFile(f"a picture ends in {', '.join(SUFFIXES)}, and {str(path)[:60]!r} does not")
    return path


def pass_sizes(solutions: Mapping[str, Solution], axis: str) -> dict[str, float]:
    """Where curves are drawn against passes: the nodes of each solution's form, which a pass touches once."""
    return {name: one.laid_out().size.nodes for name, one in solutions.items()} if axis == "passes" else {}


def drawn_points(
    curves: Mapping[str, Curve], axis: str, sizes: Mapping[str, float] | None = None
) -> dict[str, list[tuple[float, float]]]:
    """The points of curves that both logarithmic axes can show; against passes, with their `pass_sizes`."""
    field = FIELDS[check_axis(axis)]
    lowest = LOWEST * (max((point.exploitability for curve in curves.values() for point in curve), default=0.0) or 1.0)
    return {
        name: [
            (float(getattr(point, field)) / (sizes or {}).get(name, 1.0), max(point.exploitability, lowest))
            for point in curve
            if getattr(point, field) > 0
        ]
        for name, curve in curves.items()
    }


def convergence_picture(
    curves: Mapping[str, Curve], *, title: str, axis: str = "seconds", sizes: Mapping[str, float] | None = None
) -> Picture:
    """Exploitability curves, both axes logarithmic; each has its own dash pattern, marker and colour."""
    from pokerlab.display.elements.picture import Picture

    picture = Picture(figsize=(8, 5), layout="constrained")
    axes = picture.add_subplot()
    found = drawn_points(curves, axis, sizes)
    for index, (name, points) in enumerate(found.items()):
        if not points:
            continue
        style = line_style(index, alone=len(points) == 1)
        axes.plot([x for x, _ in points], [y for _, y in points], label=letters(name), **style)
    axes.set(xscale="log", yscale="log", xlabel=AXES[axis], ylabel="exploitability", title=letters(title))
    axes.grid(visible=True, which="major", alpha=0.3)
    if axes.lines:
        axes.legend(frameon=False, handlelength=4)
    return picture


def draw_convergence(
    curves: Mapping[str, Curve],
    path: Path,
    *,
    title: str,
    axis: str = "seconds",
    sizes: Mapping[str, float] | None = None,
) -> Path:
    """The same in a PNG, SVG or PDF file."""
    check_picture(path)
    picture = convergence_picture(curves, title=title, axis=axis, sizes=sizes)
    with replacing(path) as temporary:
        picture.savefig(temporary, format=path.suffix.lower().removeprefix("."), dpi=150)
    return path
