"""`pokerlab size`: the exact size of a game, without building it."""

from __future__ import annotations

from typing import Any

from pokerlab.cli._options import Blinds, Game, Limit, Stack
from pokerlab.cli._output import write_results


def command(name: Game, stack: Stack = None, blinds: Blinds = None, limit: Limit = 1_000_000) -> None:
    """Print the size of a game, to the last digit, without building it.

    Example: [bold]pokerlab size holdem-nolimit --stack 20000 --blinds 50,100[/bold]
    """
    from pokerlab.display.games.game import show_size
    from pokerlab.formats.opening import open_game

    size = _measure(open_game(name, **_settings(stack, blinds)), limit)
    write_results(size.as_dict, lambda screen: show_size(screen, size))


def _measure(game: Any, limit: int) -> Any:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.lab.analyse.describing import measure_size

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
