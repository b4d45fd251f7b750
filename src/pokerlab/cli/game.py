"""`pokerlab game`: facts about a game, and a drawing of its tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli._options import MostNodes, OptionalGame, option
from pokerlab.cli._output import check_writable, list_available, write_results


def command(
    name: OptionalGame = None,
    draw: Annotated[Path | None, option("Draw the tree of a small game to this SVG file.")] = None,
    write: Annotated[
        Path | None, option("Write the game to this .efg file, or its normal form to this .nfg file.")
    ] = None,
    most_nodes: MostNodes = 1_000_000,
) -> None:
    """Describe a game: nodes, infosets, sequences, strategies, recall; draw or export it. Without a name, list games.

    For a game too large to traverse, shows what can be counted without building the tree.

    pokerlab game "goofspiel(cards=3)" --draw goofspiel.svg
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.elements.numbers import game_title
    from pokerlab.display.games.game import show_game
    from pokerlab.display.games.tree_drawing import write_tree
    from pokerlab.errors import BadFile
    from pokerlab.formats.opening import open_game
    from pokerlab.lab.analyse.describing import count, too_large, walk, write_game

    if name is None:
        list_available("games")
        return
    game = open_game(name)
    if draw is not None:
        if draw.suffix.lower() != ".svg":
            raise BadFile(f"trees are drawn as SVG; {str(draw)[:60]!r} does not end in .svg")
        check_writable(draw, "write the tree")
        write_tree(game, draw)
    size = too_large(game, most_nodes)
    if write is not None:
        write_game(game, write, limit=most_nodes, size=size)
    facts: Any
    if size is None:
        with ProgressBar(f"visiting {game_title(game.name)}") as bar:
            facts = walk(game, limit=most_nodes, on_progress=bar)
    else:
        facts = count(game, size)
    write_results(
        facts.as_dict,
        lambda screen: show_game(screen, facts, limit=most_nodes),
        drawing=(draw, None),
        out=(write, None),
    )
