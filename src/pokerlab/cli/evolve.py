"""`pokerlab evolve`: games of one decision each by evolution, regret minimisation, or a linear program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli._completion import JUDGED, METHODS, ROLE_GAMES, SCORES
from pokerlab.cli._options import Csv, Plot, Seconds, Seed, argument, option, target_option
from pokerlab.cli._output import announcing_compilation, check_outputs, note, write_results


def command(
    game: Annotated[
        str,
        argument(
            "von-neumann, flop-poker or push-fold, with settings: 'flop-poker(ante=1, bet=4)'.", complete=ROLE_GAMES
        ),
    ],
    method: Annotated[
        str,
        option(
            "Method: populations (two roles co-evolve), united (agents play both roles), regret (sampled), "
            "cfr, cfr+, linear-cfr, dcfr, pcfr+ (exact) or lp.",
            "--with",
            complete=METHODS,
        ),
    ] = "populations",
    iterations: Annotated[
        int | None,
        option(
            "Generations, rounds of regret matching, or iterations.",
            min=1,
            default="200; regret 20,000,000; others 2,000",
        ),
    ] = None,
    population: Annotated[int | None, option("Agents per role, or in all with united.", default="1000")] = None,
    rounds: Annotated[int | None, option("Games per agent and generation.", default="1000")] = None,
    selected: Annotated[float | None, option("Share that survives.", default="0.1; united 0.3")] = None,
    mutation: Annotated[float | None, option("Mutation probability.", default="1e-6; united 1e-4")] = None,
    fitness: Annotated[
        str | None,
        option("Fitness by games (real), or expected scores (exact).", complete=JUDGED, default="real"),
    ] = None,
    score: Annotated[
        str | None, option("Score: bankroll, squared-loss or squared-loss-per-game.", complete=SCORES)
    ] = None,
    hall: Annotated[float | None, option("Share of opponents from the hall of fame.")] = None,
    averaged: Annotated[bool, option("Return the mean strategy over generations.", "--averaged")] = False,
    pareto: Annotated[int | None, option("Select by Pareto fronts over this many opponents.")] = None,
    target: Annotated[float | None, target_option("in chips per hand")] = None,
    seconds: Seconds = None,
    checkpoint: Annotated[Path | None, option("Save the solution to this file, and resume from it.")] = None,
    margins: Annotated[
        bool, option("Also show the gain from acting with each hand: e_P(i) and e_D(j).", "--margins")
    ] = False,
    series: Csv = None,
    plot: Plot = None,
    seed: Seed = 0,
) -> None:
    """Evolve strategies in a game with one decision per hand: compared with the exact equilibrium.

    --csv and --plot write the fitness of the selected and the exploitability by generation. For only the equilibrium
    and its chart, use `pokerlab solve push-fold`. Options of populations, such as --population, are
    rejected by methods without populations.

    pokerlab evolve "flop-poker(bet=4)" --with united --fitness exact
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.solve.evolution import print_evolution, series_figure
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solve.evolving import algorithm_of, begin, evolve, idle_options, limits_of

    genetic: dict[str, Any] = {"population": population, "rounds": rounds, "selected": selected, "mutation": mutation}
    genetic |= {"fitness": fitness, "score": score, "hall": hall, "averaged": averaged, "pareto": pareto}
    given: dict[str, Any] = {"iterations": iterations, "target": target, "seconds": seconds}
    algorithm_of(method, genetic)  # fails for an unknown method
    if idle := idle_options(method, genetic, given, seed=seed, checkpoint=checkpoint):
        names = ", ".join(f"--{name}" for name in idle)
        raise BadSetting(f"the method {method} does not use {names}; leave {'it' if len(idle) == 1 else 'them'} out")
    check_outputs(csv=series, picture=plot)
    limits = limits_of(method, **given)
    with announcing_compilation():
        running = begin(game, method=method, genetic=genetic, seed=seed, checkpoint=checkpoint)
        if running.earlier is not None:
            note(f"resumed from {checkpoint} at {running.solver.iterations:,} iterations")
        with ProgressBar("evolving") as bar:
            evolution = evolve(running, method=method, limits=limits, checkpoint=checkpoint, on_progress=bar)
    settings = {"game": running.task.name, "method": method, "algorithm": running.algorithm.spec, "seed": seed}
    write_results(
        lambda: settings | evolution.as_dict(),
        lambda screen: print_evolution(evolution, screen, margins=margins),
        csv=(series, lambda _: evolution.series),
        plot=(plot, lambda _: series_figure(evolution)),
    )
