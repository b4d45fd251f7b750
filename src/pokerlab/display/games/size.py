"""How large a game is, in words: every digit, and what a person can read of it."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.games.poker.rules import HOLDEM_ROUNDS
from pokerlab.games.sizes import Size
from pokerlab.lab.describing import GameSize
from pokerlab.tree.forecast import bytes_text


def show_size(screen: Any, found: GameSize) -> None:
    """What a game has, how many of it, and by round."""
    size = found.size
    screen.print(f"\n[bold]{escape(size.name)}[/bold], {size.how} exactly\n")
    table = Table("what", "how many", "exactly", box=None, pad_edge=False, header_style="bold")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for what, value in (
        ("game states (decisions)", size.states),
        ("infosets", size.infosets),
        ("infosets up to suits", size.canonical_infosets),
        ("infoset-actions", size.infoset_actions),
        ("terminals", size.terminals),
        ("nodes in all", size.nodes),
        ("rows of the linear program", size.linear_program),
    ):
        if value is not None:
            table.add_row(what, _rounded(value), _grouped(value))
    for player, (infosets, sequences) in enumerate(size.by_player):
        table.add_row(f"infosets of player {player}", _rounded(infosets), _grouped(infosets))
        table.add_row(f"sequences of player {player}", _rounded(sequences), _grouped(sequences))
    if found.memory_bytes is not None:
        table.add_row("memory to solve it, laid out", bytes_text(found.memory_bytes), "")
    screen.print(table)
    if size.rounds:
        _show_rounds(screen, size)


def _show_rounds(screen: Any, size: Size) -> None:
    table = Table(
        "round", "betting", "states", "infosets", "up to suits", box=None, pad_edge=False, header_style="bold"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    names = HOLDEM_ROUNDS if len(size.rounds) == 4 else [str(number + 1) for number in range(len(size.rounds))]
    for name, one in zip(names, size.rounds, strict=True):
        values = (one.betting, one.states, one.infosets, one.canonical_infosets)
        table.add_row(name, *("—" if value is None else _short(value) for value in values))
    screen.print()
    screen.print(table)


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
    digits = str((value + 5 * 10 ** (power - 1)) // 10**power)  # whole numbers: the largest do not fit in a float
    return f"{digits[0]}.{digits[1:4]}e{power + len(digits) - 1}"


def _grouped(value: int) -> str:
    """All digits, in threes that may be wrapped."""
    digits = str(value)
    return "" if len(digits) <= 7 else f"{value:,}".replace(",", " ")
