"""`pokerlab dynamics`: learners that play a matrix game, their regrets, and the equilibria that their play comes to."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._completion import LEARNERS, choices
from pokerlab.cli._options import Csv, Game, Plot, option
from pokerlab.cli._output import check_outputs, write_results


def command(
    game: Game,
    learners: Annotated[
        str,
        option(
            "Learner of all players, or one for each, separated by commas: regret-matching, internal, exponential, "
            "fictitious-play.",
            "--with",
            complete=choices(*LEARNERS),
        ),
    ] = "regret-matching",
    iterations: Annotated[int, option("Number of iterations.", "--iterations", min=1)] = 10_000,
    plot: Plot = None,
    csv: Csv = None,
) -> None:
    """Let learners play a small game: their regrets, and how far joint play is from correlated equilibria.

    Play without external regret (regret-matching) comes to coarse correlated equilibria, play without internal regret
    (internal, exponential) to correlated ones; fictitious play may come to neither.

    pokerlab dynamics shapley --with fictitious-play --plot shapley.png
    pokerlab dynamics shapley --with internal
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.analyse.equilibria import show_repeated_play
    from pokerlab.lab.solve.repeated_play import dynamics_figure, play_repeatedly

    check_outputs(picture=plot, csv=csv)
    rules = [word.strip() for word in learners.split(",")]
    with ProgressBar(f"learning in {game}") as bar:
        run = play_repeatedly(game, rules, iterations=iterations, on_progress=bar)
    write_results(
        run.as_dict,
        lambda screen: show_repeated_play(screen, run),
        plot=(plot, lambda _: dynamics_figure(run)),
        csv=(csv, lambda _: run.columns()),
    )
