"""`pokerlab preflop`: the exact tables of starting hands as grids."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, print_json


def command(
    hand: Annotated[
        str | None, typer.Argument(help="A starting hand like AKs, 77 or T9o; without it, all against random.")
    ] = None,
    flop: Annotated[bool, typer.Option("--flop", help="Flop poker: two cards and a three-card flop.")] = False,
    as_json: Json = False,
) -> None:
    """Exact preflop equities: every starting hand against random cards, or one against each of the 169.

    The table is computed on first use, in seconds, and kept.

    [dim]pokerlab preflop
    pokerlab preflop AKs
    pokerlab preflop --flop --json[/dim]
    """
    from pokerlab.cards.combos import CLASS_NAMES
    from pokerlab.cards.preflop import preflop_table
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.events import Watch

    number = _class_number(hand)
    with announcing_compilation(), ProgressBar("comparing all hands", after=SOON) as bar:
        table = preflop_table(3 if flop else 5, watch=Watch("preflop", bar, unit="boards"))
    if number is None:
        win, tie = table.against_random()
    else:
        win, tie = table.class_win[number], table.class_tie[number]
    result: dict[str, Any] = {
        "hand": None if number is None else CLASS_NAMES[number],
        "board_cards": table.board_size,
        "boards": table.boards,
        "classes": list(CLASS_NAMES),
        "win": win,
        "tie": tie,
        "equity": win + tie / 2,
    }
    if as_json:
        print_json(result)
    else:
        _show(result)


def _class_number(hand: str | None) -> int | None:
    from pokerlab.cards.combos import CLASS_NAMES
    from pokerlab.errors import BadRange

    if hand is None:
        return None
    names = {name.lower(): number for number, name in enumerate(CLASS_NAMES)}
    if hand.lower() not in names:
        shown = hand if len(hand) <= 20 else hand[:17] + "..."
        raise BadRange(f"{shown!r} is not one of the 169 starting hands, which are written like AKs, 77 or T9o")
    return names[hand.lower()]


def _show(result: dict[str, Any]) -> None:
    from pokerlab.cards.combos import CLASS_NAMES
    from pokerlab.display.elements.grid import EQUITY, Grid

    screen = console()
    equity = result["equity"].reshape(13, 13)
    texts = [
        [f"{CLASS_NAMES[13 * row + column]:3}{100 * equity[row, column]:2.0f}" for column in range(13)]
        for row in range(13)
    ]
    screen.print()
    screen.print(Grid(equity, scale=EQUITY, texts=texts, width=6))
    screen.print()
    whose = f"of {result['hand']} against each hand" if result["hand"] else "of each hand against random cards"
    order = sorted(range(169), key=lambda number: -equity.reshape(-1)[number])
    best, worst = (
        f"{CLASS_NAMES[number]} {100 * equity.reshape(-1)[number]:.4f} %" for number in (order[0], order[-1])
    )
    screen.print(f"equity {whose}, in percent")
    screen.print(f"most [green]{best}[/green], least [red]{worst}[/red]")
    screen.print(f"[dim]exact, {result['boards']:,} boards of {result['board_cards']} cards for every two hands[/dim]")
