"""`pokerlab show`: the strategy in a solution file, infoset by infoset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, console, print_json


def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="A solution kept by `solve --out`, `spot --out` or `evolve --checkpoint`.", show_default=False
        ),
    ],
    player: Annotated[
        int | None, typer.Option("--player", help="Only this player, from 0.", show_default=False)
    ] = None,
    match: Annotated[str, typer.Option("--match", help="Only infosets whose text contains this.")] = "",
    rows: Annotated[int, typer.Option("--rows", min=1, help="The most infosets to print.")] = 40,
    as_json: Json = False,
) -> None:
    """Print a kept strategy by infoset: who acts, how likely he comes there by his own choices, and what he does.

    Example: [bold]pokerlab show leduc.solution --match Kb --rows 20[/bold]
    """
    from pokerlab.lab.browsing import list_infosets
    from pokerlab.report.listing import show_listing
    from pokerlab.strategy.solution_file import load

    found = list_infosets(load(file), player=player, match=match, rows=rows)
    if as_json:
        print_json(found.as_dict())
    else:
        show_listing(console(), found, player=player, match=match)
