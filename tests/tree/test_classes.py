"""Games over classes of hands: against the roles form, against plain sums over the rules, and who has the form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.registry import load
from pokerlab.tree.classes import class_form, why_not
from pokerlab.tree.roles import role_form

PREFLOP = [
    "preflop-limit",
    "preflop-limit(raises=1, blinds=(2, 6), bet=4)",
    "preflop-nolimit(stack=(900, 700), ante=7)",
]


def random_behaviours(form, seed):
    rng = np.random.default_rng(seed)
    return [form.behaviour(player, rng.random((form.own[player].sequences, len(form.hands)))) for player in (0, 1)]


@pytest.mark.parametrize(
    "name", ["push-fold(stack=(8, 5), ante=0.1)", "flop-poker(ante=3, bet=7)", "von-neumann(cards=9)"]
)
def test_values_are_those_of_the_roles_form(name):
    game = load("games", name)
    form, roles = class_form(game), role_form(game)
    rng = np.random.default_rng(4)
    acts = [rng.random(len(form.hands)) for _ in (0, 1)]  # by role
    behaviours = []
    for player in (0, 1):
        own = acts[roles.role_of(player)]
        behaviours.append(np.stack([np.ones(len(own)), 1 - own, own]))
    plans = [form.plan(player, behaviours[player]) for player in (0, 1)]
    assert form.value(*plans) == pytest.approx(roles.by_seat(roles.value(*acts), -roles.value(*acts))[0])
    for player in (0, 1):
        role = roles.role_of(player)
        best, choice = form.best_response(player, form.values(player, plans[1 - player]))
        gains = roles.counterfactual(role, acts[1 - role])
        assert best.sum() == pytest.approx(gains.max(0).sum() * roles.chips)
        answered = form.plan(player, choice)
        both = (answered, plans[1]) if player == 0 else (plans[0], answered)
        assert form.value(*both) * (1 if player == 0 else -1) == pytest.approx(best.sum())


@given(st.integers(0, 10**6), st.sampled_from(["kuhn", "one-card(cards=5, ante=3, bet=2)", "one-card(cards=4)"]))
@settings(max_examples=12, deadline=None)
def test_value_is_what_the_rules_pay(seed, name):
    """Against a walk through every state of the rule engine."""
    game = load("games", name)
    form = class_form(game)
    behaviours = random_behaviours(form, seed)

    def value(state, node, hands):
        player = game.player(state)
        if player == TERMINAL:
            return game.returns(state)[0]
        if player == CHANCE:
            return sum(chance * value(game.child(state, way), node, way) for way, chance in game.outcomes(state))
        seat, number = form.places[node]
        assert seat == player
        part = form.own[seat].of(number)
        total = 0.0
        for place, action in enumerate(game.actions(state)):
            share = behaviours[seat][part.start + place, hands[seat]]
            total += share * value(game.child(state, action), node.children[place], hands)
        return total

    plans = [form.plan(player, behaviours[player]) for player in (0, 1)]

    def dealt(state, cards):
        if game.player(state) == CHANCE:
            return sum(chance * dealt(game.child(state, way), (*cards, way)) for way, chance in game.outcomes(state))
        flat = tuple(card for way in cards for card in (way if isinstance(way, tuple) else (way,)))
        return value(state, form.betting, flat)

    assert dealt(game.root(), ()) == pytest.approx(form.value(*plans))


@pytest.mark.parametrize("name", PREFLOP)
def test_plans_and_values(name):
    """A behaviour comes back from its plan, values of both players sum to zero, and no answer beats the best."""
    form = class_form(load("games", name))
    behaviours = random_behaviours(form, 7)
    plans = [form.plan(player, behaviours[player]) for player in (0, 1)]
    for player in (0, 1):
        assert form.behaviour(player, plans[player]) == pytest.approx(behaviours[player])
        values = form.values(player, plans[1 - player])
        later = form.with_later(player, values, behaviours[player])
        value = form.value(*plans) * (1 if player == 0 else -1)
        assert later[0].sum() == pytest.approx(value, abs=1e-12 * form.max_abs_payoff)
        best, _ = form.best_response(player, values)
        assert (best >= later[0] - 1e-12).all()
    assert form.chance.sum() == pytest.approx(1)
    assert form.edge == pytest.approx(-form.edge.T, abs=1e-15)


def test_rows_of_products_are_whole():
    """More sequences than are multiplied at a time, and not a multiple of them."""
    form = class_form(load("games", "preflop-nolimit(menu='2.5x,3x,allin')"))
    assert form.own[0].sequences % 8
    plan = form.plan(1, random_behaviours(form, 3)[1])
    direct = form.fixed.toarray() @ plan @ form.chance.T + form.won.toarray() @ plan @ form.edge.T
    assert form.values(0, plan) == pytest.approx(direct)


def test_who_has_the_form():
    for name in ("leduc", "holdem-limit", "kuhn(players=3)", "five-card-draw", "goofspiel", "short-deck"):
        assert "no classes form" in why_not(load("games", name))
    assert "too large" in why_not(load("games", "preflop-nolimit(menu='', stack=100000)"))
    odd = Rules(
        players=2,
        rounds=(Round(private=2, public=1, bet=2), Round(public=4, betting=False)),
        limit="fixed",
        antes=(1, 1),
        odd_chips="split",
    )
    assert "public cards come before" in why_not(PokerGame(odd, "odd"))
    alone = load("games", "push-fold(stack=1)")
    assert "both decide" in why_not(alone)
