"""Equilibrium values of the games of this library, by linear programming: published, by symmetry, or by hand."""

from __future__ import annotations

import io

import numpy as np
import pytest

from pokerlab.formats.gambit_writing import efg_text
from pokerlab.formats.opening import open_game
from pokerlab.solvers.library.lp import algorithm as lp
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


def solved(name):
    """The sequence form, an equilibrium profile, and the value to player 0."""
    form = sequence_form(build(open_game(name)))
    solver = lp().start(form)
    solver.advance(1)
    found = solver.measure()
    assert found.exploitability == pytest.approx(0, abs=1e-9)
    return form, solver.profile(), found.values[0]


@pytest.mark.parametrize(
    "name",
    [
        "rock-paper-scissors",
        "rps-lizard-spock",
        "matching-pennies",
        "goofspiel(cards=3)",
        "goofspiel(cards=4)",
        "goofspiel(cards=3, points=random)",
        "goofspiel(cards=3, hidden=false, score=point_difference)",
    ],
)
def test_symmetric_games_are_worth_nothing(name):
    assert solved(name)[2] == pytest.approx(0, abs=1e-9)


def test_the_ace_beats_the_king() -> None:
    game = open_game("ace-king(stake=3, bet=2)")
    for play, won in ((("bet", "call"), 5), (("check", "check"), 3), (("bet", "fold"), 3)):
        assert game.returns(("A", "K", *play)) == (won, -won)
    assert game.returns(("K", "A", "bet", "call")) == (-5, 5)
    assert game.returns(("K", "K", "bet", "call")) == (0, 0)


# M. Schmid's thesis and exact linear programs: rows, columns -> P(A) where it is unique, the value in that game, what
# that strategy guarantees in the full game
PATHOLOGY = {
    ("AB", "abcd"): (1 / 9, 16 / 3, 16 / 3),
    ("AB", "ab"): (None, 7, None),
    ("AB", "abc"): (5 / 11, 70 / 11, 36 / 11),
    ("B", "c"): (0, 5, 5),
    ("AB", "c"): (1, 8, 0),
}


@pytest.mark.parametrize(("rows", "columns"), list(PATHOLOGY))
def test_a_finer_abstraction_can_be_worse(rows, columns):
    chance_of_a, value, guarantee = PATHOLOGY[rows, columns]
    form, profile, found = solved(f"abstraction-pathology(rows={rows}, columns={columns})")
    assert found == pytest.approx(value)
    mine = dict(zip(form.tree.action_names[0], profile, strict=False))
    if chance_of_a is not None:
        assert mine.get("A", 0) == pytest.approx(chance_of_a, abs=1e-9)
        full = sequence_form(build(open_game("abstraction-pathology")))
        in_full = np.r_[mine.get("A", 0), mine.get("B", 0), np.full(4, 0.25)]
        assert -full.best_response(in_full, player=1).value == pytest.approx(guarantee, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ace-king", 0),
        ("liars-dice(sides=2)", 1 / 2),
        ("latent-tictactoe(rows=2, columns=2, line=2)", 1 / 2),
        ("princess-and-monster(rows=2, columns=2, steps=3)", None),
    ],
)
def test_values_are_those_of_an_exact_solver(name, value):
    """pygambit solves the file that we write, in fractions."""
    pygambit = pytest.importorskip("pygambit")
    exact = pygambit.nash.lp_solve(pygambit.read_efg(io.StringIO(efg_text(open_game(name)))), rational=True)
    theirs = float(exact.equilibrium.payoffs["Player 1"])
    assert solved(name)[2] == pytest.approx(theirs, abs=1e-9)
    assert value is None or theirs == pytest.approx(value)


def test_small_pursuits_by_hand():
    """Two cells: the princess must step onto the monster at once. Three in a row, one step: it depends on the start."""
    assert solved("princess-and-monster(rows=1, columns=2, steps=5)")[2] == pytest.approx(0)
    # one step, princess moves: from an end she must go to the middle, where the monster is half the time; from the
    # middle she goes to an end and meets the monster there half the time
    assert solved("princess-and-monster(rows=1, columns=3, steps=1)")[2] == pytest.approx(1 / 2)


def test_longer_pursuits_pay_more():
    values = [solved(f"princess-and-monster(rows=2, columns=2, steps={steps})")[2] for steps in (1, 2, 3, 4)]
    assert values == sorted(values)
    assert values[0] < values[-1]
