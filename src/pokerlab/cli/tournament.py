"""`pokerlab tournament`: a round robin of agents, its cross table, and who wins it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._completion import agent_names, game_names
from pokerlab.cli._output import (
    Backend,
    Json,
    Seed,
    Workers,
    announcing_compilation,
    console,
    error_console,
    literal,
    print_json,
)
from pokerlab.cli._progress import ProgressBar


def command(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Two agents or more; each meets every other.", show_default=False, autocompletion=agent_names
        ),
    ],
    game: Annotated[
        str, typer.Option("--game", help="A poker game of two players.", autocompletion=game_names)
    ] = "holdem-limit",
    hands: Annotated[int, typer.Option("--hands", min=1, help="Hands that each pair plays.")] = 10_000,
    plain: Annotated[bool, typer.Option("--plain", help="Play every deal once, not from both seats.")] = False,
    seed: Seed = 0,
    workers: Workers = None,
    backend: Backend = "processes",
    block: Annotated[
        int, typer.Option("--block", min=1, help="Deals after which agents forget and start a new block.")
    ] = 1000,
    keep_memory: Annotated[
        bool,
        typer.Option("--keep-memory", help="Let agents remember across blocks; one process plays the whole match."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep every hand in this DuckDB file.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a tournament that was cut off.")] = False,
    as_json: Json = False,
) -> None:
    """Let every agent meet every other: cross table with intervals, bankroll winner, instant run-off.

    Example: [bold]pokerlab tournament formula rules random probe --game leduc --hands 20000 --seed 7[/bold]
    """
    from pokerlab.display.play.match import print_tournament
    from pokerlab.lab.playing import check_resumable, run_tournament
    from pokerlab.match.run.tournament import pairings

    check_resumable("tournament", resume=resume, out=out)
    with announcing_compilation():
        matches = pairings(
            game, agents, hands=hands, seed=seed, duplicate=not plain, block=block, keep_memory=keep_memory
        )
        with ProgressBar() as bar:
            result = run_tournament(
                matches, seed=seed, workers=workers, backend=backend, out=out, resume=resume, on_progress=bar
            )
    if as_json:
        print_json({"seed": seed, **result.as_dict(), "out": out and str(out)})
        return
    print_tournament(result, console())
    if out is not None:
        error_console().print(f"[dim]wrote {literal(out)}[/dim]")
