"""`pokerlab stats`: how agents play, and where they win and lose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli import _options as options
from pokerlab.cli._options import argument, option
from pokerlab.cli._output import check_outputs, write_results


def command(
    file: Annotated[Path, argument("Hand file of a match, log of `play`, ACPC log or PHH file.")],
    agent: Annotated[list[str] | None, option("Only this player; may be repeated.", "--agent", default="all")] = None,
    game: options.LogGame = None,
    match: Annotated[int | None, option("Match number; default: the last.", min=1)] = None,
    csv: options.Csv = None,
) -> None:
    """Show how agents play: VPIP, PFR, aggression, folds, showdowns, and winnings by street, position and hand group.

    All with 95 % intervals. Every action can also be queried: the command hands has a table actions.

    pokerlab stats m.duckdb
    pokerlab stats m.duckdb --agent formula --csv stats.csv
    """
    from pokerlab.display.play.player_stats import print_stats
    from pokerlab.lab.play.player_stats import stats_of_file

    check_outputs(csv=csv)
    stats = stats_of_file(file, game=game, match=match, agents=agent or ())
    write_results(stats.as_dict, lambda screen: print_stats(stats, screen), csv=(csv, lambda _: stats.columns()))
