"""`pokerlab size`: the exact size of a game, without building it."""

from __future__ import annotations

from typing import Any

from pokerlab.cli._options import Blinds, Game, MostNodes, Stack
from pokerlab.cli._output import write_results


def command(name: Game, stack: Stack = None, blinds: Blinds = None, most_nodes: MostNodes = 1_000_000) -> None:
    """Print the size of a game, to the last digit, without building it.

    pokerlab size holdem-nolimit --stack 20000 --blinds 50,100
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.games.game import show_size
    from pokerlab.errors import BadSetting
    from pokerlab.formats.opening import open_game
    from pokerlab.lab.analyse.describing import measure_size
    from pokerlab.lab.solve.training import named_game

    settings: dict[str, Any] = {}
    in_blinds = stack if stack is not None and stack.lower().rstrip().endswith("bb") else None
    if in_blinds is not None and blinds is not None:
        raise BadSetting("with --blinds, write the stack in chips: 20000 instead of 200bb")
    stack = stack if in_blinds is None else None
    for option, text in (("stack", stack), ("blinds", blinds)):
        if text is None:
            continue
        words = text.replace(",", " ").split()
        if not words or not all(word.isascii() and word.isdigit() and len(word) <= 12 for word in words):
            raise BadSetting(f"--{option} must be whole numbers, as in 50,100, not {text[:60]!r}")
        numbers = tuple(map(int, words))
        settings[option] = numbers[0] if len(numbers) == 1 and option == "stack" else numbers
    game = open_game(named_game(name, stack=in_blinds), **settings)
    with ProgressBar(f"counting {game.name}") as bar:
        size = measure_size(game, limit=most_nodes, on_progress=bar)
    write_results(size.as_dict, lambda screen: show_size(screen, size))
