"""The size of a game: every digit, and a readable number."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from pokerlab.display.elements.table import plain_table
from pokerlab.games.poker.rules import HOLDEM_ROUNDS
from pokerlab.games.sizes import Size
from pokerlab.lab.analyse.describing import GameSize
from pokerlab.tree.forecast import bytes_text


def show_size(screen: Any, found: GameSize) -> None:
    """The counts of a game, in total and by round."""
    size = found.size
    screen.print(f"\n[bold]{escape(size.name)}[/bold], {size.how} exactly\n")
    counts = (
        ("game states (decisions)", size.states),
        ("infosets", size.infosets),
        ("infosets up to suits", size.canonical_infosets),
        ("infoset-actions", size.infoset_actions),
        ("terminals", size.terminals),
        ("nodes in all", size.nodes),
        ("rows of the linear program", size.linear_program),
        *(
            (f"{what} of player {player}", value)
            for player, values in enumerate(size.by_player)
            for what, value in zip(("infosets", "sequences"), values, strict=True)
        ),
    )
    rows = [(what, _rounded(value), _grouped(value)) for what, value in counts if value is not None]
    if found.memory_bytes is not None:
        rows.append(("memory to solve it as a tree", bytes_text(found.memory_bytes), ""))
    table = plain_table(("what", "how many", "exactly"), rows, left=3)
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    screen.print(table)
    if size.rounds:
        _show_rounds(screen, size)


def _show_rounds(screen: Any, size: Size) -> None:
    names = HOLDEM_ROUNDS if len(size.rounds) == 4 else [str(number + 1) for number in range(len(size.rounds))]
    rows = []
    for name, one in zip(names, size.rounds, strict=True):
        values = (one.betting, one.states, one.infosets, one.canonical_infosets)
        rows.append((name, *("—" if value is None else _short(value) for value in values)))
    screen.print()
    screen.print(plain_table(("round", "betting", "states", "infosets", "up to suits"), rows))


def _short(value: int) -> str:
    return f"{value:,}" if value < 10**15 else _rounded(value)


def _rounded(value: int) -> str:
    """A large number rounded to four digits.

    >>> _rounded(319_365_922_522_608), _rounded(99_999_999)
    ('3.194e14', '1.000e8')
    """
    power = len(str(value)) - 4
    if power <= 3:
        return f"{value:,}"
    digits = str((value + 5 * 10 ** (power - 1)) // 10**power)  # integers, because the largest do not fit in a float
    return f"{digits[0]}.{digits[1:4]}e{power + len(digits) - 1}"


def _grouped(value: int) -> str:
    """All digits, in groups of three that may wrap."""
    digits = str(value)
    return "" if len(digits) <= 7 else f"{value:,}".replace(",", " ")
