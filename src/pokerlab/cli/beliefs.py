"""`pokerlab beliefs`: what players of a solution believe, and where they could do better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, announcing_compilation, check_table, console, print_json


def command(
    file: Annotated[Path, typer.Argument(help="A solution kept by `pokerlab solve --out`.", show_default=False)],
    player: Annotated[
        int | None, typer.Option("--player", help="Only this player, from 0.", show_default=False)
    ] = None,
    match: Annotated[str, typer.Option("--match", help="Only infosets whose text contains this.")] = "",
    every: Annotated[bool, typer.Option("--all", help="Also infosets where nothing can be gained.")] = False,
    rows: Annotated[int, typer.Option("--rows", min=1, help="The most infosets to print.")] = 20,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance",
            min=0,
            help="The loss, in the game's units, that does not count.",
            show_default="0.1 % of the largest payoff",
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Write every infoset to this file, a row for each action.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell what players believe at infosets, and where another play would win more: also where play never comes.

    An equilibrium need not play well where it never comes. Beliefs there are those of hands that tremble ever less.
    `solve --with "lp(tremble=1e-6)"` and `solve --with trembling` find strategies that play well everywhere.

    [dim]pokerlab beliefs leduc.solution --rows 5
    pokerlab beliefs kuhn.solution --all --match Q: --csv beliefs.csv[/dim]
    """
    from itertools import islice

    from pokerlab.display.analyse.assessment import show_assessment
    from pokerlab.lab.assessing import assess_solution
    from pokerlab.strategy.solution_file import load

    if csv is not None:
        check_table(csv, "write a table")
    solution = load(file)
    with announcing_compilation():
        found = assess_solution(solution, tolerance=tolerance)
    asked = found.places(player=player, match=match, every=every)
    places = list(islice(asked, rows))
    written = 0 if csv is None else found.write(csv, found.places(player=player, match=match, every=True))
    if as_json:
        told = found.as_dict() | {"file": str(file), "places": [one.as_dict() for one in places]}
        print_json(told | ({} if csv is None else {"csv": str(csv), "csv_rows": written}))
        return
    show_assessment(console(), found, places, more=sum(1 for _ in asked))
    if csv is not None:
        console().print(f"wrote {written:,} rows to {csv}, one for each action", markup=False, soft_wrap=True)
