"""`pokerlab range`: a range as a grid."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cli._options import Board, argument, option
from pokerlab.cli._output import write_results


def command(
    text: Annotated[
        str,
        argument(
            'Range: "22+,A2s+,KQo:0.5,KdQh", "top 20%", "random", or the notation of another program: '
            '"AA:50%", "[50]AA,KQs[/50]", "50: AA, KQs".'
        ),
    ],
    written_as: Annotated[
        str | None, option("Only convert it, to the notation of pio, gto+, equilab or vector.", "--as")
    ] = None,
    board: Board = "",
) -> None:
    """Show a range: its 13×13 grid, the number of hands, and its shortest notation.

    pokerlab range "22+,A2s+,KdQh:0.5" --board Td7s2c
    pokerlab range "top 20%" --as pio
    """
    from pokerlab.cards.card import FULL_DECK
    from pokerlab.cards.combos import COMBO_COUNT, blocked
    from pokerlab.cards.ranges import Range
    from pokerlab.display.cards.equity import show_range
    from pokerlab.errors import BadCards
    from pokerlab.formats.ranges import write_range

    cards = FULL_DECK.cards(board)
    if len(cards) > 5:
        raise BadCards(f"a board has at most five cards, and {board[:40]!r} has {len(cards)}")
    whole = Range.parse(text)
    held = whole.without(cards)
    written = None if written_as is None else write_range(held, written_as)
    possible = COMBO_COUNT - int(blocked(cards).sum())
    result: dict[str, Any] = {
        "range": whole.text(),
        "board": FULL_DECK.text(cards),
        "combos": held.count,
        "possible": possible,
        "fraction": held.count / possible if possible else 0.0,
        "removed": whole.count - held.count,
        "grid": held.grid(cards),
    }
    result |= {} if written is None else {"as": written_as, "written": written}
    write_results(result, lambda screen: show_range(screen, result) if written is None else print(written))
