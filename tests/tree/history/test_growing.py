"""Games that cannot be built as trees."""

from __future__ import annotations

import pytest

from pokerlab.errors import BadGame
from pokerlab.tree.history.layout import build


def test_an_infoset_with_different_actions_is_refused():
    class Contradicting:
        """Two moves, then a choice whose names depend on a move that its player does not see."""

        name, players = "contradicting", 2

        def root(self):
            return ()

        def player(self, state):
            return (0, 1, -2)[len(state)]

        def actions(self, state):
            return ["a", "b"] if not state else [f"{state[0]}1", f"{state[0]}2"]

        def child(self, state, action):
            return (*state, action)

        def returns(self, state):
            return 1.0, -1.0

        def infoset(self, state, player):
            return "x"

    with pytest.raises(BadGame, match="must have the same choices"):
        build(Contradicting())
