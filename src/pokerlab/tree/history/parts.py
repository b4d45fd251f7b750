"""A large tree laid out by several processes: each takes states some moves below the root and grows what follows.

The parts are grafted in the order in which one process would have come to them, so that the tree is the same, number
for number. What costs is asking the game; putting a part in its place is a few copies of arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from pokerlab import parallel
from pokerlab.games.game import CHANCE, TERMINAL, Game
from pokerlab.tree.history.growing import Growing, Growth

PARTS = 16  # for each worker, so that none waits long for the last ones
DEEPEST = 12  # moves that are looked ahead for so many


def grow_in_parts(growing: Growing, *, workers: int) -> Iterator[int]:
    """Grow a tree with the help of other processes; yields the number of nodes now and then."""
    cut, states = _cut(growing.game, PARTS * workers)
    grafts = parallel.run(partial(_grow_from, growing.game), states, backend="processes", workers=workers)
    return growing.grow(cut=cut, grafts=grafts)


def _grow_from(game: Game, state: Any) -> Growth:
    growing = Growing(game)
    for _ in growing.grow(state):
        pass
    return growing.growth()


def _cut(game: Game, wanted: int) -> tuple[int, list[Any]]:
    """How many moves down there are as many states as are wanted, and the states there, in the order of a walk."""
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
