"""Fictitious play on two roles: against its plain twin, against exact values, cut and resumed."""

import numpy as np
import pytest

from naive import roles as naive
from naive.roles import flop_poker, push_fold, von_neumann
from pokerlab.solvers.roles.exact import solve_roles
from pokerlab.solvers.roles.fictitious import FictitiousRoles


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("make", [lambda: von_neumann(cards=5, ante=8, bet=1), lambda: von_neumann(cards=7)])
def test_matches_the_plain_twin(make, alternating):
    form = make()
    solver = FictitiousRoles(form, alternating=alternating)
    solver.advance(25)
    expected = naive.fictitious(form, 25, alternating=alternating)
    for role in (0, 1):
        assert solver.averages[role] == pytest.approx(np.array(expected[role]), abs=1e-12)


@pytest.mark.parametrize("make", [von_neumann, flop_poker, push_fold])
def test_comes_near_the_value(make):
    form = make()
    solver = FictitiousRoles(form, alternating=True)
    solver.advance(100)
    early = solver.measure()
    solver.advance(900)
    late = solver.measure()
    low, high = sorted(np.array(late.bounds) * (1 if form.seats == (0, 1) else -1) / form.chips)
    assert low - 1e-12 <= solve_roles(form).value <= high + 1e-12
    assert late.exploitability < early.exploitability / 4


def test_cut_and_resumed():
    whole, part = (FictitiousRoles(push_fold(stack=7), alternating=True) for _ in range(2))
    whole.advance(70)
    part.advance(30)
    resumed = FictitiousRoles(push_fold(stack=7), alternating=True)
    resumed.restore(part.arrays())
    resumed.advance(40)
    for name, array in whole.arrays().items():
        assert array.tolist() == resumed.arrays()[name].tolist(), name
