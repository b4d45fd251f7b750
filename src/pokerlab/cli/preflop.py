"""`pokerlab preflop`: exact equities of starting hands as a grid."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cli._options import argument, option
from pokerlab.cli._output import announcing_compilation, write_results


def command(
    hand: Annotated[str | None, argument("Starting hand such as AKs, 77 or T9o; default: all against random.")] = None,
    flop: Annotated[bool, option("Flop poker: two cards and a three-card flop.", "--flop")] = False,
) -> None:
    """Exact preflop equities: every starting hand against random cards, or one against each of the 169.

    The table is computed on first use, in seconds, and saved.

    pokerlab preflop
    pokerlab preflop AKs
    pokerlab preflop --flop --json
    """
    from pokerlab.cards.combos import CLASS_NAMES
    from pokerlab.cards.preflop import preflop_table
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.cards.equity import show_preflop
    from pokerlab.errors import BadRange, shortened
    from pokerlab.events import Watch

    classes = {name.lower(): number for number, name in enumerate(CLASS_NAMES)}
    if hand is not None and hand.lower() not in classes:
        raise BadRange(f"{shortened(hand, 20)!r} is not one of the 169 starting hands, written like AKs, 77 or T9o")
    number = None if hand is None else classes[hand.lower()]
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
    write_results(result, lambda screen: show_preflop(screen, result))
