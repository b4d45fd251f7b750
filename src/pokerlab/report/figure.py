"""A figure as a picture: PNG and SVG by matplotlib, which is imported when something is drawn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pokerlab.errors import printable
from pokerlab.figure import Figure, Panel
from pokerlab.writing import replacing

COLOURS = """#1f5fa8 #d1495b #2f8f5b #e39a1b #7a4fa3 #4b4b4b #17a2b8 #8c564b #e377c2 #9aa324 #00584f
    #a0a0a0""".split()


def draw(figure: Figure, endings: Sequence[str] = ("png", "svg")) -> dict[str, bytes]:
    """A figure as the bytes of a PNG and of an SVG file, or of files with other endings."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    columns = min(figure.columns, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    gridded = any(panel.cells is not None for panel in figure.panels)
    size = (6.6 * columns, 7.0 * rows) if gridded else ((8.2 if columns == 1 else 6.2 * columns), 3.1 * rows + 0.5)
    style: Any = {"font.size": 9.5, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": figure.name}
    files = {}
    with rc_context(style):
        canvas = Canvas(figsize=size, layout="constrained")
        FigureCanvasAgg(canvas)
        for place, panel in enumerate(figure.panels):
            _draw_panel(canvas.add_subplot(rows, columns, place + 1), panel)
        for ending in endings:
            buffer = io.BytesIO()
            canvas.savefig(buffer, format=ending, dpi=130, metadata={"Date": None} if ending == "svg" else None)
            files[ending] = buffer.getvalue()
    return files


def write_figure(figure: Figure, path: Path) -> None:
    """A figure as a PNG, SVG or PDF file, by the end of its name."""
    ending = path.suffix.lower()[1:]
    data = draw(figure, (ending,))[ending]
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def letters(words: str) -> str:
    """A text that is drawn letter by letter: what stands between two dollar signs is no formula."""
    return printable(words).replace("$", r"\$")


def _draw_panel(axes: Any, panel: Panel) -> None:
    axes.set_title(letters(panel.title), loc="left", fontweight="bold")
    axes.set_xlabel(letters(panel.x_label))
    axes.set_ylabel(letters(panel.y_label))
    if panel.cells is not None:
        _draw_cells(axes, panel)
        return
    for i, line in enumerate(panel.lines):
        colour, label = COLOURS[i % len(COLOURS)], letters(line.label) or None
        if line.style == "points":
            axes.scatter(line.x, line.y, s=11, color=colour, label=label, alpha=0.75, linewidths=0)
        elif line.style == "bars":
            axes.bar(line.x, line.y, width=0.9, color=colour, label=label, alpha=0.85)
        elif line.style == "steps":
            axes.step(line.x, line.y, where="mid", color=colour, label=label, linewidth=1.4)
        else:
            axes.plot(line.x, line.y, color=colour, label=label, linewidth=1.5)
        if line.low is not None and line.high is not None:
            axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.18, linewidth=0)
    if panel.x_log:
        axes.set_xscale("log")
    if panel.y_log:
        axes.set_yscale("log")
    if panel.y_range is not None:
        axes.set_ylim(*panel.y_range)
    for mark in panel.marks:
        if mark.end is None:
            axes.axvline(mark.x, color="#555555", linewidth=0.9, linestyle=(0, (4, 3)))
        else:
            axes.axvspan(mark.x, mark.end, color="#f2c14e", alpha=0.18, linewidth=0)
        if mark.label:
            middle = mark.x if mark.end is None else (mark.x + mark.end) / 2
            axes.annotate(
                letters(mark.label),
                (middle, 1.0),
                xycoords=("data", "axes fraction"),
                ha="center",
                va="bottom",
                fontsize=8,
            )
    if any(mark.label for mark in panel.marks):
        axes.set_title(letters(panel.title), loc="left", fontweight="bold", pad=16)
    axes.grid(alpha=0.25)
    labelled = sum(bool(line.label) for line in panel.lines)
    if labelled > 6:  # beside the panel, where it hides nothing
        axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    elif labelled:
        axes.legend(frameon=False, fontsize=8.5)


def _draw_cells(axes: Any, panel: Panel) -> None:
    axes.set_title(letters(panel.title), loc="left", fontweight="bold", pad=8)
    axes.imshow(panel.cells, cmap="YlGnBu", vmin=0, vmax=1)
    axes.set_xticks([])
    axes.set_yticks([])
    assert panel.cells is not None
    for row, texts in enumerate(panel.cell_text or ()):
        for column, text in enumerate(texts):
            colour = "white" if panel.cells[row, column] > 0.55 else "#222222"
            axes.text(column, row, letters(text), ha="center", va="center", fontsize=7, color=colour)
