"""`pokerlab paper`: rerun a published experiment and see our numbers beside the printed ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import paper_names
from pokerlab.cli._output import Json, Seed, announcing_compilation, console, error_console, literal, print_json


def command(
    name: Annotated[
        str | None,
        typer.Argument(help="The paper; leave it out to list them.", show_default=False, autocompletion=paper_names),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="At the scale of the paper, or as near to it as its notes say; without it, scaled down."
        ),
    ] = False,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="In seconds, to see what there is; far too small for its numbers."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Draw the figures (PNG, SVG) and a page index.html into this folder.", show_default=False
        ),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Rerun a published experiment: our numbers beside the printed ones, and its figures.

    Example: [bold]pokerlab paper goykhman --out goykhman[/bold]
    """
    from pokerlab.errors import BadSetting
    from pokerlab.registry import available, find

    if full and quick:
        raise BadSetting("--full is the scale of the paper and --quick a run of seconds; leave one of them out")
    if name is None:
        entries = available("papers")
        if as_json:
            print_json({"papers": [{"name": entry.name, "summary": entry.summary} for entry in entries]})
            return
        from rich.table import Table

        table = Table("paper", "what it reruns", box=None, pad_edge=False, header_style="bold")
        for entry in entries:
            table.add_row(entry.name, entry.summary)
        console().print(table)
        return
    entry = find("papers", name)
    if out is not None:  # before the work, not after it
        from pokerlab.display.papers.paper import make_folder

        make_folder(out)
    result = _rerun(entry, full=full, quick=quick, seed=seed)
    page = None
    if out is not None:
        from pokerlab.cli._progress import ProgressBar
        from pokerlab.display.papers.paper import write_paper

        with ProgressBar() as shown:
            page = write_paper(result, out, on_progress=shown)
    if as_json:
        print_json(result.as_dict() | {"name": entry.name, "page": page and str(page)})
        return
    from pokerlab.display.papers.paper import print_paper

    print_paper(result, console())
    if page is not None:
        error_console().print(f"\nfigures and page: {literal(page)}")
    elif result.figures:
        error_console().print(f"\n[dim]{len(result.figures)} figures: draw them with --out FOLDER[/dim]")


def _rerun(entry: Any, *, full: bool, quick: bool, seed: int) -> Any:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.errors import BadSetting
    from pokerlab.papers.result import PaperResult
    from pokerlab.registry import factory

    with announcing_compilation(), ProgressBar() as shown:
        smaller = {"quick": True} if quick else {}  # a paper of one's own need not have a quick scale
        result = factory("papers", entry)(full=full, seed=seed, on_progress=shown, **smaller)
    if not isinstance(result, PaperResult):
        kind = f"an object of the class {type(result).__name__}"
        raise BadSetting(f"{entry.name} gives {kind}, and must give a PaperResult of pokerlab.papers.result")
    return result
