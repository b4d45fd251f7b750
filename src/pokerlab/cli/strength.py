"""`pokerlab strength`: how strong a hand is against a range."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._completion import ORDERS
from pokerlab.cli._options import Bins, Board, argument, option
from pokerlab.cli._output import announcing_compilation, write_results


def command(
    hand: Annotated[str, argument('Two cards, "AhKh", or a complete hand of three or five to seven cards.')],
    board: Board = "",
    against: Annotated[str, option('Range of the opponent: "22+,A2s+,KQo:0.5".')] = "random",
    order: Annotated[
        str | None, option("Only rank the hand, in this order: high, short-deck or three-card.", complete=ORDERS)
    ] = None,
    bins: Bins = 10,
) -> None:
    """Show how strong a hand is: its rank, what it beats now, its potential, and its strength at the river.

    Five cards are a hand of five-card draw: HS, PPOT and EHS before the draw, and the cards to discard.

    pokerlab strength AhKh --board Td7s2c
    pokerlab strength 7h6h --board 8h5c2h --against "TT+,AQ+"
    pokerlab strength 9s8s7s6sAh
    pokerlab strength 9s8s7s6sAh --order short-deck
    """
    from pokerlab.display.cards.equity import show_strength
    from pokerlab.lab.preflop.strength import hand_strength

    with announcing_compilation():
        result = hand_strength(hand, board=board, against=against, order=order, bins=bins)
    write_results(result, lambda screen: show_strength(screen, result))
