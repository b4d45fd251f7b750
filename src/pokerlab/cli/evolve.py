"""`pokerlab evolve`: games of one decision each by evolution, regret minimisation, or a linear program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from pokerlab.cli._completion import JUDGED, METHODS, ROLE_GAMES, SCORES, choices
from pokerlab.cli._options import Csv, Json, Plot, Seconds, Seed, target_option
from pokerlab.cli._output import announcing_compilation, check_outputs, note, write_results


def command(
    game: Annotated[
        str,
        Argument(
            help="von-neumann, flop-poker or push-fold, with settings: 'flop-poker(ante=1, bet=4)'.",
            autocompletion=choices(*ROLE_GAMES),
        ),
    ],
    method: Annotated[
        str,
        Option(
            help="populations: two roles co-evolve; united: agents play both roles; regret: sampled regret matching; "
            "cfr, cfr+, linear-cfr, dcfr and pcfr+: exact regret minimisation; lp: a linear program.",
            autocompletion=choices(*METHODS),
        ),
    ] = "populations",
    iterations: Annotated[
        int | None,
        Option(
            min=1,
            help="Generations (200), rounds of regret matching (20,000,000), or iterations of the others (2,000).",
        ),
    ] = None,
    population: Annotated[int | None, Option(help="Agents per role, or in all with united: 1000.")] = None,
    rounds: Annotated[int | None, Option(help="Games per agent and generation: 1000.")] = None,
    selected: Annotated[float | None, Option(help="Share that survives: 0.1, united 0.3.")] = None,
    mutation: Annotated[float | None, Option(help="Mutation probability: 1e-6, united 1e-4.")] = None,
    fitness: Annotated[
        str | None,
        Option(
            help="real (the default): games are played; exact: expected scores, without noise.",
            autocompletion=choices(*JUDGED),
        ),
    ] = None,
    score: Annotated[
        str | None, Option(help="bankroll, squared-loss or squared-loss-per-game.", autocompletion=choices(*SCORES))
    ] = None,
    hall: Annotated[float | None, Option(help="Share of opponents from the hall of fame.")] = None,
    averaged: Annotated[bool, Option("--averaged", help="Return the mean strategy over generations.")] = False,
    pareto: Annotated[int | None, Option(help="Select by Pareto fronts over this many opponents.")] = None,
    target: Annotated[float | None, target_option("in chips per hand")] = None,
    seconds: Seconds = None,
    checkpoint: Annotated[Path | None, Option(help="Save the solution to this file, and resume from it.")] = None,
    margins: Annotated[
        bool, Option("--margins", help="Also show the gain from acting with each hand: e_P(i) and e_D(j).")
    ] = False,
    series: Csv = None,
    plot: Plot = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Evolve strategies in a game with one decision per hand, and compare them with the exact equilibrium.

    --csv and --plot write the fitness of the selected and the exploitability by generation. For only the equilibrium
    and its chart, use [bold]pokerlab solve push-fold[/bold]. Options of populations, such as --population, are
    rejected by methods without populations.

    Example: [bold]pokerlab evolve "flop-poker(bet=4)" --method united --fitness exact[/bold]
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.solve.evolution import print_evolution, series_figure
    from pokerlab.lab.solve.evolving import begin, evolve, limits_of

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
    check_outputs(csv=series, picture=plot)
    limits = limits_of(method, iterations=iterations, target=target, seconds=seconds)
    with announcing_compilation():
        running = begin(game, method=method, genetic=genetic, seed=seed, checkpoint=checkpoint)
        if running.earlier is not None:
            note(f"resumed from {checkpoint} at {running.solver.iterations:,} iterations")
        with ProgressBar("evolving", quiet=as_json) as bar:
            found = evolve(running, method=method, limits=limits, checkpoint=checkpoint, on_progress=bar)
    settings = {"game": running.task.name, "method": method, "algorithm": running.algorithm.spec, "seed": seed}
    write_results(
        lambda: settings | found.as_dict(),
        lambda screen: print_evolution(found, screen, margins=margins),
        as_json=as_json,
        csv=(series, lambda _: found.series),
        plot=(plot, lambda _: series_figure(found)),
    )


def _check_options(
    method: str, genetic: dict[str, Any], limits: dict[str, Any], *, seed: int, checkpoint: Path | None
) -> None:
    """Refuse an unknown method, and options that the chosen one does not use."""
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solve.evolving import algorithm_of, idle_options

    algorithm_of(method, genetic)
    idle = idle_options(method, genetic, limits, seed=seed, checkpoint=checkpoint)
    if idle:
        names = ", ".join(f"--{name}" for name in idle)
        raise BadSetting(f"the method {method} has no use for {names}; leave {'it' if len(idle) == 1 else 'them'} out")
