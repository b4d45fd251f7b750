"""Exact equilibria of games of one decision each against published values, and the CFR family against them."""

from dataclasses import replace

import numpy as np
import pytest

from naive import one_decision as naive
from naive.one_decision import flop_poker, push_fold, von_neumann
from pokerlab.formats.opening import open_game
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.evolve.genetic import SECTION_6, GeneticSolver
from pokerlab.solvers.library import cfr, cfr_plus, dcfr, linear_cfr, pcfr_plus
from pokerlab.solvers.preflop.classes.exact import ProgrammedClasses
from pokerlab.solvers.preflop.classes.one_decision import admissible_second, loosest_second, solve_one_decision
from pokerlab.solvers.preflop.classes.sampled import SampledRegret
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.strategy.forms.sequence import named
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form
from published.goykhman import (
    DISCRETE_BETS,
    DISCRETE_VALUE,
    DISCRETE_VALUE_WITHOUT_REPLACEMENT,
    FLOP_FREQUENCIES,
    FLOP_MIXED,
    FLOP_VALUE,
)

AMOUNTS = [(1, 2), (1, 4), (8, 1)]


def measure_acts(form, first, second):
    return form.measure(form.profile_of(form.behaviours_of((first, second))))


def started(form, module, **settings):
    """A solver of the CFR family on the form."""
    return module.algorithm(**settings).start(form)


def average(solver):
    """How often each player acts on average."""
    form = solver.form
    named = strategy_of(form, solver.strategy_arrays(), StrategyNames())
    return named.acts


@pytest.mark.parametrize(("ante", "bet"), AMOUNTS)
@pytest.mark.parametrize("replacement", [True, False])
def test_von_neumann_values(ante, bet, replacement):
    form = von_neumann(ante=ante, bet=bet, replacement=replacement)
    solution = solve_one_decision(form.one_decision)
    table = DISCRETE_VALUE if replacement else DISCRETE_VALUE_WITHOUT_REPLACEMENT
    assert solution.value == pytest.approx(table[ante, bet], abs=1e-8)
    assert measure_acts(form, solution.first, solution.second).exploitability == pytest.approx(0, abs=1e-9)
    if replacement:
        bluffs, value_bets = solution.first[:30].sum(), solution.first[30:].sum()
        assert (bluffs, value_bets) == pytest.approx(DISCRETE_BETS[ante, bet], abs=1e-4)


@pytest.mark.parametrize(("ante", "bet"), AMOUNTS)
def test_flop_poker_values(ante, bet):
    form = flop_poker(ante=ante, bet=bet)
    solution = solve_one_decision(form.one_decision)
    assert solution.value == pytest.approx(FLOP_VALUE[ante, bet], abs=1e-8)
    assert form.one_decision.frequencies(solution.first, solution.second) == pytest.approx(
        FLOP_FREQUENCIES[ante, bet], abs=1e-5
    )
    for strategy, published in zip((solution.first, solution.second), FLOP_MIXED[ante, bet], strict=True):
        mixed = {form.hands[i]: strategy[i] for i in range(169) if 1e-6 < strategy[i] < 1 - 1e-6}
        assert mixed == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize(("stack", "value"), [(2, 0.009549), (5, 0.056201), (9, -0.025227), (15, -0.127227)])
def test_push_fold_values(stack, value):
    assert solve_one_decision(push_fold(stack=stack).one_decision).value == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(("ante", "bet"), AMOUNTS)
def test_admissible_dealer(ante, bet):
    """It is an equilibrium, and no equilibrium found otherwise does better against any single bet."""
    form = von_neumann(ante=ante, bet=bet)
    solution = solve_one_decision(form.one_decision)
    best, worst = (
        admissible_second(form.one_decision, solution.value),
        loosest_second(form.one_decision, solution.value),
    )
    for dealer in (best, worst):
        assert measure_acts(form, solution.first, dealer).exploitability < 1e-8
    margins = [form.one_decision.margins(solution.first, dealer)[0] for dealer in (best, solution.second, worst)]
    assert margins[0].sum() <= margins[1].sum() + 1e-6
    assert margins[1].sum() <= margins[2].sum() + 1e-6
    mixed = (best > 1e-6) & (best < 1 - 1e-6)
    assert mixed.sum() <= 1  # a threshold, as in the continuous game
    assert (np.diff(best) >= -1e-6).all()


@pytest.mark.parametrize("module", [cfr, cfr_plus, dcfr])
def test_scheduled_regret_finds_the_value(module):
    form = von_neumann(cards=30, ante=1, bet=2)
    solver = started(form, module)
    solver.advance(2000)
    measure = solver.measure()
    low, high = measure.bounds
    assert low - 1e-12 <= solve_one_decision(form.one_decision).value <= high + 1e-12
    assert measure.exploitability < (2e-3 if module is cfr else 2e-5)


