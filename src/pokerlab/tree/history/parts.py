"""Building a large tree with several processes: each takes states some moves below the root and grows their subtrees.

The parts are grafted in the order in which a single process would reach them, so the tree is identical, number for
number. Querying the game is the expensive part; grafting is a few array copies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from pokerlab import parallel
from pokerlab.games.game import CHANCE, TERMINAL, Game
from pokerlab.tree.history.growing import Growing, Growth

PARTS = 16  # per worker, so that none waits long for the last ones
DEEPEST = 12  # moves searched for enough states


def grow_in_parts(growing: Growing, *, workers: int) -> Iterator[int]:
    """Grow a tree with the help of other processes; periodically yields the number of nodes."""
    cut, states = _cut(growing.game, PARTS * workers)
    grafts = parallel.run(partial(_grow_from, growing.game), states, backend="processes", workers=workers)
    return growing.grow(cut=cut, grafts=grafts)


def _grow_from(game: Game, state: Any) -> Growth:
    growing = Growing(game)
    for _ in growing.grow(state):
        pass
    return growing.growth()


def _cut(game: Game, wanted: int) -> tuple[int, list[Any]]:
    """The depth at which there are as many states as needed, and those states in depth-first order."""
    layer: list[Any] = [game.root()]
    cut = 0
    while len(layer) < wanted and cut < DEEPEST:
        layer = [child for state in layer for child in _children(game, state)]
        cut += 1
    return cut, layer


def _children(game: Game, state: Any) -> list[Any]:
    actor = game.player(state)
    if actor == TERMINAL:
        return []
    moves = [move for move, _ in game.outcomes(state)] if actor == CHANCE else game.actions(state)
    return [game.child(state, move) for move in moves]
