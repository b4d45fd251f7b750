"""`pokerlab verify`: whether a solution is as good as its file says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, print_json


def command(
    file: Annotated[
        Path, typer.Argument(help="A solution kept by `pokerlab solve --out` or `spot --out`.", show_default=False)
    ],
    rerun: Annotated[
        bool,
        typer.Option(
            "--rerun",
            help="Also solve again from the start, as long as it took, and compare every number of the solver's state.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Lay the game out again, measure the kept strategy by best responses, and compare with all that the file states.

    What was recomputed is told, and what no recomputing tells: how long it took, on which version. Exit code 2 when
    something differs.

    Example: [bold]pokerlab verify leduc.solution[/bold]
    """
    from pokerlab.display.solve.verification import show_verification
    from pokerlab.lab.verification import verify_file

    with announcing_compilation():
        found = verify_file(file, rerun=rerun)
    if as_json:
        print_json(found.as_dict())
    else:
        show_verification(console(), found)
    if not found.checked.matches:
        raise typer.Exit(2)
