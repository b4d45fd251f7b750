"""Figures as plain data: panels of lines. display/elements/figure.py draws them.

Both papers and reports import these records: a paper describes its figures in its own file, independent of how they are
drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Line:
    """One series of a panel."""

    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    label: str = ""
    style: str = "line"  # "line" | "points" | "rings" (around other points) | "bars" | "steps"
    low: Sequence[float] | np.ndarray | None = None  # a band around y, drawn when both are given
    high: Sequence[float] | np.ndarray | None = None


@dataclass(frozen=True)
class Mark:
    """A labelled position on the x axis: drawn as a vertical line, or as a shaded region if `end` is given."""

    x: float
    label: str = ""
    end: float | None = None


@dataclass(frozen=True)
class Panel:
    """One pair of axes: series and marks, or a grid of numbers in 0..1 with a text in each cell."""

    lines: tuple[Line, ...] = ()
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    x_log: bool = False
    y_log: bool = False
    y_range: tuple[float, float] | None = None
    marks: tuple[Mark, ...] = ()
    cells: np.ndarray | None = None  # [row, column] float: a heat map instead of lines
    cell_text: Sequence[Sequence[str]] | None = None  # [row, column]
    cell_label: str = "how often"  # what the colours mean
    cell_ends: tuple[str, str] | None = None  # what 0 and 1 are, where 0.5 is neutral: colours lead away from it
    cell_names: Sequence[str] = ()  # of the rows and of the columns, written beside a square grid


@dataclass(frozen=True)
class Figure:
    """A figure as data: a file name without extension, a caption, and panels from top to bottom (or in `columns`)."""

    name: str
    caption: str
    panels: tuple[Panel, ...]
    columns: int = 1
