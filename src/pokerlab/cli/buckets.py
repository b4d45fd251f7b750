"""`pokerlab buckets`: what is in a file of buckets, and which bucket a hand is in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._completion import bucket_files
from pokerlab.cli._output import Json, announcing_compilation, check_table, console, print_json


def command(
    file: Annotated[Path, typer.Argument(help="A file that `pokerlab abstract` made.", autocompletion=bucket_files)],
    hand: Annotated[
        str | None, typer.Argument(help='Private cards: "AhKh"; of Leduc "Ka".', show_default=False)
    ] = None,
    board: Annotated[str, typer.Option("--board", help='Public cards: "Td7s2c".')] = "",
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", help="Draw the hand's histograms, or without a hand a round's buckets.", show_default=False
        ),
    ] = None,
    round_name: Annotated[
        str | None,
        typer.Option(
            "--round", help="The round that is drawn: flop, second, 2; the first by default.", show_default=False
        ),
    ] = None,
    bins: Annotated[int, typer.Option("--bins", min=1, max=100, help="Bars of the histogram.")] = 10,
    as_json: Json = False,
) -> None:
    """What a file of buckets holds; with a hand, its bucket in each round, what else is in it, and how strong it is.

    [dim]pokerlab buckets ri.buckets
    pokerlab buckets ri.buckets Ah --board Td7s
    pokerlab buckets ri.buckets --round second --picture second.png[/dim]
    """
    from pokerlab.abstraction.bucket_file import load
    from pokerlab.display.abstraction import buckets as report
    from pokerlab.display.elements.figure import write_figure
    from pokerlab.display.solve.convergence import check_picture
    from pokerlab.errors import BadSetting
    from pokerlab.lab import bucket_view, bucketing

    if hand is None and board:
        raise BadSetting("a board is for a hand: name its cards before --board")
    if round_name is not None and (hand is not None or picture is None):
        raise BadSetting("--round says which round a --picture without a hand is of")
    if picture is not None:
        check_picture(picture)
        check_table(picture, "draw a picture")
    kept = load(file)
    turn = bucketing.round_number(kept.cards, round_name) if round_name is not None else 0
    with announcing_compilation():
        found = bucketing.summary(kept) | {"picture": picture and str(picture)}
        if hand is not None:
            places = bucket_view.hand_buckets(kept, hand, board, bins=bins)
            found |= {"hand": hand, "board": board, "places": [place.as_dict() for place in places]}
            figure = report.hand_figure(hand, places)
        elif picture is not None:
            figure = report.round_figure(bucket_view.round_view(kept, turn))
    if picture is not None:
        write_figure(figure, picture)
    if as_json:
        print_json(found)
        return
    screen = console()
    if hand is not None:
        report.show_hand(screen, hand, places)
    else:
        report.show_file(screen, found)
    if picture is not None:
        screen.print(f"\ndrawn in {picture}", markup=False, soft_wrap=True)
