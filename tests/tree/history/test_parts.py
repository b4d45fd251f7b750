"""A tree that several processes lay out is the tree that one lays out."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import BadGame
from pokerlab.events import Watch
from pokerlab.formats.opening import open_game
from pokerlab.tree.history import layout, parts
from pokerlab.tree.history.growing import Growing
from pokerlab.tree.history.layout import HistoryTree, build


def assert_same(one: HistoryTree, other: HistoryTree) -> None:
    for name, value in vars(one).items():
        if isinstance(value, np.ndarray):
            assert value.dtype == getattr(other, name).dtype, name
            assert np.array_equal(value, getattr(other, name)), name
        else:
            assert value == getattr(other, name), name


@pytest.mark.parametrize(
    "name",
    [
        "goofspiel(cards=4, play_last=true)",
        "goofspiel(cards=3, points=random, hidden=false)",
        "goofspiel(cards=3, players=3)",
        "princess-and-monster(steps=4)",
        "latent-tictactoe(rows=1, columns=4, line=3)",
        "kuhn(players=3)",  # ends at very different depths
        "liars-dice(sides=3)",
    ],
)
@pytest.mark.parametrize("wanted", [1, 7, 100])
def test_grafts_are_numbered_as_if_grown_in_place(name, wanted):
    game = open_game(name)
    cut, states = parts._cut(game, wanted)
    whole = Growing(game)
    for _ in whole.grow(cut=cut, grafts=(parts._grow_from(game, state) for state in states)):
        pass
    assert_same(layout._finished(whole), layout._finished(grown(game)))


def grown(game) -> Growing:
    growing = Growing(game)
    for _ in growing.grow():
        pass
    return growing


def test_processes_share_a_large_tree(monkeypatch):
    monkeypatch.setattr(layout, "_MANY", 1000)
    monkeypatch.setattr(layout, "_SURE_TO_FIT", 100)
    game = open_game("latent-tictactoe(rows=2, columns=3, line=3)")
    events = []
    tree = build(game, workers=2, watch=Watch(on_progress=events.append))
    assert_same(tree, build(game))
    assert len(events) > 2, "a part at a time"
    assert all(event.done <= event.total == tree.nodes for event in events)


def test_what_one_part_contradicts_in_another_is_told():
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

    game = Contradicting()
    cut, states = parts._cut(game, 2)
    assert cut == 1
    with pytest.raises(BadGame, match="must have the same choices"):
        for _ in Growing(game).grow(cut=cut, grafts=(parts._grow_from(game, state) for state in states)):
            pass
