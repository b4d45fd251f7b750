"""Sizes and uniform values of small poker games, counted by walking the engine's tree."""

from __future__ import annotations

import pytest

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.registry import load


def walk(game):
    """Nodes, terminals, infosets per player, and each player's value when everybody plays uniformly."""
    nodes = terminals = 0
    infosets = [set() for _ in range(game.players)]
    values = [0.0] * game.players
    todo = [(game.root(), 1.0)]
    while todo:
        state, reach = todo.pop()
        nodes += 1
        player = game.player(state)
        if player == TERMINAL:
            terminals += 1
            values = [value + reach * won for value, won in zip(values, game.returns(state), strict=True)]
        elif player == CHANCE:
            todo += [(game.child(state, outcome), reach * chance) for outcome, chance in game.outcomes(state)]
        else:
            infosets[player].add(game.infoset(state, player))
            actions = game.actions(state)
            todo += [(game.child(state, action), reach / len(actions)) for action in actions]
    return nodes, terminals, [len(found) for found in infosets], values


# values.md section 6: nodes with the chance root, terminals, infosets, value of uniform play to the first player
@pytest.mark.parametrize(
    ("spec", "nodes", "terminals", "infosets", "value"),
    [("kuhn", 55, 30, [6, 6], 0.125), ("leduc", 9451, 5520, [468, 468], -0.078125)],
)
def test_published_sizes(spec, nodes, terminals, infosets, value):
    found = walk(load("games", spec))
    assert found[:3] == (nodes, terminals, infosets)
    assert found[3] == pytest.approx([value, -value])