@pytest.mark.parametrize("scale", [2.0**-36, 2.0**20])
def test_powers_of_two_change_nothing(scale):
    """Every method on a game in tiny or huge chips does what it does in chips, bit for bit."""
    usual, scaled = (von_neumann(cards=15, ante=1 * unit, bet=3 * unit) for unit in (1.0, scale))
    exact = [solve_one_decision(form.one_decision) for form in (usual, scaled)]
    assert exact[0].first.tolist() == exact[1].first.tolist()
    assert exact[0].value * scale == exact[1].value
    seconds = [
        admissible_second(form.one_decision, found.value) for form, found in zip((usual, scaled), exact, strict=True)
    ]
    assert seconds[0].tolist() == seconds[1].tolist()
    small = replace(SECTION_6, population=40, rounds=30)
    for make in (
        lambda form: started(form, pcfr_plus),
        lambda form: SampledRegret(form, seed=3),
        lambda form: GeneticSolver(form, small, seed=3),
        lambda form: GeneticSolver(form, replace(small, exact=True), seed=3),
    ):
        solvers = [make(form) for form in (usual, scaled)]
        for solver in solvers:
            solver.advance(200 if isinstance(solver, SampledRegret) else 6)
        measures = [solver.measure() for solver in solvers]
        assert tuple(value * scale for value in measures[0].best_responses) == measures[1].best_responses
        assert tuple(bound * scale for bound in measures[0].bounds) == measures[1].bounds


@pytest.mark.parametrize("scale", [1e-12, 1e-9, 1e8])
def test_tiny_and_huge_chips_are_solved_to_the_same_share(scale):
    form = von_neumann(cards=30, ante=1 * scale, bet=2 * scale)
    solution = solve_one_decision(form.one_decision)
    assert measure_acts(form, solution.first, solution.second).exploitability <= 1e-9 * scale
    best = admissible_second(form.one_decision, solution.value)
    assert measure_acts(form, solution.first, best).exploitability <= 1e-8 * scale
    sampled = SampledRegret(form, seed=1)
    sampled.advance(300_000)
    assert sampled.measure().exploitability <= 0.05 * scale


FAMILY = [cfr, cfr_plus, linear_cfr, dcfr, pcfr_plus]


@pytest.mark.parametrize("module", FAMILY)
@pytest.mark.parametrize("alternating", [True, False])
def test_scheduled_regret_is_its_plain_twin(module, alternating):
    schedule = module.algorithm(alternating=alternating).schedule
    # with whole antes and no ties the lowest card is indifferent, and rounding would decide
    for form in (von_neumann(cards=5, ante=2, bet=3), von_neumann(cards=6, ante=1.37, bet=0.83, replacement=False)):
        solver = started(form, module, alternating=alternating)
        solver.advance(12)
        for acts, expected in zip(average(solver), naive.scheduled(form.one_decision, schedule, 12), strict=True):
            assert acts == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("module", FAMILY)
@pytest.mark.parametrize("alternating", [True, False])
def test_scheduled_regret_is_that_of_the_sequence_form(module, alternating):
    """The same game as a tree: bets of each card, and calls of each card after a bet."""
    method = module.algorithm(alternating=alternating)
    classes = method.start(von_neumann(cards=7, ante=1, bet=2))
    form = sequence_form(build(open_game("von-neumann(cards=7)")))
    tree = method.start(form)
    classes.advance(15)
    tree.advance(15)
    strategy = named(form, tree.profile())
    for role, act, place in ((0, "r", ""), (1, "c", "r")):
        found = [strategy[role, f"{card}:{place}"][act] for card in range(1, 8)]
        assert average(classes)[role] == pytest.approx(found, abs=1e-9)
    assert classes.measure().values == pytest.approx(tree.measure().values, abs=1e-9)


def test_prediction_changes_the_play():
    """Predictive CFR+ is not CFR+ with other averages."""
    form, found = von_neumann(cards=30), []
    for module in (cfr_plus, pcfr_plus):
        solver = started(form, module, power=2)
        solver.advance(300)
        found.append(solver)
    assert not np.allclose(*(average(solver)[0] for solver in found))
    assert found[1].measure().exploitability < found[0].measure().exploitability / 3


@pytest.mark.parametrize("module", [dcfr, pcfr_plus])
def test_scheduled_regret_cut_and_resumed(module):
    form = von_neumann(cards=12)
    whole, part, resumed = (started(form, module) for _ in range(3))
    run(whole, Stop(iterations=40))
    part.advance(13)
    resumed.restore(part.arrays())
    resumed.advance(27)
    for name, array in whole.strategy_arrays().items():
        assert array.tolist() == resumed.strategy_arrays()[name].tolist()


def test_the_program_as_a_solver():
    form = von_neumann(cards=30)
    solver = ProgrammedClasses(form)
    assert solver.measure().exploitability > 0.01
    done = run(solver, Stop(iterations=100))
    assert (done.stopped, solver.iterations) == ("solved", 1)
    assert solver.measure().exploitability == pytest.approx(0, abs=1e-9)
    again = ProgrammedClasses(form)
    again.restore(solver.arrays())
    assert again.finished
    assert [answer.tolist() for answer in again.output] == [answer.tolist() for answer in solver.output]
