"""`pokerlab examples`: copy the example files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli._options import option
from pokerlab.cli._output import literal, write_results


def command(
    folder: Annotated[Path, option("Target folder; created if missing.", metavar="FOLDER")] = Path("examples"),
) -> None:
    """Copy the example files (spots, a game, an agent) to a folder. Files that you changed are not overwritten.

    pokerlab examples
    pokerlab spot examples/river.toml --target 0.3%
    """
    from rich.table import Table

    from pokerlab.lab.play.examples import WRITTEN, write_examples

    examples = write_examples(folder)

    def show(screen: Any) -> None:
        table = Table.grid(padding=(0, 2, 0, 0))
        for example in examples:
            state = "" if example.state == WRITTEN else f"[yellow]{example.state}:[/yellow] "
            table.add_row(f"[bold]{literal(example.path)}[/bold]", f"{state}[dim]{literal(example.summary)}[/dim]")
        screen.print(table)

    write_results({"folder": str(folder), "files": [one.as_dict() for one in examples]}, show)
