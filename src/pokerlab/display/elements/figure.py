"""Figures drawn by matplotlib, which is imported only when something is drawn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.errors import printable
from pokerlab.figure import Figure, Panel
from pokerlab.writing import replacing

if TYPE_CHECKING:
    from pokerlab.display.elements.picture import Picture

COLOURS = """#1f5fa8 #d1495b #2f8f5b #e39a1b #7a4fa3 #4b4b4b #17a2b8 #8c564b #e377c2 #9aa324 #00584f
    #a0a0a0""".split()
DASHES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 3, 3, 3)))  # points on and off
MARKERS = "osD^vPX*<>h"  # coprime with the dashes: 55 distinct pairs
APART = 0.12  # distance between markers, relative to the diagonal of a panel


def line_style(index: int, *, alone: bool = False) -> dict[str, Any]:
    """The style of a line by its number: colour, dash pattern and marker; a point `alone` has no line."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": "none" if alone else DASHES[index % len(DASHES)],
        "linewidth": 1.6,
        "marker": MARKERS[index % len(MARKERS)],
        "markersize": 5,
        "markevery": None if alone else (0.02 * (index % 6), APART),  # staggered
    }


STYLE: Any = {"font.size": 9.5, "axes.spines.top": False, "axes.spines.right": False}

CELL = 0.42  # inches of a cell of a grid with names


def drawn(figure: Figure) -> Picture:
    """A figure as a matplotlib Figure."""
    from matplotlib import rc_context

    from pokerlab.display.elements.picture import Picture

    columns = min(figure.columns, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    gridded = any(panel.cells is not None for panel in figure.panels)
    named = max(len(panel.cell_names) for panel in figure.panels)
    side = max(6.6, CELL * named + 2.0)  # inches; names take some of it
    size = (
        (side * columns, (side + 0.4) * rows)
        if gridded
        else ((8.2 if columns == 1 else 6.2 * columns), 3.1 * rows + 0.5)
    )
    with rc_context(STYLE):
        # square cells shrink once titles are placed; only the compressed layout accounts for that
        picture = Picture(figsize=size, layout="compressed" if gridded else "constrained")
        for place, panel in enumerate(figure.panels):
            _draw_panel(picture.add_subplot(rows, columns, place + 1), panel)
    return picture


def draw(figure: Figure, endings: Sequence[str] = ("png", "svg")) -> dict[str, bytes]:
    """The bytes of a figure as PNG and SVG files, or with other endings."""
    from matplotlib import rc_context

    files, picture = {}, drawn(figure)
    with rc_context(STYLE | {"svg.hashsalt": figure.name}):
        for ending in endings:
            buffer = io.BytesIO()
            picture.savefig(buffer, format=ending, dpi=130, metadata={"Date": None} if ending == "svg" else None)
            files[ending] = buffer.getvalue()
            picture.set_layout_engine("none")  # the layout is final
    return files


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure as a PNG, SVG or PDF file, by its suffix."""
    ending = path.suffix.lower()[1:]
    data = draw(figure, (ending,))[ending]
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def letters(words: str) -> str:
    """A text drawn literally, not as a formula between dollar signs."""
    return printable(words).replace("$", r"\$")


def _draw_panel(axes: Any, panel: Panel) -> None:
    axes.set_title(letters(panel.title), loc="left", fontweight="bold")
    axes.set_xlabel(letters(panel.x_label))
    axes.set_ylabel(letters(panel.y_label))
    if panel.cells is not None:
        _draw_cells(axes, panel)
        return
    several = sum(line.style in ("line", "steps") for line in panel.lines) > 1
    for i, line in enumerate(panel.lines):
        colour, label = COLOURS[i % len(COLOURS)], letters(line.label) or None
        style = line_style(i) if several else {"color": colour, "linewidth": 1.5}
        if line.style == "points":
            marker = MARKERS[i % len(MARKERS)]
            axes.scatter(line.x, line.y, s=11, color=colour, label=label, alpha=0.75, linewidths=0, marker=marker)
        elif line.style == "rings":
            axes.scatter(line.x, line.y, s=170, label=label, facecolors="none", edgecolors="black", zorder=5)
        elif line.style == "bars":
            axes.bar(line.x, line.y, width=0.9, color=colour, label=label, alpha=0.85)
        elif line.style == "steps":
            axes.step(line.x, line.y, where="mid", label=label, **style)
        else:
            axes.plot(line.x, line.y, label=label, **style)
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
    if labelled > 6:  # beside the panel
        axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    elif labelled:
        axes.legend(frameon=False, fontsize=8.5)


def _draw_cells(axes: Any, panel: Panel) -> None:
    axes.set_title(letters(panel.title), loc="left", fontweight="bold", pad=8)
    shades = axes.imshow(panel.cells, cmap="RdBu" if panel.cell_ends else "YlGnBu", vmin=0, vmax=1)
    key = axes.figure.colorbar(shades, ax=axes, fraction=0.046, pad=0.02, format=lambda share, _: f"{share:.0%}")
    if panel.cell_ends is not None:
        key.set_ticks([0, 0.5, 1], labels=[letters(panel.cell_ends[0]), "0", letters(panel.cell_ends[1])])
    key.set_label(letters(panel.cell_label))
    names = [letters(name) for name in panel.cell_names]
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.tick_params(length=0)
    axes.set_xlabel(letters(panel.x_label))
    axes.set_ylabel(letters(panel.y_label))
    assert panel.cells is not None
    for row, texts in enumerate(panel.cell_text or ()):
        for column, text in enumerate(texts):
            shade = panel.cells[row, column]
            is_dark = abs(shade - 0.5) > 0.32 if panel.cell_ends else shade > 0.55
            colour = "white" if is_dark else "#222222"
            axes.text(column, row, letters(text), ha="center", va="center", fontsize=7, color=colour)
