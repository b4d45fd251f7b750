"""`pokerlab show`: the strategy in a solution file, infoset by infoset."""

from __future__ import annotations

from pathlib import Path

from pokerlab.cli._options import Containing, Csv, Player, Rows, Solution
from pokerlab.cli._output import check_outputs, note, write_results


def command(
    file: Solution, player: Player = None, containing: Containing = "", rows: Rows = 40, csv: Csv = None
) -> None:
    """Print a saved strategy by infoset: the player to act, their own reach probability, and the action probabilities.

    For a blueprint, shows how it was trained and its first decision; with --containing or --player, infosets by bucket.
    The CSV file has all matching infosets, one row per action, whatever --rows is.

    pokerlab show leduc.solution --containing Kb --rows 20
    pokerlab show leduc.solution --player 0 --csv leduc.csv
    """
    from pokerlab.display.browse.listing import show_listing
    from pokerlab.lab.analyse.browsing import list_infosets, write_infosets
    from pokerlab.strategy.files.shipped import path_of
    from pokerlab.strategy.files.solution_file import load

    check_outputs(csv=csv)
    file = path_of(file)
    solution = load(file)
    listing = list_infosets(solution, player=player, match=containing, rows=rows)

    def write(path: Path) -> int:
        count = solution.strategy.row_limit(player)
        if count is not None:
            most = "at most " if containing or solution.strategy.form.has_draws else ""
            note(f"writing {most}{count:,} rows to {path}")
        return write_infosets(solution, path, player=player, match=containing)

    write_results(
        listing.as_dict,
        lambda screen: show_listing(screen, listing, player=player, match=containing, file=file),
        csv=(csv, write),
    )
