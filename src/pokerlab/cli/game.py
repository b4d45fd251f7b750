"""`pokerlab game`: what a game is like, and a picture of its tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import game_names
from pokerlab.cli._output import Json, check_writable, console, error_console, literal, print_json


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            help='The game: "leduc", "kuhn(players=3)", or a .efg, .nfg, .csv, .json, .game or .toml file; '
            "leave it out to list the games.",
            show_default=False,
            autocompletion=game_names,
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        typer.Option("--draw", help="Draw the tree of a small game into this SVG file.", show_default=False),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            "--write",
            help="Write the game to this .efg file, or its normal form to this .nfg file.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The most nodes to walk.")] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Tell what a game is like: nodes, infosets, sequences, strategies, recall; draw it or write it as a file.

    Of a game too large to walk: what is counted without walking.

    Example: [bold]pokerlab game "goofspiel(cards=3)" --draw goofspiel.svg[/bold]
    """
    if name is None:
        _list(as_json)
        return
    from pokerlab.display.games.game import show_game
    from pokerlab.formats.opening import open_game
    from pokerlab.lab.describing import count, too_large, write_game

    game = open_game(name)
    if draw is not None:
        _draw(game, draw)
    size = too_large(game, limit)
    if write is not None:
        write_game(game, write, limit=limit, size=size)
        error_console().print(f"written: {literal(write)}")
    found = _walk(game, limit) if size is None else count(game, size)
    if as_json:
        print_json(found.as_dict() | {"drawing": draw and str(draw), "out": write and str(write)})
    else:
        show_game(console(), found, limit=limit)


def _list(as_json: bool) -> None:
    from pokerlab.display.games.game import show_games
    from pokerlab.registry import available

    entries = available("games")
    if as_json:
        print_json({"games": [{"name": entry.name, "summary": entry.summary} for entry in entries]})
    else:
        show_games(console(), entries)


def _draw(game: Any, path: Path) -> None:
    from pokerlab.display.games.tree_drawing import write_tree
    from pokerlab.errors import BadFile

    if path.suffix.lower() != ".svg":
        raise BadFile(f"trees are drawn as SVG; {str(path)[:60]!r} does not end in .svg")
    check_writable(path, "write the tree")
    write_tree(game, path)
    error_console().print(f"drawn: {literal(path)}")


def _walk(game: Any, limit: int) -> Any:
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.lab.describing import walk

    with ProgressBar(f"walking {game.name}") as bar:
        return walk(game, limit=limit, on_progress=bar)
