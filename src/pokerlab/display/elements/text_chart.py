"""Curves in a terminal: a letter per curve, on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from rich.text import Text

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
    left, right = f"{min(x for x, _ in points):.3g}", f"{max(x for x, _ in points):.3g} {x_label}"
    chart.append(f"{'':>{EDGE - 1}} └{'─' * columns}\n{'':>{EDGE}}{left}{right:>{max(columns + 1 - len(left), 1)}}")
    return chart


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
