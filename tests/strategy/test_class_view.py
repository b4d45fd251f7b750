"""Places of games over classes of hands: what hands are worth, how likely they are, and that policies agree."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.preflop import preflop_table
from pokerlab.errors import IllegalAction, UnknownName
from pokerlab.games.poker.public_node import start_of
from pokerlab.lab.solve.solving import solve
from pokerlab.registry import load
from pokerlab.strategy.forms.kinds import profile_in
from pokerlab.strategy.policy import table_of
from pokerlab.tree.form import build_form

GAME = "preflop-nolimit(stack=(900, 600), ante=5, menu='3x,allin')"


@pytest.fixture(scope="module")
def solution():
    return solve(GAME, algorithm="cfr+", iterations=40)


def test_the_start(solution):
    root = solution.root
    assert root.seats == ("big blind", "small blind")
    assert (root.player, root.pot) == (1, 160)
    win, tie = preflop_table().against_random()
    for player in (0, 1):
        assert root.likelihood(player).sum() == pytest.approx(1)
        assert root.likelihood(player) == pytest.approx(np.full(1326, 1 / 1326))
        put = (105, 55)[player]
        assert root.ev(player) == pytest.approx(solution.measure.values[player] + put)
        assert root.equity(player, "AA") == pytest.approx(win[0] + tie[0] / 2)
    assert sum(root.equity(player) for player in (0, 1)) == pytest.approx(1)


@pytest.mark.parametrize("moves", [(), ("c",), ("r305",), ("r305", "r900")])
def test_values_add_up(solution, moves):
    """What both expect is the pot; EV is the mean of actions; folding is worth nothing."""
    view = solution.at(*moves)
    assert sum(view.ev(player) for player in (0, 1)) == pytest.approx(view.pot)
    assert view.values(view.player) == pytest.approx((view.action_values * view.frequencies).sum(1))
    if "f" in view.actions:
        assert view.action_values[:, 0] == pytest.approx(np.zeros(1326), abs=1e-9)
    children = [view.at(action) for action in view.actions]
    other = 1 - view.player
    shares = view.strategy()
    assert sum(
        share * (child.ev(other) - child.node.put[other] + view.node.put[other])
        for share, child in zip(shares.values(), children, strict=True)
    ) == pytest.approx(view.ev(other))
    assert list(view.action_ev("AKs")) == list(view.actions)


def test_an_end(solution):
    over = solution.at("r305", "c")
    assert over.is_over
    with pytest.raises(IllegalAction):
        over.strategy()
    with pytest.raises(IllegalAction):
        over.at("c")
    assert over.values(0) == pytest.approx(over.pot * over.equities(0))


def test_a_policy_of_the_rules(solution):
    game = load("games", GAME)
    place = start_of(game).after("c")
    table, asked = solution.strategy.table(place), table_of(solution.strategy, place)
    assert list(table.hands) == list(asked.hands)
    assert table.probability == pytest.approx(asked.probability)
    other = load("games", "preflop-nolimit(stack=(900, 600), ante=5, menu='4x,allin')")
    with pytest.raises(UnknownName, match="does not know the betting"):
        solution.strategy.table(start_of(other).after("r405"))


@pytest.mark.parametrize("name", ["kuhn", "one-card(cards=4)"])
def test_a_policy_of_another_form_is_worth_the_same(name):
    found, game = solve(name, form="sequence", iterations=20), load("games", name)
    profile = profile_in(found.strategy, game, build_form(game, "classes"))
    assert build_form(game, "classes").measure(profile).values == pytest.approx(found.measure.values)
