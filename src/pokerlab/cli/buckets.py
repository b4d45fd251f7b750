"""`pokerlab buckets`: the contents of a bucket file, and the bucket of a hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli._completion import bucket_files
from pokerlab.cli._options import Bins, Board, Csv, Plot, argument, option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results


def command(
    file: Annotated[Path, argument("Bucket file, made by `pokerlab abstract`.", complete=bucket_files)],
    hand: Annotated[str | None, argument('Private cards: "AhKh"; in Leduc "Ka".')] = None,
    board: Board = "",
    picture: Plot = None,
    csv: Csv = None,
    round_name: Annotated[
        str | None, option("Round to draw or write: flop, second, 2; default: the first.", "--round")
    ] = None,
    bins: Bins = 10,
) -> None:
    """Show what a bucket file contains; for a hand, its bucket in each round, similar hands, and its strength.

    --plot draws the histograms of the hand or, without a hand, the buckets of a round; --csv writes their numbers.

    pokerlab buckets ri.buckets
    pokerlab buckets ri.buckets Ah --board Td7s
    pokerlab buckets ri.buckets --round second --plot second.png
    """
    from pokerlab.abstraction.bucket_file import load
    from pokerlab.display.abstraction import buckets as display
    from pokerlab.errors import BadSetting
    from pokerlab.lab.abstraction import bucket_view, bucketing

    if hand is None and board:
        raise BadSetting("--board needs a hand: name its cards before --board")
    if round_name is not None and (hand is not None or picture is csv is None):
        raise BadSetting("--round selects the round of a --plot or --csv without a hand")
    check_outputs(picture=picture, csv=csv)
    buckets = load(file)
    number = bucketing.round_number(buckets.cards, round_name) if round_name is not None else 0
    with announcing_compilation():
        summary = bucketing.summary(buckets)
        if hand is None:
            view = cache(lambda: bucket_view.round_view(buckets, number))
            write_results(
                summary,
                lambda screen: display.show_file(screen, summary),
                picture=(picture, lambda _: display.round_figure(view())),
                csv=(csv, lambda _: view().columns()),
            )
            return
        rounds = bucket_view.hand_buckets(buckets, hand, board, bins=bins)
        held: dict[str, Any] = {"hand": hand, "board": board, "places": [one.as_dict() for one in rounds]}
        write_results(
            summary | held,
            lambda screen: display.show_hand(screen, hand, rounds),
            picture=(picture, lambda _: display.hand_figure(hand, rounds)),
            csv=(csv, lambda _: bucket_view.histogram_columns(rounds)),
        )
