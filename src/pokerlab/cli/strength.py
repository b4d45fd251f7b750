"""`pokerlab strength`: how good a hand is against a hand unseen."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._completion import ORDERS, choices
from pokerlab.cli._output import Json, announcing_compilation, console, print_json


def command(
    hand: Annotated[str, typer.Argument(help='Two cards, "AhKh", or a whole hand of three or five to seven.')],
    board: Annotated[str, typer.Option(help='Cards on the board, none or three to five: "Td7s2c".')] = "",
    against: Annotated[str, typer.Option(help='The opponent\'s range: "22+,A2s+,KQo:0.5".')] = "random",
    order: Annotated[
        str | None,
        typer.Option(
            help="Tell only what a hand is, in this order of hands: high, short-deck or three-card.",
            show_default=False,
            autocompletion=choices(*ORDERS),
        ),
    ] = None,
    bins: Annotated[int, typer.Option(min=1, max=100, help="Bars of the histogram.")] = 10,
    as_json: Json = False,
) -> None:
    """How good a hand is: what it is, what it beats now, how that may change, and how it stands at the river.

    [dim]pokerlab strength AhKh --board Td7s2c[/dim]
    [dim]pokerlab strength 7h6h --board 8h5c2h --against "TT+,AQ+"[/dim]
    [dim]pokerlab strength 9s8s7s6sAh --order short-deck[/dim]
    """
    from pokerlab.display.cards.strength import show_strength
    from pokerlab.lab.strength import hand_strength

    with announcing_compilation():
        result = hand_strength(hand, board=board, against=against, order=order, bins=bins)
    if as_json:
        print_json(result)
    else:
        show_strength(console(), result)
