"""Solvers over classes of hands: exact programs against a whole one and published values, others against them."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.combos import COMBO_CLASS
from pokerlab.registry import load
from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.solvers.preflop.classes import exact
from pokerlab.solvers.preflop.classes.exact import solve_classes
from pokerlab.tree.classes import ClassForm, class_form
from published.push_fold import EQUILIBRIA


def measured(form):
    """The measure of the exact solution."""
    return form.measure(form.profile_of(solve_classes(form)))


def whole_value(form) -> float:
    """The value to player 0 by one program over all sequences of all hands."""
    from scipy.sparse import csr_matrix, hstack, identity, kron, lil_matrix, vstack

    hands = len(form.hands)

    def rows(player):
        own = form.own[player]
        made = lil_matrix((1 + len(own.nodes), own.sequences))
        made[0, 0] = 1
        for node, parent in enumerate(own.parent.tolist()):
            made[1 + node, parent] -= 1
            made[1 + node, own.of(node)] = 1
        return csr_matrix(kron(made, identity(hands)))

    mine, theirs = rows(0), rows(1)
    paid = csr_matrix(kron(form.fixed, form.chance) + kron(form.contested, form.net_win)) / form.max_abs_payoff
    none = csr_matrix((mine.shape[0], theirs.shape[0]))
    whole = csr_matrix(vstack([hstack([mine, none]), hstack([-paid.T, theirs.T])]))
    start = np.zeros(mine.shape[0])
    start[:hands] = 1
    cost = np.concatenate([np.zeros(mine.shape[1]), -np.ones(hands), np.zeros(theirs.shape[0] - hands)])
    found = minimise(
        cost,
        whole,
        row_bounds=(
            np.concatenate([start, np.full(theirs.shape[1], -np.inf)]),
            np.concatenate([start, np.zeros(theirs.shape[1])]),
        ),
        column_bounds=(
            np.concatenate([np.zeros(mine.shape[1]), np.full(theirs.shape[0], -np.inf)]),
            np.full(len(cost), np.inf),
        ),
        method="ipm",
    )
    return float(-(cost @ found.point)) * form.max_abs_payoff


@pytest.mark.parametrize(
    "name", ["kuhn", "one-card(cards=6, ante=2, bet=3)", "preflop-limit(raises=1, blinds=(1, 3), bet=2)"]
)
def test_small_programs_have_the_value_of_the_whole_one(name):
    form = class_form(load("games", name))
    measure = measured(form)
    assert measure.nash_conv <= 1e-9 * form.max_abs_payoff
    assert measure.values[0] == pytest.approx(whole_value(form), abs=1e-6 * form.max_abs_payoff)


def test_classes_lose_nothing():
    """Best responses that tell all 1,326 hands apart gain nothing against an equilibrium over classes."""
    form = class_form(load("games", "preflop-limit"))
    found = solve_classes(form)
    whole = form.by_combos()
    measure = whole.measure(whole.profile_of((found[0][:, COMBO_CLASS], found[1][:, COMBO_CLASS])))
    assert measure.values[0] == pytest.approx(0.2189768360, abs=1e-9)
    assert measure.nash_conv == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["preflop-limit", "preflop-nolimit(stack=800)"])
def test_small_programs_of_larger_games(name):
    form = class_form(load("games", name))
    assert measured(form).values[0] == pytest.approx(whole_value(form), abs=1e-6 * form.max_abs_payoff)


def test_known_values():
    kuhn = class_form(load("games", "kuhn"))
    assert measured(kuhn).values[0] == pytest.approx(-1 / 18, abs=1e-12)
    four = class_form(load("games", "one-card(cards=4)"))
    assert measured(four).values[0] == pytest.approx(-1 / 24, abs=1e-12)
    pushed = class_form(load("games", "push-fold(stack=9)"))
    assert measured(pushed).values[1] / 100 == pytest.approx(EQUILIBRIA[9][0], abs=5e-7)


@pytest.mark.parametrize(
    "name", ["flop-poker(ante=1, bet=4)", "push-fold(stack=(8, 5), ante=0.1)", "von-neumann(cards=9)"]
)
def test_grown_programs_have_the_value_of_the_small_one(name, monkeypatch):
    """Games of one decision each, solved as if they had more."""
    form = class_form(load("games", name))
    small = measured(form)
    monkeypatch.setattr(ClassForm, "decides_once", False)
    grown = measured(form)
    assert grown.values[0] == pytest.approx(small.values[0], abs=1e-9 * form.max_abs_payoff)
    assert max(small.nash_conv, grown.nash_conv) <= 1e-9 * form.max_abs_payoff


def test_one_raise_of_limit_is_push_or_fold():
    """With one raise nobody limps for more: two big blinds are at stake at most, as with a stack of two."""
    form = class_form(load("games", "preflop-limit(raises=1)"))
    assert measured(form).values[1] / 10 == pytest.approx(EQUILIBRIA[2][0], abs=5e-7)


def test_programs_grow_from_a_poor_start(monkeypatch):
    """Without any warm-up to speak of, best responses add what is missing."""
    monkeypatch.setattr(exact, "WARM_UP", 1)
    monkeypatch.setattr(exact, "TAKEN", 0.6)
    form = class_form(load("games", "preflop-limit(raises=2)"))
    measure = measured(form)
    assert measure.nash_conv <= 1e-9 * form.max_abs_payoff
    assert measure.values[0] / 10 == pytest.approx(0.0249623554, abs=1e-9)


@pytest.mark.parametrize("spec", ["cfr+", "fictitious-play", "fictitious-play(alternating=False)"])
def test_others_come_near(spec):
    solver = load("algorithms", spec).start(class_form(load("games", "preflop-limit")))
    solver.advance(40)
    early = solver.measure().exploitability
    solver.advance(260)
    late = solver.measure()
    assert late.bounds[0] - 1e-9 <= 0.2189768360 <= late.bounds[1] + 1e-9  # to the big blind, in chips of ten
    assert late.exploitability < early / 3
