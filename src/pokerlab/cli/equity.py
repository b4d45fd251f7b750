"""`pokerlab equity`: who wins how often when hands or ranges meet."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, Seed, announcing_compilation, console, literal, print_json

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
    from pokerlab.cli._progress import SOON, share_bar

    with announcing_compilation(), share_bar("counting", after=SOON) as bar:
        result = equity(
            players,
            board=board,
            dead=dead,
            exact=exact,
            samples=samples,
            seconds=seconds,
            seed=seed,
            progress=lambda share: bar("counting", share),
        )
    if as_json:
        print_json(_plain(result, seed))
    else:
        _show(result)


def _plain(result: Equity, seed: int) -> dict[str, Any]:
    players = []
    for share in result.players:
        row = asdict(share)
        row["fraction"] = None if share.fraction is None else str(share.fraction)
        row["range"] = row.pop("held")
        players.append(row)
    return {
        "players": players,
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


def _show(result: Equity) -> None:
    from rich.table import Table

    screen = console()
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("", style="bold", max_width=32, no_wrap=True, overflow="ellipsis")
    for heading in ("equity", "win", "tie", "lose"):
        table.add_column(heading, justify="right")
    table.add_column("")
    best = max(share.equity for share in result.players)
    for share in result.players:
        colour = "green" if share.equity == best else "white"
        error = f" ± {100 * share.standard_error:.3f}" if not result.exact else ""
        table.add_row(
            literal(share.held),
            f"[{colour}]{100 * share.equity:.4f} %[/]{error}",
            f"{100 * share.win:.4f} %",
            f"{100 * share.tie:.4f} %",
            f"{100 * share.lose:.4f} %",
            f"[{colour}]{_bar(share.equity)}[/]",
        )
    screen.print()
    if result.board or result.dead:
        words = [f"board [bold]{result.board}[/bold]"] * bool(result.board) + [f"dead {result.dead}"] * bool(
            result.dead
        )
        screen.print(", ".join(words))
    screen.print(table)
    screen.print()
    kind = "exact" if result.exact else "by chance, ± one standard error"
    deals = f" ({result.deals:,.0f} deal{'s' * (result.deals != 1)})"
    counts = deals if result.exact and float(result.deals).is_integer() else ""
    ended = "interrupted: " if result.interrupted else ""
    screen.print(f"[dim]{ended}{kind}: {result.method}{counts}; {result.reason}. {result.seconds:.2f} s[/dim]")


def _bar(share: float, width: int = 20) -> str:
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
