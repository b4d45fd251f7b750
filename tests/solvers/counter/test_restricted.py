"""Counter-strategies: CFR and the linear program against plain twins, against each other, and at both ends of p."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.counter import RestrictedGame, restricted_cfr
from naive.random_game import Level, RandomGame, random_games
from naive.solve import named
from pokerlab import registry
from pokerlab.errors import BadGame, BadSetting
from pokerlab.solvers.analysis.restricted_program import solve_restricted
from pokerlab.solvers.analysis.restriction import Restriction, held_by_infoset, held_for_the_game
from pokerlab.solvers.cfr.fixed import FixedCfr, measure_fixed
from pokerlab.solvers.library.lp import solve_sequence_form
from pokerlab.strategy.written import form_of
from pokerlab.tree.history.layout import build
from pokerlab.tree.measure import Measure
from pokerlab.tree.sequence import SequenceForm, sequence_form

DEALT = (  # a card each, then check or bet, three answers, call or fold
    Level(-1, 3, (True, False)),
    Level(-1, 2, (False, True)),
    Level(0, 2, (True, True)),
    Level(1, 3, (True, True)),
    Level(0, 2, (True, False)),
    Level(1, 2, (True, True)),
)
SHARES = (0.0, 0.3, 0.9, 1.0)
GAMES = ("kuhn", "leduc", "one-card(cards=4)", "goofspiel(cards=4)")


def schedule(spec: str) -> object:
    return registry.load("algorithms", spec).schedule


def uneven(form: SequenceForm, seed: int) -> np.ndarray:
    """Any behaviour, with actions that are never taken in it.  # [A]"""
    rng, tree = np.random.default_rng(seed), form.tree
    weights = rng.random(tree.slots) ** 3 * (rng.random(tree.slots) < 0.7) + 1e-12
    weights[weights < 1e-6] *= 1e-9
    return np.asarray(weights / np.repeat(np.add.reduceat(weights, tree.start[:-1]), np.diff(tree.start)))


def restricted(form: SequenceForm, seed: int, *, player: int, p: float, by_infoset: bool) -> Restriction:
    model, rng = uneven(form, seed), np.random.default_rng([seed, 1])
    if not by_infoset:
        return held_for_the_game(form, model, p, player=player)
    held = p * np.where(rng.random(form.tree.infosets) < 0.3, 0.0, rng.random(form.tree.infosets))
    return held_by_infoset(form, model, np.repeat(held, np.diff(form.tree.start)), player=player)


def solver_of(form: SequenceForm, spec: str, restriction: Restriction) -> FixedCfr:
    return FixedCfr(form, registry.load("algorithms", spec).schedule, restriction.fixed(form))


def measure_restricted(form: SequenceForm, restriction: Restriction, plan: np.ndarray) -> Measure:
    return measure_fixed(form, restriction.fixed(form), plan)


def as_a_game(game: RandomGame, form: SequenceForm, found: Restriction) -> RestrictedGame:
    tree = form.tree
    shares = found.held[tree.start[:-1]] if len(found.held) else np.zeros(tree.infosets)
    held = dict(zip(tree.infoset_names, shares.tolist(), strict=True))
    return RestrictedGame(game, found.player, named(tree, found.model), found.whole, held)


def guaranteed(form: SequenceForm, restriction: Restriction, plan: np.ndarray) -> float:
    """What a plan of the free player wins at least in the restricted game."""
    return -measure_restricted(form, restriction, plan).best_responses[restriction.player]


@pytest.mark.uncompiled
@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("spec", ["dcfr", "cfr+(alternating=False)", "pcfr+"])
@given(game=random_games(players=2, zero_sum=True), p=st.sampled_from(SHARES), player=st.integers(0, 1))
@settings(max_examples=8, deadline=None)
def test_iterates_are_those_of_the_plain_twin(
    by_infoset: bool, spec: str, game: RandomGame, p: float, player: int
) -> None:
    form = sequence_form(build(game))
    found = restricted(form, game.seed, player=player, p=p, by_infoset=by_infoset)
    solver = solver_of(form, spec, found)
    solver.advance(4)
    expected = restricted_cfr(game, form.tree, as_a_game(game, form, found), schedule(spec), 4)
    for name, ours in named(form.tree, solver.profile()).items():
        assert ours == pytest.approx(expected[name], abs=1e-9)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("p", [0.3, 0.9])
