"""A rerun paper: tables in the terminal, figures as PNG and SVG, and one page with everything."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from pokerlab.display.elements.figure import draw
from pokerlab.display.elements.html import pages
from pokerlab.display.elements.numbers import number_text
from pokerlab.display.elements.table import print_wide_table
from pokerlab.errors import BadFile
from pokerlab.events import OnProgress, Watch
from pokerlab.writing import reason, replacing

if TYPE_CHECKING:
    from pokerlab.figure import Figure
    from pokerlab.papers.result import PaperResult, Table


def table_cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of text, without empty columns."""
    headings = [
        "printed",
        "exact",
        *table.columns(),
        "error",
        *(f"{method} error" for method in table.columns("errors")),
    ]
    headings += ["seconds", *(f"{method} seconds" for method in table.columns("times")), "note"]
    rows = []
    for row in table.rows:
        numbers = [row.printed, row.exact, *(row.ours.get(method) for method in table.columns())]
        errors = [row.error, *(row.errors.get(method) for method in table.columns("errors"))]
        times = [row.seconds, *(row.times.get(method) for method in table.columns("times"))]
        cells = [*(number_text(number, table.digits) for number in numbers), *map(_error_text, errors)]
        rows.append([*cells, *map(_seconds_text, times), row.note])
    used = [i for i in range(len(headings)) if any(row[i] for row in rows)]
    cells_of = zip(table.rows, rows, strict=True)
    return ["", *(headings[i] for i in used)], [[row.what, *(cells[i] for i in used)] for row, cells in cells_of]


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
    console.print(f"\n[bold]{escape(result.title)}[/bold]\n[dim]{escape(result.source)}[/dim]")
    for table in result.tables:
        headings, rows = table_cells(table)
        console.print(f"\n[bold]{escape(table.title)}[/bold]")
        numeric = [heading not in ("", "note") for heading in headings]
        print_wide_table(console, headings, rows, numeric=numeric, cut=False)
        if table.note:
            console.print(f"[dim]{escape(table.note)}[/dim]")
    for finding in result.findings:
        colour = {True: "green", False: "red", None: "yellow"}[finding.holds]
        console.print(f"\n[bold]{escape(finding.claim)}[/bold] [{colour}]{escape(finding.verdict)}[/{colour}]")
        console.print(f"  {escape(finding.evidence)}")
    for note in result.notes:
        console.print(f"\n[dim]{escape(note)}[/dim]")


def make_folder(folder: Path | str) -> Path:
    """The folder, created if missing; BadFile if that fails."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as problem:
        why = reason(problem) if isinstance(problem, OSError) else problem
        raise BadFile(f"cannot create the folder {str(folder)!r}: {why}") from problem
    return folder


def write_figures_of(figure: Figure, folder: Path) -> list[Path]:
    """Draw a figure into a folder as PNG and SVG; return the files."""
    files = []
    for ending, data in draw(figure).items():
        files.append(folder / f"{figure.name}.{ending}")
        with replacing(files[-1]) as temporary:
            temporary.write_bytes(data)
    return files


def write_paper(result: PaperResult, folder: Path | str, *, on_progress: OnProgress | None = None) -> Path:
    """Draw every figure into `folder` as PNG and SVG, and write the self-contained page index.html."""
    folder, watch = make_folder(folder), Watch("paper", on_progress)
    images: dict[str, bytes] = {}
    for i, figure in enumerate(result.figures):
        watch.at(f"drawing {figure.name}", i, len(result.figures))
        files = write_figures_of(figure, folder)
        images[figure.name] = next(path for path in files if path.suffix == ".svg").read_bytes()
    page = folder / "index.html"
    with replacing(page) as temporary:
        temporary.write_text(_page(result, images), encoding="utf-8", newline="\n")
    return page


def _page(result: PaperResult, images: dict[str, bytes]) -> str:
    template = pages().get_template("paper.html")
    return template.render(
        result=result,
        tables=[(table, *table_cells(table)) for table in result.tables],
        figures=[(figure, base64.b64encode(images[figure.name]).decode()) for figure in result.figures],
        verdicts={True: "holds", False: "fails", None: "open"},
        settings=", ".join(f"{name} {value}" for name, value in result.settings.items()),
    )
