"""`pokerlab beliefs`: what players believe in a solution, and where they could do better."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._options import Containing, Csv, Player, Rows, Solution, option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results


def command(
    file: Solution,
    player: Player = None,
    containing: Containing = "",
    every: Annotated[bool, option("Include infosets where no deviation gains.", "--all")] = False,
    rows: Rows = 20,
    tolerance: Annotated[
        float | None,
        option("Ignore losses up to this, in the game's units.", min=0, default="0.1 % of the largest payoff"),
    ] = None,
    csv: Csv = None,
) -> None:
    """Show beliefs and profitable deviations at infosets: also off the path of play.

    An equilibrium need not play well off its path. Off-path beliefs are limits of vanishing trembles.
    `solve --with "lp(tremble=1e-6)"` and `solve --with trembling` find strategies that play well everywhere.
    The CSV file has one row per action of each infoset.

    pokerlab beliefs leduc.solution --rows 5
    pokerlab beliefs kuhn.solution --all --containing Q: --csv beliefs.csv
    """
    from itertools import islice

    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.analyse.assessment import show_assessment
    from pokerlab.lab.analyse.assessing import assess_solution
    from pokerlab.strategy.files.solution_file import load

    check_outputs(csv=csv)
    solution = load(file)
    with announcing_compilation(), ProgressBar(f"assessing {file}"):
        assessment = assess_solution(solution, tolerance=tolerance)
    matching = assessment.places(player=player, match=containing, every=every)
    infosets = list(islice(matching, rows))
    write_results(
        assessment.as_dict() | {"file": str(file), "places": [one.as_dict() for one in infosets]},
        lambda screen: show_assessment(screen, assessment, infosets, more=sum(1 for _ in matching)),
        csv=(csv, lambda path: assessment.write(path, assessment.places(player=player, match=containing, every=True))),
    )