def test_the_value_is_that_of_the_game_with_coins(seed: int, player: int, by_infoset: bool, p: float) -> None:
    """The restricted game written out, coins and all, and solved by the linear program of any game."""
    game = RandomGame(2, DEALT, seed, True)
    form = sequence_form(build(game))
    found = restricted(form, seed, player=player, p=p, by_infoset=by_infoset)
    whole = sequence_form(build(as_a_game(game, form, found)))
    solved = whole.behaviour(solve_sequence_form(whole, method="simplex", tolerance=None))
    value = whole.measure(solved).values[1 - player]
    plan, claimed = solve_restricted(form, found)
    assert claimed == pytest.approx(value, abs=1e-7)
    assert guaranteed(form, found, plan) == pytest.approx(value, abs=1e-7)
    solver = solver_of(form, "dcfr", found)
    solver.advance(1500)
    bounds = solver.measure().best_responses
    assert -bounds[player] - 1e-9 <= value <= bounds[1 - player] + 1e-9
    assert bounds[0] + bounds[1] < 2e-3


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("by_infoset", [False, True])
def test_cfr_brackets_the_linear_program(game: str, player: int, by_infoset: bool) -> None:
    form = form_of(game)
    found = restricted(form, 5, player=player, p=0.8, by_infoset=by_infoset)
    plan, value = solve_restricted(form, found)
    assert guaranteed(form, found, plan) == pytest.approx(value, abs=1e-6 * form.max_abs_payoff)
    solver = solver_of(form, "dcfr", found)
    solver.advance(1000)
    bounds = solver.measure().best_responses
    assert -bounds[player] - 1e-9 <= value <= bounds[1 - player] + 1e-9
    assert bounds[0] + bounds[1] < 1e-3 * form.max_abs_payoff


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize(("shift", "unit"), [(0.0, 1.0), (1e3, 1.0), (1e6, 1.0), (-1e6, 1.0), (1e3, 1e-3), (0.0, 1e8)])
def test_payoffs_may_lie_anywhere(player: int, by_infoset: bool, shift: float, unit: float) -> None:
    """Both plans of the program are best responses in the restricted game, and its value moves with the payoffs."""
    for seed in range(4):
        plain = sequence_form(build(RandomGame(2, DEALT, seed, True)))
        payoffs = plain.tree.returns * unit + np.array([shift, -shift])
        form = sequence_form(replace(plain.tree, returns=payoffs))
        found = restricted(form, seed, player=player, p=0.6, by_infoset=by_infoset)
        _, expected = solve_restricted(plain, found)
        plan, value = solve_restricted(form, found)
        assert value == pytest.approx(expected * unit + (shift if player == 1 else -shift), abs=1e-7 * unit, rel=1e-15)
        played = measure_restricted(form, found, form.plan(form.behaviour(plan)))
        assert played.exploitability == pytest.approx(0.0, abs=1e-7 * unit + 1e-15 * abs(shift))
        assert played.values[1 - player] == pytest.approx(value, abs=1e-7 * unit, rel=1e-15)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("by_infoset", [False, True])
