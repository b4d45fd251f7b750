"""`pokerlab size`: how large a game is, exactly, without building it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, console, error_console, literal, print_json


def command(
    name: Annotated[
        str, typer.Argument(help='The game: holdem-limit, holdem-nolimit, "goofspiel(cards=7)", a file ...')
    ],
    stack: Annotated[
        str | None, typer.Option("--stack", help="Chips of each player, where the game has stacks.", show_default=False)
    ] = None,
    blinds: Annotated[
        str | None, typer.Option("--blinds", help="Small and big blind, as in 50,100.", show_default=False)
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="The most nodes to walk where none can count.")
    ] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Tell how large a game is, to the last digit, without building it.

    Example: [bold]pokerlab size holdem-nolimit --stack 20000 --blinds 50,100[/bold]
    """
    from pokerlab.formats.opening import open_game
    from pokerlab.games.sizes import size_of
    from pokerlab.tree.forecast import of_size

    game = open_game(name, **_settings(stack, blinds))
    check = partial(_check_walkable, game, limit)
    notes, shown = error_console(), literal(game.name)
    if notes.is_terminal:
        with notes.status(f"counting {shown}") as status:
            size = size_of(
                game,
                limit=limit,
                before_walking=check,
                on_progress=lambda n: status.update(f"walking {shown}: {n:,} nodes"),
            )
    else:
        size = size_of(game, limit=limit, before_walking=check)
    memory = None if size.nodes is None else of_size(size, game.players).bytes
    if as_json:
        print_json(_as_dict(size) | {"memory_bytes": memory})
        return
    _show(size, memory)


def _check_walkable(game: Any, limit: int) -> None:
    """TooLarge, before anything is walked, for a game that is far too large to walk."""
    from pokerlab.errors import TooLarge
    from pokerlab.tree.forecast import forecast

    size = forecast(game)
    if size.surely > limit:
        raise TooLarge(
            f"{game.name} has {size.text().partition(' nodes')[0]} nodes by random walks; its exact size is not known "
            f"without walking it, and that is more than the {limit:,} nodes of --limit"
        )


def _settings(stack: str | None, blinds: str | None) -> dict[str, Any]:
    from pokerlab.errors import BadSetting

    settings: dict[str, Any] = {}
    for what, text in (("stack", stack), ("blinds", blinds)):
        if text is None:
            continue
        words = text.replace(",", " ").split()
        if not words or not all(word.isascii() and word.isdigit() and len(word) <= 12 for word in words):
            raise BadSetting(f"--{what} must be whole numbers, as in 50,100, not {text[:60]!r}")
        numbers = tuple(int(word) for word in words)
        settings[what] = numbers[0] if len(numbers) == 1 and what == "stack" else numbers
    return settings


def _as_dict(size: Any) -> dict[str, Any]:
    """Numbers as texts, since most readers of JSON round those beyond 2^53."""

    def text(value: int | None) -> str | None:
        return None if value is None else str(value)

    return {
        "game": size.name,
        "how": size.how,
        "states": text(size.states),
        "infosets": text(size.infosets),
        "canonical_infosets": text(size.canonical_infosets),
        "infoset_actions": text(size.infoset_actions),
        "terminals": text(size.terminals),
        "nodes": text(size.nodes),
        "linear_program": text(size.linear_program),
        "by_player": [{"infosets": text(own), "sequences": text(sequences)} for own, sequences in size.by_player],
        "by_round": [
            {
                "betting": text(one.betting),
                "states": text(one.states),
                "infosets": text(one.infosets),
                "canonical_infosets": text(one.canonical_infosets),
            }
            for one in size.rounds
        ],
    }


def _show(size: Any, memory: float | None) -> None:
    from rich.table import Table

    from pokerlab.tree.forecast import bytes_text

    screen = console()
    screen.print(f"\n[bold]{literal(size.name)}[/bold], {size.how} exactly\n")
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
    if memory is not None:
        table.add_row("memory to solve it, laid out", bytes_text(memory), "")
    screen.print(table)
    if size.rounds:
        _show_rounds(size, screen)


def _show_rounds(size: Any, screen: Any) -> None:
    from rich.table import Table

    from pokerlab.games.poker.rules import HOLDEM_ROUNDS

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
