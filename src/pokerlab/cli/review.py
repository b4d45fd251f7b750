"""`pokerlab review`: decisions of played hands beside those of a solution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli import _options as options
from pokerlab.cli._completion import agent_names
from pokerlab.cli._options import argument, option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results


def command(
    file: Annotated[Path, argument("Hand file of a match, log of `play`, ACPC log or PHH file.")],
    reviewer: Annotated[
        str | None,
        option(
            "Solution, chart or blueprint file, or an agent.",
            "--with",
            complete=agent_names,
            default="the solution that an opponent played, or a blueprint",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None, option("Only this player's decisions; may be repeated.", "--agent", default="you, or all")
    ] = None,
    game: options.LogGame = None,
    match: Annotated[int | None, option("Match number; default: the last.", min=1)] = None,
    hands: Annotated[int, option("Review at most this many hands, the last ones.", min=1)] = 1_000,
    rows: options.Rows = 40,
    csv: options.Csv = None,
) -> None:
    """Review played hands: each decision, what a solution does there, the EV lost, and totals by street.

    A solution of a spot or a game and a push-or-fold chart know the EV of every action. A blueprint does not: decisions
    are compared by frequency. A spot also reviews hands of hold'em that reach its board with its stacks. Default: the
    blueprint that comes with the package, for two-player hold'em and draw.

    pokerlab review m.duckdb --agent formula
    pokerlab review m.duckdb --with blueprint --hands 20 --csv review.csv
    pokerlab review FILE --with turn.spot
    """
    from pokerlab.display.play.review import print_review
    from pokerlab.lab.play.reviewing import review_file

    check_outputs(csv=csv)
    with announcing_compilation():
        review = review_file(file, reviewer, agents=agent or (), game=game, match=match, most=hands)
    write_results(
        review.as_dict,
        lambda screen: print_review(review, screen, most=rows),
        csv=(csv, lambda _: review.columns()),
    )