def test_the_held_plan_of_the_program_is_one_left_to_them(player: int, by_infoset: bool) -> None:
    """At each infoset they do what the model says at least as often as they are held to it."""
    form = sequence_form(build(RandomGame(2, DEALT, 2, True)))
    found = restricted(form, 2, player=player, p=0.7, by_infoset=by_infoset)
    plan, _ = solve_restricted(form, found)
    own, slots = form.sequences_of(player), form.slots_of(player)
    assert (plan[own] >= found.whole * form.plan(found.model)[own] - 1e-12).all()
    held = found.held[slots] if by_infoset else 0.0
    reached = plan[own] > 1e-9
    assert (form.behaviour(plan)[slots] >= held * found.model[slots] - 1e-9)[reached].all()
    assert form.plan(form.behaviour(plan))[own] == pytest.approx(plan[own], abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("by_infoset", [False, True])
def test_held_to_nothing_gives_an_equilibrium(game: str, by_infoset: bool) -> None:
    form = form_of(game)
    value = form.measure(form.behaviour(solve_sequence_form(form, method="simplex", tolerance=None))).values[0]
    both = form.tree.uniform()
    for player in range(2):
        plan, claimed = solve_restricted(form, restricted(form, 3, player=player, p=0.0, by_infoset=by_infoset))
        assert claimed == pytest.approx(value if player == 1 else -value, abs=1e-7 * form.max_abs_payoff)
        both[form.slots_of(1 - player)] = form.behaviour(plan)[form.slots_of(1 - player)]
    assert form.measure(both).exploitability < 1e-6 * form.max_abs_payoff
    plain = registry.load("algorithms", "dcfr").start(form)
    solver = solver_of(form, "dcfr", restricted(form, 3, player=1, p=0.0, by_infoset=by_infoset))
    plain.advance(50)
    solver.advance(50)
    assert solver.profile() == pytest.approx(plain.profile(), abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", [0, 1])
def test_held_to_everything_gives_a_best_response(game: str, player: int) -> None:
    form = form_of(game)
    model = uneven(form, 8)
    best = form.best_response(model, player=1 - player).value
    sure = held_by_infoset(form, model, np.ones(form.tree.slots), player=player)
    for found in (held_for_the_game(form, model, 1.0, player=player), sure):
        assert found.is_complete
        plan, claimed = solve_restricted(form, found)
        answer = model.copy()
        answer[form.slots_of(1 - player)] = form.behaviour(plan)[form.slots_of(1 - player)]
        assert claimed == pytest.approx(best, abs=1e-6 * form.max_abs_payoff)
        assert form.expected_values(answer)[1 - player] == pytest.approx(best, abs=1e-6 * form.max_abs_payoff)
        solver = solver_of(form, "dcfr", found)
        solver.advance(500)
        assert guaranteed(form, found, form.plan(solver.profile())) == pytest.approx(
            best, abs=1e-4 * form.max_abs_payoff
        )
    assert not held_for_the_game(form, model, 0.999, player=player).is_complete
    own = form.slots_of(player)
    held = np.ones(form.tree.slots)
    held[form.tree.start[form.tree.first_infoset[player + 1] - 1] : own.stop] = 0.5
    assert not held_by_infoset(form, model, held, player=player).is_complete  # one infoset leaves it a game
    held = np.zeros(form.tree.slots)
    held[own] = 1.0
    assert held_by_infoset(form, model, held, player=player).is_complete  # those of the other are not looked at


@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("spec", ["dcfr", "pcfr+(alternating=False)"])
def test_cut_and_restored_anywhere_is_the_same_run(by_infoset: bool, spec: str) -> None:
    form = sequence_form(build(RandomGame(2, DEALT, 4, True)))
    found = restricted(form, 6, player=1, p=0.6, by_infoset=by_infoset)
    whole, cut = (solver_of(form, spec, found) for _ in range(2))
    whole.advance(20)
    cut.advance(7)
    kept = cut.arrays()
    cut.advance(50)
    cut.restore(kept)
    cut.advance(13)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, cut.arrays()[name])


def test_what_cannot_be_restricted() -> None:
    form = form_of("kuhn")
    uniform = form.tree.uniform()
    with pytest.raises(BadSetting, match="p must be a number from 0 to 1"):
        held_for_the_game(form, uniform, 1.5, player=0)
    with pytest.raises(BadSetting, match="confidence of an infoset"):
        held_by_infoset(form, uniform, np.full(form.tree.slots, -0.1), player=0)
    with pytest.raises(BadSetting, match="players 0 to 1, not 2"):
        held_for_the_game(form, uniform, 0.5, player=2)
    three = form_of("kuhn(players=3)")
    with pytest.raises(BadGame, match="two-player zero-sum"):
        held_for_the_game(three, three.tree.uniform(), 0.5, player=0)
