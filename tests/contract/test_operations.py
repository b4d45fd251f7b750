"""Laws of the operations of forms: the same game gives the same numbers in every form, and so do algorithms on it.

Forms are found in tree/form.py, algorithms in the registry; none is listed. Games in which iterates are compared have
payoffs without ties: of actions that are worth the same, rounding would choose another in each form.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from naive.public import history_numbers, history_profile, random_public_game
from naive.random_game import Level, RandomGame
from pokerlab import registry
from pokerlab.errors import TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.strategy.forms.kinds import StrategyNames, profile_in, strategy_of
from pokerlab.tree.form import KINDS, Form, build_form, kind_of
from pokerlab.tree.history.layout import build
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.profiles import parts
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm, sequence_form

GAMES = ("kuhn", "leduc(ranks=2, raises=1, bets=(1, 3))", "one-card(cards=4)", "matching-pennies")
UNTIED = "one-card(cards=5, ante=7, bet=13)"
SEEDS = (49, 167, 204, 385)  # of public games in which both players decide in both rounds
THREE = RandomGame(
    3,
    (Level(-1, 2, (True, False, False)), *(Level(player, 2, (True, True, True)) for player in (0, 1, 2, 0))),
    7,
    False,
)
FIRST_ORDER = ("egt", "mirror-prox")  # their prox functions differ from form to form, and with them their steps
BY_PROGRAMS = ("range-of-skill", "double-oracle")  # their programs have many optima
VARIANTS = (
    "cfr(alternating=False)",
    "fictitious-play(alternating=False)",
    "cfr-br(strategy=current)",
    "trembling(schedule='cfr+(alternating=False)', tremble=0.05)",
    "double-oracle(over=strategies)",
)


@cache
def form_of(name: str, kind: str) -> Any:
    return build_form(open_game(name), kind)


def kinds_of(name: str) -> list[str]:
    """The kinds of forms with operations that a game has."""
    found = []
    for kind in KINDS:
        if kind_of(kind).has_plans and not kind_of(kind).why_not(open_game(name)):
            try:
                if isinstance(form_of(name, kind), Form):
                    found.append(kind)
            except TooLarge:
                continue
    return found


CASES = [(name, kind) for name in (*GAMES, UNTIED) for kind in kinds_of(name)]
BY_PLAYER = [case for case in CASES if case[1] != "bucketed"]  # whose profiles have a part for each player


def test_the_forms_are_met() -> None:
    assert {"sequence", "public", "normal"} <= {kind for _, kind in CASES}
    assert {
        ("kuhn", "classes"),
        ("kuhn", "bucketed"),
        ("kuhn", "public"),
        ("kuhn", "normal"),
        (GAMES[1], "public"),
        ("matching-pennies", "normal"),
    } <= {*CASES}


# ---- operations ------------------------------------------------------------------------------------------------------


def random_plan(form: Form, seed: int, *, least: float = 0.0) -> np.ndarray:
    """Plans [S]; without a least weight, some actions are never taken in them."""
    rng, trees = np.random.default_rng(seed), form.treeplexes
    size = trees.sequences - trees.players
    return trees.plan(trees.normalize(rng.random(size) * (rng.random(size) < 0.8) + least))


def values_and_best(measure: Measure) -> list[float]:
    return [*measure.values, *measure.best_responses]


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_policy_is_measured_as_in_the_sequence_form(name: str, kind: str, seed: int) -> None:
    game, form = open_game(name), form_of(name, kind)
    profile = form.behaviour(random_plan(form, seed))
    policy = strategy_of(form.solution_form, form.pack(profile), StrategyNames())
    sequence = form_of(name, "sequence")
    expected = sequence.measure(profile_in(policy, game, sequence))
    rounding = 1e-6 * form.max_abs_payoff  # files hold float32
    assert values_and_best(form.measure(profile)) == pytest.approx(values_and_best(expected), abs=rounding)
    assert form.expected_values(profile) == pytest.approx(expected.values, abs=rounding)
    generic = Form.measure(form, profile)
    assert values_and_best(generic) == pytest.approx(values_and_best(expected), abs=rounding)


@pytest.mark.parametrize(("name", "kind"), BY_PLAYER)
def test_packing_and_plans_are_undone(name: str, kind: str) -> None:
    form = form_of(name, kind)
    plan = random_plan(form, 3, least=0.01)
    profile = form.normalize(form.behaviour(plan))
    assert form.plan(profile) == pytest.approx(plan, abs=1e-6)
    again = form.normalize(form.behaviour(form.plan(profile)))
    taken = np.concatenate([form.occupied(player) for player in range(form.players)])
    assert again[taken] == pytest.approx(profile[taken], abs=1e-6)
    assert form.infoset_sums(profile)[taken] == pytest.approx(np.ones(int(taken.sum())), abs=1e-6)
    home = form.solution_form
    unpacked = home.unpack(form.pack(profile))
    if home is form:
        assert np.array_equal(unpacked, profile)
    assert values_and_best(home.measure(unpacked)) == pytest.approx(values_and_best(form.measure(profile)), abs=1e-9)


@pytest.mark.parametrize(("name", "kind"), BY_PLAYER)
@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_wins_what_is_measured(name: str, kind: str, player: int) -> None:
    form = form_of(name, kind)
    profile = form.normalize(form.behaviour(random_plan(form, 4)))
    best, measured = form.best_response(profile, player), form.measure(profile)
    rounding = 1e-6 * form.max_abs_payoff
    assert best.value == pytest.approx(measured.best_responses[player], abs=rounding)
    played = form.measure(best.profile)
    assert played.values[player] == pytest.approx(best.value, abs=rounding)
    assert played.gains[player] == pytest.approx(0, abs=rounding)
    other = form.slots_of(1 - player)
    assert np.array_equal(best.profile[other], profile[other])
    assert measured.nash_conv > 0.01 * form.max_abs_payoff


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.parametrize("player", [0, 1])
def test_payoffs_are_linear_and_sum_to_zero(name: str, kind: str, player: int) -> None:
    form = form_of(name, kind)
    trees, rounding = form.treeplexes, (1e-6 if kind == "bucketed" else 1e-9) * form.max_abs_payoff  # float32 there
    one, other = random_plan(form, 5), random_plan(form, 6)

    def won(plan: np.ndarray, seat: int = player) -> np.ndarray:
        out = np.full(trees.sequences, np.nan)
        form.payoffs(seat, plan, out)
        own = trees.sequences_of(seat)
        assert np.isnan(np.delete(out, [seat, *range(own.start, own.stop)])).all()  # the others' part is not touched
        return np.append(out[seat], out[own])

    assert won(0.3 * one + 0.7 * other) == pytest.approx(0.3 * won(one) + 0.7 * won(other), abs=rounding)
    own = trees.sequences_of(player)
    elsewhere = one.copy()
    elsewhere[own] = other[own]
    assert np.array_equal(won(elsewhere), won(one))  # their own plan is not looked at
    totals = [np.append(1.0, one[trees.sequences_of(seat)]) @ won(one, seat) for seat in (0, 1)]
    assert sum(totals) == pytest.approx(0, abs=rounding)
    assert np.abs(won(one)).max() > 1e-3 * form.max_abs_payoff


@pytest.mark.parametrize(("name", "kind"), BY_PLAYER)
def test_regrets_cancel_at_every_infoset(name: str, kind: str) -> None:
    """Weighted by the probabilities that are played."""
    form = form_of(name, kind)
    profile = form.normalize(form.behaviour(random_plan(form, 7)))
    regrets = form.regrets(profile)
    assert regrets.shape == profile.shape
    assert form.infoset_sums(regrets * profile) == pytest.approx(np.zeros(len(profile)), abs=1e-6 * form.max_abs_payoff)
    assert np.abs(regrets).max() > 1e-3 * form.max_abs_payoff


@pytest.mark.parametrize("seed", SEEDS)
def test_profiles_of_the_public_form_are_those_of_the_sequence_form(seed: int) -> None:
    """Number by number: regrets of a profile with actions that are never taken, and what is measured of it."""
    game = random_public_game(seed)
    form, sequence = game.tree(), sequence_form(build(game))
    profile = form.normalize(np.random.default_rng(seed).choice([0.0, 0.3, 1.0], form.slots).astype(np.float32))
    same = history_profile(game, sequence.tree, form, parts(form, profile))
    rounding = 1e-6 * form.max_abs_payoff
    assert values_and_best(form.measure(profile)) == pytest.approx(
        values_and_best(sequence.measure(same)), abs=rounding
    )
    regrets = history_numbers(game, sequence.tree, form, parts(form, form.regrets(profile)))
    assert regrets == pytest.approx(sequence.regrets(same), abs=rounding)


# ---- algorithms ------------------------------------------------------------------------------------------------------


@cache
def algorithms() -> dict[str, Algorithm]:
    """Those that are written on the operations of forms."""
    made = [registry.load("algorithms", entry.name) for entry in registry.available("algorithms")]
    made += [registry.load("algorithms", spec) for spec in VARIANTS]
    return {one.spec: one for one in made if one.general is not None}


def general(algorithm: Algorithm, form: Any) -> Any:
    """Its solver on the operations alone, also where a form has an engine of its own."""
    assert algorithm.general is not None
    if not isinstance(form, Form):
        return algorithm.start(form)
    return algorithm.general(form, 0, Resources())


ITERATING = [spec for spec, one in algorithms().items() if one.name not in (*FIRST_ORDER, *BY_PROGRAMS)]
CONVERGING = [spec for spec, one in algorithms().items() if one.name in (*FIRST_ORDER, *BY_PROGRAMS)]


def test_the_algorithms_are_met() -> None:
    assert {"cfr", "cfr+", "dcfr", "linear-cfr", "pcfr+", "fictitious-play", "cfr-br", "trembling"} <= {
        algorithms()[spec].name for spec in ITERATING
    }
    assert {algorithms()[spec].name for spec in CONVERGING} == {*FIRST_ORDER, *BY_PROGRAMS}


def assert_same_iterates(algorithm: Algorithm, form: Any, sequence: SequenceForm) -> None:
    solver, expected = general(algorithm, form), algorithm.start(sequence)
    for steps in (1, 4):
        solver.advance(steps)
        expected.advance(steps)
        found = values_and_best(solver.measure())
        assert found == pytest.approx(values_and_best(expected.measure()), abs=1e-6 * sequence.max_abs_payoff), steps
    assert solver.iterations == expected.iterations == 5


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("spec", ITERATING)
def test_iterates_on_the_public_form_are_those_of_the_sequence_form(spec: str, seed: int) -> None:
    game = random_public_game(seed)
    sequence = sequence_form(build(game))
    assert_same_iterates(algorithms()[spec], game.tree(), sequence)
    assert_same_iterates(algorithms()[spec], sequence, sequence)  # the general path beside the engine


@pytest.mark.parametrize(("name", "kind"), [(UNTIED, "classes"), ("matching-pennies", "normal")])
@pytest.mark.parametrize("spec", ITERATING)
def test_iterates_on_small_forms_are_those_of_the_sequence_form(spec: str, name: str, kind: str) -> None:
    assert_same_iterates(algorithms()[spec], form_of(name, kind), form_of(name, "sequence"))


@pytest.mark.parametrize("spec", [spec for spec in ITERATING if not algorithms()[spec].two_player_zero_sum])
def test_iterates_of_three_players_are_those_of_the_engine(spec: str) -> None:
    sequence = sequence_form(build(THREE))
    assert_same_iterates(algorithms()[spec], sequence, sequence)


@cache
def value_of(name: str) -> float:
    solver = registry.load("algorithms", "lp").start(form_of(name, "sequence"))
    solver.advance(1)
    return float(solver.measure().values[0])


@pytest.mark.parametrize(("name", "kind"), [case for case in CASES if case[0] in GAMES])
@pytest.mark.parametrize("spec", CONVERGING)
def test_every_form_ends_at_the_value_of_the_game(spec: str, name: str, kind: str) -> None:
    form = form_of(name, kind)
    solver = general(algorithms()[spec], form)
    solver.advance(120)
    low, high = solver.measure().bounds
    assert low - 1e-6 * form.max_abs_payoff <= value_of(name) <= high + 1e-6 * form.max_abs_payoff
    assert high - low < 0.02 * form.max_abs_payoff
