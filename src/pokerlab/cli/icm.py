"""`pokerlab icm`: what the stacks of a tournament are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import (
    Json,
    announcing_compilation,
    check_table,
    check_writable,
    console,
    error_console,
    literal,
    print_json,
)


def command(
    stacks: Annotated[str, typer.Option("--stacks", help="Chips of each player: 10,1,289; 1500*9 is nine stacks.")],
    payouts: Annotated[str, typer.Option("--payouts", help="Prizes from the first place down: 60,40.")],
    pool: Annotated[
        str | None,
        typer.Option("--pool", help="The prize pool, of which --payouts are then shares.", show_default=False),
    ] = None,
    bounties: Annotated[
        str | None,
        typer.Option("--bounties", help="On each player's head, in money; one number for all.", show_default=False),
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Bubble factors of every two players, also of more than 10 players.")
    ] = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write a row for each player here.", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw value against chips into this picture.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """What chips of a tournament are worth: values, places, deals, bubble factors, by the independent chip model.

    [dim]pokerlab icm --stacks 10,1,289 --payouts 60,40
    pokerlab icm --stacks 5000,3000,1500,500 --payouts 50,30,20 --bounties 5
    pokerlab icm --stacks 1500*180 --payouts 30,20,12,9,7,6,5,4,4,3 --csv values.csv --json[/dim]
    """
    from pokerlab.display.elements.figure import write_figure
    from pokerlab.display.solve.convergence import check_picture
    from pokerlab.display.tournament.icm import show_chip_values, value_figure
    from pokerlab.lab.chip_values import chip_values
    from pokerlab.tables import rows_of, write_csv

    if csv is not None:
        check_table(csv, "write the values")
    if plot is not None:
        check_writable(plot, "draw a picture")
        check_picture(plot)
    with announcing_compilation():
        found = chip_values(stacks=stacks, payouts=payouts, pool=pool, bounties=bounties, pairs=pairs or None)
    if csv is not None:
        columns = found.columns()
        write_csv(csv, list(columns), rows_of(columns))
    if plot is not None:
        write_figure(value_figure(found), plot)
    written = [path for path in (csv, plot) if path is not None]
    if as_json:
        print_json(found.as_dict() | {"csv": csv and str(csv), "plot": plot and str(plot)})
        return
    show_chip_values(console(), found)
    for path in written:
        error_console().print(f"[dim]wrote {literal(path)}[/dim]")
