"""`pokerlab equity`: how often each hand or range wins."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from pokerlab.cli._options import Board, Seed, argument, option
from pokerlab.cli._output import announcing_compilation, write_results

if TYPE_CHECKING:
    from pokerlab.cards.equity import Equity


def command(
    players: Annotated[list[str], argument('A hand or range per player: AhKh, "AKs,QQ+", random.')],
    board: Board = "",
    dead: Annotated[str, option('Dead cards: "AsKd".')] = "",
    exact: Annotated[bool, option("Enumerate every deal, however long it takes.", "--exact")] = False,
    samples: Annotated[int | None, option("Sample this many deals instead.")] = None,
    seconds: Annotated[
        float | None, option("Enumerate if it fits in this many seconds; otherwise sample for that long.")
    ] = None,
    seed: Seed = 0,
) -> None:
    """Win, tie, lose and equity of two or more hands or ranges; exact where that is quick.

    pokerlab equity AhKh 2c2d
    pokerlab equity "AKs,QQ+" random --board Td7s2c
    pokerlab equity AA KK random --samples 100000 --seed 7
    """
    from pokerlab.cards.equity import equity
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.cards.equity import show_equity

    with announcing_compilation(), ProgressBar(after=SOON) as bar:
        result = equity(
            players, board=board, dead=dead, exact=exact, samples=samples, seconds=seconds, seed=seed, on_progress=bar
        )
    write_results(lambda: _plain(result, seed), lambda screen: show_equity(screen, result))


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
