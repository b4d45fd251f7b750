"""Solvers over classes of hands: exact programs against a whole one and published values, others against them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.combos import COMBO_CLASS, combo_name
from pokerlab.cards.preflop import fits, preflop_table
from pokerlab.registry import load
from pokerlab.solvers.classes import exact
from pokerlab.solvers.classes.exact import solve_classes
from pokerlab.solvers.classes.scheduled import FictitiousClasses, ScheduledClasses, measure_classes
from pokerlab.solvers.program.linear_program import minimise
from pokerlab.solvers.roles.exact import solve_roles
from pokerlab.solvers.roles.scheduled import ScheduledRoles
from pokerlab.tree.classes import class_form
from pokerlab.tree.roles import role_form
from published.push_fold import EQUILIBRIA


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
    paid = csr_matrix(kron(form.fixed, form.chance) + kron(form.won, form.edge)) / form.max_abs_payoff
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
    measure = measure_classes(form, solve_classes(form))
    assert measure.nash_conv <= 1e-9 * form.max_abs_payoff
    assert measure.values[0] == pytest.approx(whole_value(form), abs=1e-6 * form.max_abs_payoff)


def test_classes_lose_nothing():
    """Best responses that tell all 1,326 hands apart gain nothing against an equilibrium over classes."""
    form = class_form(load("games", "preflop-limit"))
    found = solve_classes(form)
    table, possible = preflop_table(), fits()
    chance = possible / possible.sum()
    whole = replace(
        form,
        hands=tuple(map(combo_name, range(1326))),
        chance=chance,
        edge=chance * (table.wins - table.wins.T) / table.boards,
    )
    measure = measure_classes(whole, (found[0][:, COMBO_CLASS], found[1][:, COMBO_CLASS]))
    assert measure.values[0] == pytest.approx(0.2189768360, abs=1e-9)
    assert measure.nash_conv == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["preflop-limit", "preflop-nolimit(stack=800)"])
def test_small_programs_of_larger_games(name):
    form = class_form(load("games", name))
    assert measure_classes(form, solve_classes(form)).values[0] == pytest.approx(
        whole_value(form), abs=1e-6 * form.max_abs_payoff
    )


def test_known_values():
    kuhn = class_form(load("games", "kuhn"))
    assert measure_classes(kuhn, solve_classes(kuhn)).values[0] == pytest.approx(-1 / 18, abs=1e-12)
    four = class_form(load("games", "one-card(cards=4)"))
    assert measure_classes(four, solve_classes(four)).values[0] == pytest.approx(-1 / 24, abs=1e-12)
    pushed = class_form(load("games", "push-fold(stack=9)"))
    assert measure_classes(pushed, solve_classes(pushed)).values[1] / 100 == pytest.approx(EQUILIBRIA[9][0], abs=5e-7)
    flop = load("games", "flop-poker(ante=1, bet=4)")
    value = measure_classes(class_form(flop), solve_classes(class_form(flop))).values[0]
    assert value == pytest.approx(solve_roles(role_form(flop)).value, abs=1e-9)


def test_one_raise_of_limit_is_push_or_fold():
    """With one raise nobody limps for more: two big blinds are at stake at most, as with a stack of two."""
    form = class_form(load("games", "preflop-limit(raises=1)"))
    assert measure_classes(form, solve_classes(form)).values[1] / 10 == pytest.approx(EQUILIBRIA[2][0], abs=5e-7)


def test_programs_grow_from_a_poor_start(monkeypatch):
    """Without any warm-up to speak of, best responses add what is missing."""
    monkeypatch.setattr(exact, "WARM_UP", 1)
    monkeypatch.setattr(exact, "TAKEN", 0.6)
    form = class_form(load("games", "preflop-limit(raises=2)"))
    measure = measure_classes(form, solve_classes(form))
    assert measure.nash_conv <= 1e-9 * form.max_abs_payoff
    assert measure.values[0] / 10 == pytest.approx(0.0249623554, abs=1e-9)


@pytest.mark.parametrize("spec", ["cfr", "cfr+", "dcfr", "pcfr+", "linear-cfr(alternating=False)"])
def test_steps_are_those_of_the_roles_form(spec):
    game, schedule = load("games", "flop-poker"), load("algorithms", spec).schedule
    form, roles = class_form(game), role_form(game)
    one, other = ScheduledClasses(form, schedule), ScheduledRoles(roles, schedule)
    one.advance(30)
    other.advance(30)
    for player in (0, 1):
        assert one.behaviours()[player][2] == pytest.approx(other.average(player), abs=1e-9)


@pytest.mark.parametrize(
    "make",
    [
        lambda form: ScheduledClasses(form, load("algorithms", "cfr+").schedule),
        lambda form: FictitiousClasses(form, alternating=True),
        lambda form: FictitiousClasses(form, alternating=False),
    ],
)
def test_others_come_near(make):
    form = class_form(load("games", "preflop-limit"))
    solver = make(form)
    solver.advance(40)
    early = solver.measure().exploitability
    solver.advance(260)
    late = solver.measure()
    assert late.bounds[0] - 1e-9 <= 0.2189768360 <= late.bounds[1] + 1e-9  # to the big blind, in chips of ten
    assert late.exploitability < early / 3
