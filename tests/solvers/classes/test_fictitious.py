"""Fictitious play on games of one decision each: against its plain twin, against exact values, cut and resumed."""

from dataclasses import replace

import numpy as np
import pytest

from naive import one_decision as naive
from naive.one_decision import flop_poker, push_fold, von_neumann
from pokerlab.solvers.library.fictitious_play import algorithm
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("cards", [6, 7])
def test_matches_the_plain_twin(cards, alternating):
    """With uneven chances of the hands, so that no two decisions are equally good."""
    chance = np.random.default_rng(cards).random((cards, cards))
    form = replace(von_neumann(cards=cards, ante=1.37, bet=0.83), chance=chance / chance.sum())
    solver = algorithm(alternating=alternating).start(form)
    solver.advance(25)
    expected = naive.fictitious(form.one_decision, 25, alternating=alternating)
    for acts, twin in zip(strategy_of(form, solver.strategy_arrays(), StrategyNames()).acts, expected, strict=True):
        assert acts == pytest.approx(np.array(twin), abs=1e-12)


@pytest.mark.parametrize("make", [von_neumann, flop_poker, push_fold])
def test_comes_near_the_value(make):
    form = make()
    solver = algorithm(alternating=True).start(form)
    solver.advance(100)
    early = solver.measure()
    solver.advance(900)
    late = solver.measure()
    low, high = sorted(np.array(late.bounds) * (1 if form.order == (0, 1) else -1) / form.chips)
    assert low - 1e-12 <= solve_one_decision(form.one_decision).value <= high + 1e-12
    assert late.exploitability < early.exploitability / 4


def test_cut_and_resumed():
    whole, part = (algorithm(alternating=True).start(push_fold(stack=7)) for _ in range(2))
    whole.advance(70)
    part.advance(30)
    resumed = algorithm(alternating=True).start(push_fold(stack=7))
    resumed.restore(part.arrays())
    resumed.advance(40)
    for name, array in whole.arrays().items():
        assert array.tolist() == resumed.arrays()[name].tolist(), name
