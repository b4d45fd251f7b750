"""Sampled regret matching: against its plain twin, against exact values, cut and resumed."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from naive import genetic as naive
from naive.one_decision import flop_poker, push_fold, von_neumann
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.solvers.preflop.classes.sampled import SampledRegret


@pytest.mark.uncompiled
@given(st.integers(0, 10**6), st.sampled_from(["numbers", "without", "flop", "push"]))
@example(200, "flop")  # both acts of a hand pay the same but for rounding
@settings(max_examples=12, deadline=None)
def test_matches_the_plain_twin(seed, kind):
    games = {
        "numbers": lambda: von_neumann(cards=5, ante=1, bet=2),
        "without": lambda: von_neumann(cards=5, ante=8, bet=1, replacement=False),
        "flop": lambda: flop_poker(ante=1, bet=4),
        "push": lambda: push_fold(stack=3),
    }
    form = games[kind]()
    solver = SampledRegret(form, seed=seed)
    counter = int(solver.counter[0])
    with np.errstate(over="ignore"):
        solver.advance(120)
    expected = naive.learn(form, counter=counter, rounds=120)
    for role in (0, 1):
        assert solver.average(role) == pytest.approx(expected[role], abs=1e-9)


@pytest.mark.parametrize("make", [von_neumann, flop_poker])
def test_cut_and_resumed(make):
    whole, part = SampledRegret(make(), seed=1), SampledRegret(make(), seed=1)
    whole.advance(700)
    part.advance(300)
    resumed = SampledRegret(make(), seed=9)
    resumed.restore(part.arrays())
    resumed.advance(400)
    for name, array in whole.arrays().items():
        assert array.tolist() == resumed.arrays()[name].tolist(), name


@pytest.mark.parametrize(("game", "rounds", "close"), [(von_neumann, 20_000_000, 4e-3), (flop_poker, 5_000_000, 2e-2)])
def test_approaches_the_exact_value(game, rounds, close):
    solver = SampledRegret(game(), seed=2)
    solver.advance(rounds // 100)
    early = solver.measure().exploitability
    solver.advance(rounds - rounds // 100)
    measure = solver.measure()
    low, high = measure.bounds
    assert low - 1e-12 <= solve_one_decision(game().one_decision).value <= high + 1e-12
    assert measure.exploitability < min(close, early / 3)
