"""Exact equilibria of two-role games against published values, and the CFR family against them."""

import numpy as np
import pytest

from pokerlab.games.two_roles import flop_poker, push_fold, von_neumann
from pokerlab.solve import cfr, cfr_plus, dcfr
from pokerlab.solve.solver import Stop, run
from pokerlab.solve.two_roles import (
    ProgrammedRoles,
    ScheduledRoles,
    admissible_second,
    loosest_second,
    measure_roles,
    solve_roles,
)
from published.goykhman import (
    DISCRETE_BETS,
    DISCRETE_VALUE,
    DISCRETE_VALUE_WITHOUT_REPLACEMENT,
    FLOP_FREQUENCIES,
    FLOP_MIXED,
    FLOP_VALUE,
)

AMOUNTS = [(1, 2), (1, 4), (8, 1)]


@pytest.mark.parametrize(("ante", "bet"), AMOUNTS)
@pytest.mark.parametrize("replacement", [True, False])
def test_von_neumann_values(ante, bet, replacement):
    game = von_neumann(ante=ante, bet=bet, replacement=replacement)
    solution = solve_roles(game)
    table = DISCRETE_VALUE if replacement else DISCRETE_VALUE_WITHOUT_REPLACEMENT
    assert solution.value == pytest.approx(table[ante, bet], abs=1e-8)
    assert measure_roles(game, solution.first, solution.second).exploitability == pytest.approx(0, abs=1e-9)
    if replacement:
        bluffs, value_bets = solution.first[:30].sum(), solution.first[30:].sum()
        assert (bluffs, value_bets) == pytest.approx(DISCRETE_BETS[ante, bet], abs=1e-4)


@pytest.mark.parametrize(("ante", "bet"), AMOUNTS)
def test_flop_poker_values(ante, bet):
    game = flop_poker(ante=ante, bet=bet)
    solution = solve_roles(game)
    assert solution.value == pytest.approx(FLOP_VALUE[ante, bet], abs=1e-8)
    assert game.frequencies(solution.first, solution.second) == pytest.approx(FLOP_FREQUENCIES[ante, bet], abs=1e-5)
    for strategy, published in zip((solution.first, solution.second), FLOP_MIXED[ante, bet], strict=True):
        mixed = {game.hands[0][i]: strategy[i] for i in range(169) if 1e-6 < strategy[i] < 1 - 1e-6}
        assert mixed == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize(("stack", "value"), [(2, 0.009549), (5, 0.056201), (9, -0.025227), (15, -0.127227)])
def test_push_fold_values(stack, value):
    assert solve_roles(push_fold(stack=stack)).value == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("ante", "bet"), AMOUNTS)
def test_admissible_dealer(ante, bet):
    """It is an equilibrium, and no equilibrium found otherwise does better against any single bet."""
    game = von_neumann(ante=ante, bet=bet)
    solution = solve_roles(game)
    best, worst = admissible_second(game, solution.value), loosest_second(game, solution.value)
    for dealer in (best, worst):
        assert measure_roles(game, solution.first, dealer).exploitability < 1e-8
    margins = [game.margins(solution.first, dealer)[0] for dealer in (best, solution.second, worst)]
    assert margins[0].sum() <= margins[1].sum() + 1e-6
    assert margins[1].sum() <= margins[2].sum() + 1e-6
    mixed = (best > 1e-6) & (best < 1 - 1e-6)
    assert mixed.sum() <= 1  # a threshold, as in the continuous game
    assert (np.diff(best) >= -1e-6).all()


@pytest.mark.parametrize("module", [cfr, cfr_plus, dcfr])
def test_scheduled_regret_finds_the_value(module):
    game = von_neumann(cards=30, ante=1, bet=2)
    solver = ScheduledRoles(game, module.algorithm().schedule)
    solver.advance(2000)
    measure = solver.measure()
    low, high = measure.bounds
    assert low - 1e-12 <= solve_roles(game).value <= high + 1e-12
    assert measure.exploitability < (2e-3 if module is cfr else 2e-5)


def test_scheduled_regret_cut_and_resumed():
    game = von_neumann(cards=12)
    schedule = dcfr.algorithm().schedule
    whole, part = ScheduledRoles(game, schedule), ScheduledRoles(game, schedule)
    run(whole, Stop(iterations=40))
    part.advance(13)
    resumed = ScheduledRoles(game, schedule)
    resumed.restore(part.arrays())
    resumed.advance(27)
    assert resumed.average(0).tolist() == whole.average(0).tolist()
    assert resumed.average(1).tolist() == whole.average(1).tolist()


def test_the_program_as_a_solver():
    game = von_neumann(cards=30)
    solver = ProgrammedRoles(game)
    assert solver.measure().exploitability > 0.01
    done = run(solver, Stop(iterations=100))
    assert (done.stopped, solver.iterations) == ("solved", 1)
    assert solver.measure().exploitability == pytest.approx(0, abs=1e-9)
    again = ProgrammedRoles(game)
    again.restore(solver.arrays())
    assert again.finished
    assert [answer.tolist() for answer in again.output] == [answer.tolist() for answer in solver.output]
