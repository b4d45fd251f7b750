"""`pokerlab vonneumann`: von Neumann's poker on [0, 1], solved exactly; any strategy checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, console, error_console, literal, print_json

_STRATEGY_HELP = "A strategy as pieces of 0-1 with probabilities: '0-1/9, 7/9-1', '0.5-1:1/2', never, always."


def command(
    ante: Annotated[str, typer.Option("--ante", help="What each puts in before the deal: 1, 0.5 or 3/2.")] = "1",
    bet: Annotated[str, typer.Option("--bet", help="What Player may bet.")] = "2",
    player: Annotated[
        str | None, typer.Option("--player", help=f"Check Player's bets. {_STRATEGY_HELP}", show_default=False)
    ] = None,
    dealer: Annotated[
        str | None, typer.Option("--dealer", help="Check Dealer's calls, written the same way.", show_default=False)
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", help="Also e1 and e2 at these hands: '0.1, 1/2'.", show_default=False)
    ] = None,
    family: Annotated[
        int, typer.Option("--family", min=2, max=100, help="How many of Dealer's equilibria to list.")
    ] = 5,
    out: Annotated[
        Path | None, typer.Option("--out", help="Draw strategies and margins into this folder.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve von Neumann's poker in closed form, and check any strategy: equilibrium? admissible? what does it lose?

    Example: [bold]pokerlab vonneumann --ante 1 --bet 2 --dealer "1/9-7/9:1/3, 7/9-1"[/bold]
    """
    from pokerlab.display.solve.von_neumann import print_study, write_figures
    from pokerlab.lab.von_neumann import study

    found = study(ante=ante, bet=bet, player=player, dealer=dealer, at=at, family=family)
    files = write_figures(found, out) if out is not None else []
    if as_json:
        print_json(found.as_dict() | {"figures": [str(path) for path in files]})
        return
    print_study(found, console())
    for path in files:
        error_console().print(f"[dim]wrote {literal(path)}[/dim]")
