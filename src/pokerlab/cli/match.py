"""`pokerlab match`: agents play each other, with honest statistics."""

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
    tell_more_hands,
)
from pokerlab.cli._progress import ProgressBar


def command(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Agents, one for each seat: formula, 'formula(bluff=0.1)', strategy:FILE.",
            show_default=False,
            autocompletion=agent_names,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            help="A poker game by name, or a file that describes one.",
            show_default="holdem-limit",
            autocompletion=game_names,
        ),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="Play a spot: its TOML file, or a kept solution of it.", show_default=False),
    ] = None,
    hands: Annotated[
        int, typer.Option("--hands", min=1, help="Hands to play; with --duplicate over all seats.")
    ] = 10_000,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal from every seat, memories wiped in between.")
    ] = False,
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
    adjust: Annotated[
        bool, typer.Option("--adjust-all-in", help="Also count all-ins at their exact expected value.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep every hand in this DuckDB file.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a match that was cut off.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", help="Draw cumulative winnings into this .png or .svg file.", show_default=False),
    ] = None,
    compiled: Annotated[
        bool, typer.Option("--compiled", help="Play saved solutions of a small game compiled, millions of hands.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Let agents play: winnings with 95 % intervals, by position, with tests; the same seed gives the same match.

    Example: [bold]pokerlab match formula rules --game holdem-limit --hands 100000 --duplicate --seed 7[/bold]

    A spot, from its file or a kept solution of it: [bold]pokerlab match formula rules --from examples/turn.toml[/bold]
    """
    from pokerlab.display.elements.figure import write_figure
    from pokerlab.display.play.match import match_figure, print_match
    from pokerlab.errors import BadSetting
    from pokerlab.formats.opening import open_spot
    from pokerlab.lab.playing import check_resumable, run_compiled_match, run_match
    from pokerlab.match.run.match import MatchSettings

    if from_ is not None and game is not None:
        raise BadSetting("--from FILE is the game already; leave out --game")
    check_resumable("match", resume=resume, out=out)
    if plot is not None and plot.suffix.lower() not in (".png", ".svg"):
        raise BadSetting(f"--plot draws .png or .svg files, not {str(plot)[:60]!r}")
    with announcing_compilation():
        table = open_spot(from_) if from_ is not None else game or "holdem-limit"
        settings = MatchSettings.of(
            table,
            agents,
            hands=hands,
            seed=seed,
            duplicate=duplicate,
            block=block,
            adjust=adjust,
            keep_memory=keep_memory,
        )
        if compiled:
            result = run_compiled_match(settings, workers=workers, keeps=out is not None)
        else:
            with ProgressBar() as bar:
                result = run_match(settings, workers=workers, backend=backend, out=out, resume=resume, on_progress=bar)
    if plot is not None:
        write_figure(match_figure(result), plot)
    if as_json:
        print_json({"seed": seed, **result.as_dict(), "out": out and str(out), "plot": plot and str(plot)})
        return
    print_match(result, console())
    tell_more_hands(hands, result.hands)
    for path in (out, plot):
        if path is not None:
            error_console().print(f"[dim]wrote {literal(path)}[/dim]")
