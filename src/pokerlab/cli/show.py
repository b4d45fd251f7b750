"""`pokerlab show`: the strategy in a solution file, infoset by infoset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, check_table, console, error_console, literal, print_json


def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="A solution kept by `solve --out`, `spot --out`, `train --out` or `evolve --checkpoint`.",
            show_default=False,
        ),
    ],
    player: Annotated[
        int | None, typer.Option("--player", help="Only this player, from 0.", show_default=False)
    ] = None,
    match: Annotated[str, typer.Option("--match", help="Only infosets whose text contains this.")] = "",
    rows: Annotated[int, typer.Option("--rows", min=1, help="The most infosets to print.")] = 40,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help="Write all of them to this file, a row for each action; --rows does not matter there.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a kept strategy by infoset: who acts, how likely he comes there by his own choices, and what he does.

    Of a blueprint, what it was trained on, how, and its first decision; with --match or --player, infosets by bucket.

    [dim]pokerlab show leduc.solution --match Kb --rows 20
    pokerlab show leduc.solution --player 0 --csv leduc.csv[/dim]
    """
    from pokerlab.display.browse.listing import show_listing
    from pokerlab.lab.browsing import list_infosets, rows_to_write, write_infosets
    from pokerlab.strategy.shipped import path_of
    from pokerlab.strategy.solution_file import load

    if csv is not None:
        check_table(csv, "write a table")
    file = path_of(file)
    solution = load(file)
    found = list_infosets(solution, player=player, match=match, rows=rows)
    written = 0
    if csv is not None:
        rows_at_most = rows_to_write(solution, player=player)
        if rows_at_most is not None:
            most = "at most " if match or getattr(solution.strategy.form, "exchange", None) is not None else ""
            error_console().print(
                f"[dim]{most}{rows_at_most:,} rows are written to {literal(csv)}[/dim]", soft_wrap=True
            )
        written = write_infosets(solution, csv, player=player, match=match)
    if as_json:
        print_json(found.as_dict() | ({} if csv is None else {"csv": str(csv), "csv_rows": written}))
        return
    show_listing(console(), found, player=player, match=match, file=file)
    if csv is not None:
        console().print(f"wrote {written:,} rows to {csv}, one for each action", markup=False, soft_wrap=True)
