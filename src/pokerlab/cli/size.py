"""`pokerlab size`: how large a game is, exactly, without building it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pokerlab.cli._completion import game_names
from pokerlab.cli._output import Json, console, print_json


def command(
    name: Annotated[
        str,
        typer.Argument(
            help='The game: holdem-limit, holdem-nolimit, "goofspiel(cards=7)", a file ...', autocompletion=game_names
        ),
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
    from pokerlab.display.games.size import show_size
    from pokerlab.formats.opening import open_game

    found = _measure(open_game(name, **_settings(stack, blinds)), limit)
    if as_json:
        print_json(found.as_dict())
    else:
        show_size(console(), found)


def _measure(game: Any, limit: int) -> Any:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.lab.describing import measure_size

    with ProgressBar(f"counting {game.name}") as bar:
        return measure_size(game, limit=limit, on_progress=bar)


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
