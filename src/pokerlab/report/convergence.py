"""How solutions come closer: exploitability against seconds, iterations or nodes touched, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pokerlab.errors import BadFile, BadSetting
from pokerlab.report.figure import COLOURS, letters
from pokerlab.writing import replacing

Curve = Sequence[tuple[int, float, float, int]]  # iterations, seconds, exploitability, nodes touched

AXES = {"iterations": (0, "iterations"), "seconds": (1, "seconds"), "nodes": (3, "nodes touched")}
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


def draw_convergence(curves: Mapping[str, Curve], path: Path, *, title: str, axis: str = "seconds") -> Path:
    """Draw exploitability curves, both axes logarithmic, into a PNG, SVG or PDF file."""
    from matplotlib.figure import Figure

    column, words = AXES[check_axis(axis)]
    check_picture(path)
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    lowest = LOWEST * (max((point[2] for curve in curves.values() for point in curve), default=0.0) or 1.0)
    for index, (name, curve) in enumerate(curves.items()):
        points = [(point[column], max(point[2], lowest)) for point in curve if point[column] > 0]
        if not points:
            continue
        alone = len(points) == 1
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            label=letters(name),
            color=COLOURS[index % len(COLOURS)],
            linestyle="none" if alone else "-",
            marker="o" if alone else "",
            linewidth=1.6,
        )
    axes.set(xscale="log", yscale="log", xlabel=words, ylabel="exploitability", title=letters(title))
    axes.grid(visible=True, which="major", alpha=0.3)
    if axes.lines:
        axes.legend(frameon=False)
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lower().removeprefix("."), dpi=150)
    return path
