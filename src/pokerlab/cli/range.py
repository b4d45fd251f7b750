"""`pokerlab range`: what a range text means, as a grid."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, console, literal, print_json


def command(
    text: Annotated[
        str,
        typer.Argument(
            help='The range: "22+,A2s+,KQo:0.5,KdQh", "top 20%", "random", or the text of another program: '
            '"AA:50%", "\\[50]AA,KQs\\[/50]", "50: AA, KQs".'
        ),
    ],
    written_as: Annotated[
        str | None, typer.Option("--as", help="Print it only, as this program writes it: pio, gto+, equilab, vector.")
    ] = None,
    board: Annotated[str, typer.Option(help='Cards on the board, which nobody can hold: "Td7s2c".')] = "",
    as_json: Json = False,
) -> None:
    """Show what a range means: its 13×13 grid, how many hands it holds, and its shortest text.

    [dim]pokerlab range "22+,A2s+,KdQh:0.5" --board Td7s2c
    pokerlab range "top 20%" --as pio[/dim]
    """
    from pokerlab.cards.card import FULL_DECK
    from pokerlab.cards.ranges import COMBO_COUNT, Range, blocked
    from pokerlab.errors import BadCards
    from pokerlab.formats.ranges import write_range

    cards = FULL_DECK.cards(board)
    if len(cards) > 5:
        raise BadCards(f"a board has at most five cards, and {board[:40]!r} has {len(cards)}")
    whole = Range.parse(text)
    written = None if written_as is None else write_range(whole.without(cards), written_as)
    if written is not None and not as_json:
        print(written)
        return
    held = whole.without(cards)
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
    if as_json:
        print_json(result | ({} if written is None else {"as": written_as, "written": written}))
        return
    _show(result)


def _show(result: dict[str, Any]) -> None:
    from pokerlab.display.elements.grid import Grid

    screen = console()
    screen.print()
    screen.print(Grid(result["grid"]))
    screen.print()
    combos = f"{result['combos']:.4f}".rstrip("0").rstrip(".")
    share = f"[bold]{combos}[/bold] of {result['possible']:,} hands, {100 * result['fraction']:.2f} %"
    if result["board"]:
        removed = f"{result['removed']:.4f}".rstrip("0").rstrip(".")
        share += f"; the board {result['board']} removes {removed}"
    screen.print(share)
    screen.print(f"[dim]{literal(result['range'])}[/dim]")
