"""`pokerlab equity`: who wins how often when hands or ranges meet."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, Seed, announcing_compilation, console, print_json

if TYPE_CHECKING:
    from pokerlab.cards.equity import Equity


def command(
    players: Annotated[list[str], typer.Argument(help='A hand or a range each: AhKh, "AKs,QQ+", random.')],
    board: Annotated[str, typer.Option(help='Cards on the board: "Td7s2c".')] = "",
    dead: Annotated[str, typer.Option(help="Cards known to be gone.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Count every deal, however long it takes.")] = False,
    samples: Annotated[int | None, typer.Option(help="Deal this many hands at random instead.")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Count only if it fits in this time, else deal as long.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Win, tie, lose and equity of two or more hands or ranges, exact where that is quick.

    [dim]pokerlab equity AhKh 2c2d
    pokerlab equity "AKs,QQ+" random --board Td7s2c
    pokerlab equity AA KK random --samples 100000 --seed 7[/dim]
    """
    from pokerlab.cards.equity import equity
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.cards.equity import show_equity

    with announcing_compilation(), ProgressBar(after=SOON) as bar:
        result = equity(
            players,
            board=board,
            dead=dead,
            exact=exact,
            samples=samples,
            seconds=seconds,
            seed=seed,
            on_progress=bar,
        )
    if as_json:
        print_json(_plain(result, seed))
    else:
        show_equity(console(), result)


def _plain(result: Equity, seed: int) -> dict[str, Any]:
    ranges = []
    for share in result.players:
        row = asdict(share)
        row["equity_exact"] = None if (fraction := row.pop("fraction")) is None else str(fraction)
        row["range"] = row.pop("held")
        ranges.append(row)
    return {
        "ranges": ranges,
        "board": result.board,
        "dead": result.dead,
        "exact": result.exact,
        "method": result.method,
        "reason": result.reason,
        "deals": int(result.deals) if float(result.deals).is_integer() else result.deals,
        "seconds": result.seconds,
        "interrupted": result.interrupted,
        "seed": None if result.exact else seed,
    }
