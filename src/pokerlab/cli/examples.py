"""`pokerlab examples`: the example files, where you work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, console, literal, print_json


def command(
    folder: Annotated[
        Path, typer.Option("--folder", help="Where to write them; it is made where it is not there.")
    ] = Path("examples"),
    as_json: Json = False,
) -> None:
    """Write the example files (spots, a game, an agent) into a folder here.

    Files that you have changed stay as they are.

    [dim]pokerlab examples
    pokerlab spot examples/river.toml --target 0.3%[/dim]
    """
    from rich.table import Table

    from pokerlab.lab.examples import WRITTEN, write_examples

    found = write_examples(folder)
    if as_json:
        print_json({"folder": str(folder), "files": [example.as_dict() for example in found]})
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for example in found:
        state = "" if example.state == WRITTEN else f"[yellow]{example.state}:[/yellow] "
        table.add_row(f"[bold]{literal(example.path)}[/bold]", f"{state}[dim]{literal(example.summary)}[/dim]")
    console().print(table)
