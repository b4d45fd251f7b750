"""`pokerlab evolve`: games of one decision each by evolution, by regret minimisation, or by a linear program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import JUDGED, ROLE_GAMES, SCORES, choices
from pokerlab.cli._output import Json, Seed, announcing_compilation, console, error_console, literal, print_json


def command(
    game: Annotated[
        str,
        typer.Argument(
            help="von-neumann, flop-poker or push-fold, with settings: 'flop-poker(ante=1, bet=4)'.",
            autocompletion=choices(*ROLE_GAMES),
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="populations: two roles co-evolve; united: agents play both roles; regret: sampled regret matching; "
            "cfr, cfr+, linear-cfr, dcfr and pcfr+: exact regret minimisation; lp: a linear program.",
            autocompletion=choices(
                "populations", "united", "regret", "cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+", "lp"
            ),
        ),
    ] = "populations",
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            min=1,
            help="Generations (200), rounds of regret matching (20,000,000), or iterations of the others (2,000).",
            show_default=False,
        ),
    ] = None,
    population: Annotated[
        int | None, typer.Option("--population", help="Agents of each role, or united: 1000.", show_default=False)
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Games of each agent in a generation: 1000.", show_default=False)
    ] = None,
    selected: Annotated[
        float | None, typer.Option("--selected", help="Share that survives: 0.1, united 0.3.", show_default=False)
    ] = None,
    mutation: Annotated[
        float | None, typer.Option("--mutation", help="Chance of a mutation: 1e-6, united 1e-4.", show_default=False)
    ] = None,
    fitness: Annotated[
        str | None,
        typer.Option(
            "--fitness",
            help="real (the default): games are played; exact: expected scores, without noise.",
            show_default=False,
            autocompletion=choices(*JUDGED),
        ),
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            "--score",
            help="bankroll, squared-loss or squared-loss-per-game.",
            show_default=False,
            autocompletion=choices(*SCORES),
        ),
    ] = None,
    hall: Annotated[
        float | None, typer.Option("--hall", help="Share of opponents from the hall of fame.", show_default=False)
    ] = None,
    averaged: Annotated[bool, typer.Option("--averaged", help="Answer with the mean over generations.")] = False,
    pareto: Annotated[
        int | None, typer.Option("--pareto", help="Select by Pareto fronts over so many opponents.", show_default=False)
    ] = None,
    target: Annotated[
        float | None, typer.Option("--target", help="Stop at this exploitability, chips a hand.", show_default=False)
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Stop after so many seconds.", show_default=False)
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="Keep the solution in this file, and resume it.", show_default=False),
    ] = None,
    margins: Annotated[
        bool, typer.Option("--margins", help="Also what acting wins more with each hand: e_P(i) and e_D(j).")
    ] = False,
    series: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help="Write fitness of the selected and exploitability by generation into this file.",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the same into this .png or .svg file.", show_default=False)
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Evolve play in a game of one decision a hand, and put the answer beside the exact equilibrium.

    The equilibrium alone, with its chart, is what [bold]pokerlab solve push-fold[/bold] gives. Options of populations,
    such as --population, are refused by methods that have none.

    Example: [bold]pokerlab evolve "flop-poker(bet=4)" --method united --fitness exact[/bold]
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.elements.figure import write_figure
    from pokerlab.display.solve.evolution import print_evolution, series_figure, write_series
    from pokerlab.lab.evolving import begin, evolve, limits_of

    genetic = {
        "population": population,
        "rounds": rounds,
        "selected": selected,
        "mutation": mutation,
        "fitness": fitness,
        "score": score,
        "hall": hall,
        "averaged": averaged,
        "pareto": pareto,
    }
    given = {"iterations": iterations, "target": target, "seconds": seconds}
    _check_options(method, genetic, given, seed=seed, checkpoint=checkpoint)
    _check_files(series, plot)
    limits = limits_of(method, iterations=iterations, target=target, seconds=seconds)
    with announcing_compilation():
        running = begin(game, method=method, genetic=genetic, seed=seed, checkpoint=checkpoint)
        if running.earlier is not None:
            at = running.solver.iterations
            error_console().print(f"[dim]resumed from {literal(checkpoint)} at {at:,} iterations[/dim]")
        with ProgressBar("evolving", quiet=as_json) as bar:
            found = evolve(running, method=method, limits=limits, checkpoint=checkpoint, on_progress=bar)
    note = {"game": running.task.name, "method": method, "algorithm": running.algorithm.spec, "seed": seed}
    if series is not None:
        write_series(found, series)
    if plot is not None:
        write_figure(series_figure(found), plot)
    if as_json:
        print_json(note | found.as_dict() | {"csv": series and str(series), "plot": plot and str(plot)})
        return
    print_evolution(found, console(), margins=margins)
    for path in (series, plot):
        if path is not None:
            error_console().print(f"[dim]wrote {literal(path)}[/dim]")


def _check_options(
    method: str, genetic: dict[str, Any], limits: dict[str, Any], *, seed: int, checkpoint: Path | None
) -> None:
    """Refuse a method that does not exist, and options that do nothing for the chosen one."""
    from pokerlab.errors import BadSetting
    from pokerlab.lab.evolving import algorithm_of, idle_options

    algorithm_of(method, genetic)
    idle = idle_options(method, genetic, limits, seed=seed, checkpoint=checkpoint)
    if idle:
        names = ", ".join(f"--{name}" for name in idle)
        raise BadSetting(f"the method {method} has no use for {names}; leave {'it' if len(idle) == 1 else 'them'} out")


def _check_files(series: Path | None, plot: Path | None) -> None:
    """Refuse files that could not be written, before the work."""
    from pokerlab.errors import BadFile

    for path in (series, plot):
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            raise BadFile(f"cannot write {str(path)[:80]!r}: it is not a file in a folder that exists")
    if plot is not None and plot.suffix.lower() not in (".png", ".svg"):
        raise BadFile(f"--plot draws .png or .svg files, not {str(plot)[:60]!r}")
