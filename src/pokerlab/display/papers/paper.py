"""A rerun paper for people: tables in the terminal, figures as PNG and SVG, and one page that holds everything."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.display.elements.figure import draw
from pokerlab.display.elements.html import pages
from pokerlab.display.elements.numbers import number_text
from pokerlab.errors import BadFile
from pokerlab.events import OnProgress, Watch
from pokerlab.writing import reason, replacing

if TYPE_CHECKING:
    from rich.text import Text

    from pokerlab.papers.result import PaperResult, Row, Table


def table_cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of text; columns that no row fills are left out."""
    columns: list[tuple[str, Callable[[Row], str]]] = [
        ("printed", lambda row: number_text(row.printed, table.digits)),
        ("exact", lambda row: number_text(row.exact, table.digits)),
    ]
    for method in table.methods:
        columns.append((method, lambda row, method=method: number_text(row.ours.get(method), table.digits)))  # type: ignore[misc]
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
    if seconds is None:
        return ""
    return f"{seconds:.2g}" if 0 < seconds < 0.1 else f"{seconds:.2f}"


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
    from rich.console import Group
    from rich.markup import escape
    from rich.padding import Padding
    from rich.text import Text

    for what, *cells in rows:
        console.print(escape(what))
        told = [
            Text.assemble((name, "dim"), f" {cell}") for name, cell in zip(headings[1:], cells, strict=True) if cell
        ]
        console.print(Padding(Group(*_lines(told, console.width - 4)), (0, 0, 0, 4)))


def _lines(parts: Sequence[Text], width: int) -> list[Text]:
    """Parts side by side in lines of a width; a line ends between parts and not within one."""
    from rich.text import Text

    lines = [Text()]
    for part in parts:
        if lines[-1] and lines[-1].cell_len + 3 + part.cell_len > width:
            lines.append(Text())
        lines[-1].append("   " if lines[-1] else "").append_text(part)
    return lines


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


def write_paper(result: PaperResult, folder: Path | str, *, on_progress: OnProgress | None = None) -> Path:
    """Draw every figure into `folder` as PNG and SVG and write index.html, a page that needs no other file."""
    folder, watch = make_folder(folder), Watch("paper", on_progress)
    images: dict[str, bytes] = {}
    for i, figure in enumerate(result.figures):
        watch.at(f"drawing {figure.name}", i, len(result.figures))
        for ending, data in draw(figure).items():
            with replacing(folder / f"{figure.name}.{ending}") as temporary:
                temporary.write_bytes(data)
            if ending == "svg":
                images[figure.name] = data
    page = folder / "index.html"
    with replacing(page) as temporary:
        temporary.write_text(_page(result, images), encoding="utf-8", newline="\n")
    return page


def _page(result: PaperResult, images: dict[str, bytes]) -> str:
    return (
        pages()
        .get_template("paper.html")
        .render(
            result=result,
            tables=[(table, *table_cells(table)) for table in result.tables],
            figures=[(figure, base64.b64encode(images[figure.name]).decode()) for figure in result.figures],
            verdicts={True: "holds", False: "fails", None: "open"},
            settings=", ".join(f"{name} {value}" for name, value in result.settings.items()),
        )
    )
