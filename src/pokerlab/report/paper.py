"""A rerun paper for people: tables in the terminal, figures as PNG and SVG, and one page that holds everything."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.errors import BadFile, printable
from pokerlab.writing import reason, replacing

if TYPE_CHECKING:
    from pokerlab.papers.result import Figure, Panel, PaperResult, Row, Table

COLOURS = """#1f5fa8 #d1495b #2f8f5b #e39a1b #7a4fa3 #4b4b4b #17a2b8 #8c564b #e377c2 #9aa324 #00584f
    #a0a0a0""".split()
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem; display: block; overflow-x: auto; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child, td.note { text-align: left; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; }
figure { margin: 2rem 0; } figure img { max-width: 100%; } figcaption { color: #555; font-size: 0.9rem; }
.holds { color: #1b7f3b; } .fails { color: #b3261e; } .open { color: #8a6d00; } .quiet { color: #666; }
"""


def value_text(value: Any, digits: int) -> str:
    """A number as people read it: fractions with their decimals, large ones with commas, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return f"{value} = {float(value):.{digits}f}" if value.denominator != 1 else str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    number = float(value)
    if number and not 1e-3 <= abs(number) < 1e7:
        return f"{number:.3g}"
    return f"{number:.{digits}f}"


def table_cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of text; columns that no row fills are left out."""
    columns: list[tuple[str, Callable[[Row], str]]] = [
        ("printed", lambda row: value_text(row.printed, table.digits)),
        ("exact", lambda row: value_text(row.exact, table.digits)),
    ]
    for method in table.methods:
        columns.append((method, lambda row, method=method: value_text(row.ours.get(method), table.digits)))  # type: ignore[misc]
    columns.append(("error", lambda row: _error_text(row.error)))
    for method in table.judged:
        columns.append((f"{method} error", lambda row, method=method: _error_text(row.errors.get(method))))  # type: ignore[misc]
    columns.append(("seconds", lambda row: _seconds_text(row.seconds)))
    for method in table.timed:
        columns.append((f"{method} seconds", lambda row, method=method: _seconds_text(row.times.get(method))))  # type: ignore[misc]
    columns.append(("note", lambda row: row.note))
    shown = [(heading, cell) for heading, cell in columns if any(cell(row) for row in table.rows)]
    rows = [[row.what, *(cell(row) for _, cell in shown)] for row in table.rows]
    return ["", *(heading for heading, _ in shown)], rows


def _error_text(error: float | None) -> str:
    if error is None:
        return ""
    return f"{error:.0f}" if 100 <= abs(error) < 1e6 else f"{error:.2g}"


def _seconds_text(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f}"


def print_paper(result: PaperResult, console: Any) -> None:
    """Tables, findings and notes on a rich console."""
    from rich.box import ROUNDED
    from rich.markup import escape
    from rich.table import Table as RichTable

    console.print(f"\n[bold]{escape(result.title)}[/bold]\n[dim]{escape(result.source)}[/dim]")
    for table in result.tables:
        headings, rows = table_cells(table)
        console.print(f"\n[bold]{escape(table.title)}[/bold]")
        if _width(headings, rows) > console.width:
            _print_stacked(console, headings, rows)
        else:
            drawn = RichTable(box=ROUNDED)
            for heading in headings:
                drawn.add_column(heading, justify="left" if heading in ("", "note") else "right")
            for cells in rows:
                drawn.add_row(*(escape(cell) for cell in cells))
            console.print(drawn)
        if table.note:
            console.print(f"[dim]{escape(table.note)}[/dim]")
    for finding in result.findings:
        colour = {True: "green", False: "red", None: "yellow"}[finding.holds]
        console.print(f"\n[bold]{escape(finding.claim)}[/bold] [{colour}]{escape(finding.verdict)}[/{colour}]")
        console.print(f"  {escape(finding.evidence)}")
    for note in result.notes:
        console.print(f"\n[dim]{escape(note)}[/dim]")


def _width(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Columns of a terminal that a table needs without folding a word."""
    return 1 + sum(3 + max(len(cell) for cell in column) for column in zip(headings, *rows, strict=True))


def _print_stacked(console: Any, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table too wide for the terminal: each row on lines of its own, its cells after their headings."""
    from rich.markup import escape
    from rich.padding import Padding

    for what, *cells in rows:
        console.print(escape(what))
        told = [
            f"[dim]{escape(name)}[/dim] {escape(cell)}" for name, cell in zip(headings[1:], cells, strict=True) if cell
        ]
        console.print(Padding("   ".join(told), (0, 0, 0, 4)))


def make_folder(folder: Path | str) -> Path:
    """The folder to write into, made where it is not there; BadFile where it cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadFile(f"cannot make the folder {folder}: {reason(problem)}") from problem
    except ValueError as problem:
        raise BadFile(f"cannot make the folder {str(folder)!r}: {problem}") from problem
    return folder


def write_paper(
    result: PaperResult, folder: Path | str, *, on_progress: Callable[[str, float], None] | None = None
) -> Path:
    """Draw every figure into `folder` as PNG and SVG and write index.html, a page that needs no other file."""
    folder = make_folder(folder)
    images: dict[str, bytes] = {}
    for i, figure in enumerate(result.figures):
        if on_progress:
            on_progress(f"drawing {figure.name}", i / len(result.figures))
        for ending, data in draw(figure).items():
            with replacing(folder / f"{figure.name}.{ending}") as temporary:
                temporary.write_bytes(data)
            if ending == "svg":
                images[figure.name] = data
    page = folder / "index.html"
    with replacing(page) as temporary:
        temporary.write_text(_page(result, images), encoding="utf-8")
    return page


def draw(figure: Figure) -> dict[str, bytes]:
    """A figure as the bytes of a PNG and of an SVG file."""
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
        for ending in ("png", "svg"):
            buffer = io.BytesIO()
            canvas.savefig(buffer, format=ending, dpi=130, metadata={"Date": None} if ending == "svg" else None)
            files[ending] = buffer.getvalue()
    return files


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


def _page(result: PaperResult, images: dict[str, bytes]) -> str:
    parts = [f"<h1>{html.escape(result.title)}</h1>", f'<p class="quiet">{html.escape(result.source)}</p>']
    if result.findings:
        parts.append("<h2>Findings</h2>")
    for finding in result.findings:
        mark = {True: "holds", False: "fails", None: "open"}[finding.holds]
        parts.append(
            f'<p><b>{html.escape(finding.claim)}</b> <span class="{mark}">{html.escape(finding.verdict)}</span><br>'
            f"{html.escape(finding.evidence)}</p>"
        )
    parts.append("<h2>Numbers</h2>")
    parts += [_table_html(table) for table in result.tables]
    if result.figures:
        parts.append("<h2>Figures</h2>")
    for figure in result.figures:
        data = base64.b64encode(images[figure.name]).decode()
        caption = html.escape(figure.caption)
        image = f'<img alt="{caption}" src="data:image/svg+xml;base64,{data}">'
        parts.append(f"<figure>{image}<figcaption>{caption}</figcaption></figure>")
    parts += [f'<p class="quiet">{html.escape(note)}</p>' for note in result.notes]
    settings = ", ".join(f"{name} {value}" for name, value in result.settings.items())
    parts.append(f'<p class="quiet">{html.escape(settings)}; {result.seconds:.1f} seconds.</p>')
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(result.title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _table_html(table: Table) -> str:
    headings, rows = table_cells(table)
    head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
    lines = []
    for cells in rows:
        tagged = (
            f'<td class="note">{html.escape(cell)}</td>' if heading == "note" else f"<td>{html.escape(cell)}</td>"
            for heading, cell in zip(headings, cells, strict=True)
        )
        lines.append(f"<tr>{''.join(tagged)}</tr>")
    note = f'<p class="quiet">{html.escape(table.note)}</p>' if table.note else ""
    return f"<table><caption>{html.escape(table.title)}</caption><tr>{head}</tr>{''.join(lines)}</table>{note}"
