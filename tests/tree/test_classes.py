"""Games over classes of hands: against games of one decision each, against the rules, and who has the form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.registry import load
from pokerlab.tree.class_betting import EMPTY
from pokerlab.tree.classes import ClassForm, class_form, why_not

PREFLOP = [
    "preflop-limit",
    "preflop-limit(raises=1, blinds=(2, 6), bet=4)",
    "preflop-nolimit(stack=(900, 700), ante=7)",
]


def random_behaviours(form, seed):
    rng = np.random.default_rng(seed)
    return [own.behaviour(rng.random((own.sequences, len(form.hands)))) for own in form.own]


def value_of(form: ClassForm, first: np.ndarray, second: np.ndarray) -> float:
    """The value to player 0 of both plans, in chips."""
    return float((first * form.values(0, second)).sum())


@pytest.mark.parametrize(
    "name", ["push-fold(stack=(8, 5), ante=0.1)", "flop-poker(ante=3, bet=7)", "von-neumann(cards=9)"]
)
def test_values_are_those_of_one_decision(name):
    form = class_form(load("games", name))
    game = form.one_decision
    rng = np.random.default_rng(4)
    acts = rng.random((2, len(form.hands)))
    behaviours = form.behaviours_of((acts[0], acts[1]))
    assert [act.tolist() for act in form.acts_of(behaviours)] == acts.tolist()
    plans = [own.plan(behaviour) for own, behaviour in zip(form.own, behaviours, strict=True)]
    sign = 1 if form.order == (0, 1) else -1
    assert value_of(form, *plans) == pytest.approx(sign * game.value(*acts) * form.chips)
    for role, player in enumerate(form.order):
        totals, choice = form.own[player].best_values(form.values(player, plans[1 - player]))
        best = totals[EMPTY].sum()
        assert best == pytest.approx(game.counterfactual(role, acts[1 - role]).max(0).sum() * form.chips)
        response = form.own[player].plan(choice)
        both = (response, plans[1]) if player == 0 else (plans[0], response)
        assert value_of(form, *both) * (1 if player == 0 else -1) == pytest.approx(best)


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
        seat, number = form.decision_numbers[node]
        assert seat == player
        part = form.own[seat].of(number)
        total = 0.0
        for place, action in enumerate(game.actions(state)):
            share = behaviours[seat][part.start + place, hands[seat]]
            total += share * value(game.child(state, action), node.children[place], hands)
        return total

    plans = [own.plan(behaviour) for own, behaviour in zip(form.own, behaviours, strict=True)]

    def dealt(state, cards):
        if game.player(state) == CHANCE:
            return sum(chance * dealt(game.child(state, way), (*cards, way)) for way, chance in game.outcomes(state))
        flat = tuple(card for way in cards for card in (way if isinstance(way, tuple) else (way,)))
        return value(state, form.betting, flat)

    assert dealt(game.root(), ()) == pytest.approx(value_of(form, *plans))


@pytest.mark.parametrize("name", PREFLOP)
def test_plans_and_values(name):
    """A behaviour comes back from its plan, values of both players sum to zero, and no answer beats the best."""
    form = class_form(load("games", name))
    behaviours = random_behaviours(form, 7)
    plans = [own.plan(behaviour) for own, behaviour in zip(form.own, behaviours, strict=True)]
    for player in (0, 1):
        assert form.own[player].behaviour(plans[player]) == pytest.approx(behaviours[player])
        values = form.values(player, plans[1 - player])
        value = value_of(form, *plans) * (1 if player == 0 else -1)
        assert (plans[player] * values).sum() == pytest.approx(value, abs=1e-12 * form.max_abs_payoff)
        totals, choice = form.own[player].best_values(form.values(player, plans[1 - player]))
        best = totals[EMPTY].sum()
        assert best >= value - 1e-12
        assert (form.own[player].plan(choice) * values).sum() == pytest.approx(best)
    assert form.chance.sum() == pytest.approx(1)
    assert form.net_win == pytest.approx(-form.net_win.T, abs=1e-15)


def test_rows_of_products_are_whole():
    """More sequences than are multiplied at a time, and not a multiple of them."""
    form = class_form(load("games", "preflop-nolimit(menu='2.5x,3x,allin')"))
    assert form.own[0].sequences % 8
    plan = form.own[1].plan(random_behaviours(form, 3)[1])
    direct = form.fixed.toarray() @ plan @ form.chance.T + form.contested.toarray() @ plan @ form.net_win.T
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
    assert not why_not(load("games", "push-fold(stack=1)"))  # the big blind is all-in, the small blind decides
    assert "nobody decides" in why_not(load("games", "push-fold(stack=0.5)"))
