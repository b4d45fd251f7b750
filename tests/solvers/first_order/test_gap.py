"""The excessive gap technique keeps its condition at every step, and its gap falls as it promises."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

import pokerlab
from naive.first_order import Players, own_parts
from naive.random_game import RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadFile, BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.solvers.convex.excessive_gap import ExcessiveGap
from pokerlab.solvers.core.run import restore
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form
from published import small_games as printed

PROXES = ["entropy", "euclidean"]
SPECS = [
    f"egt(prox={prox}, aggressive={aggressive}, balancing={balancing})"
    for prox in PROXES
    for aggressive in (True, False)
    for balancing in (True, False)
]
UNEVEN = "one-card(cards=4)"  # whose players have unlike treeplexes


@cache
def form_of(name: str) -> SequenceForm:
    return sequence_form(build(open_game(name)))


def started(spec: str, form: SequenceForm) -> ExcessiveGap:
    solver = registry.load("algorithms", spec).start(form)
    assert isinstance(solver, ExcessiveGap)
    return solver


@pytest.mark.uncompiled
@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("aggressive", [True, False])
@given(random_games(players=2, zero_sum=True))
@settings(max_examples=15)
def test_steps_match_their_plain_twins(prox: str, aggressive: bool, game: RandomGame) -> None:
    """Point by point: who steps and how far is the solver's choice, what comes of it is computed again."""
    form = sequence_form(build(game))
    players = Players(form, prox)
    solver = started(f"egt(prox={prox}, aggressive={aggressive})", form)
    plans, mu = players.first(solver.gap.smoothing.tolist()), solver.gap.smoothing.tolist()
    for _ in range(8):
        for ours, theirs in zip(own_parts(form, solver.gap.plan), plans, strict=True):
            assert ours == pytest.approx(theirs, abs=1e-8)
        assert solver.gap.excess == pytest.approx(players.excess(plans, mu), abs=1e-8)
        solver.advance(1)
        left = solver.gap.smoothing / mu
        player = int(np.argmin(left))
        if left[player] < 1:
            plans, mu = players.shrunk(plans, mu, player, 1 - left[player])


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("game", ["kuhn", UNEVEN, "goofspiel(cards=3)"])
def test_the_excessive_gap_condition_is_kept(spec: str, game: str) -> None:
    """At every step, recomputed from the plans alone; and with it the gap is at most what is smoothed."""
    form = form_of(game)
    players, solver = Players(form, "entropy" if "entropy" in spec else "euclidean"), started(spec, form)
    for _ in range(25):
        excess = players.excess(own_parts(form, solver.gap.plan), solver.gap.smoothing.tolist())
        assert excess <= 1e-12 * form.max_abs_payoff
        assert solver.gap.excess == pytest.approx(excess, abs=1e-9 * form.max_abs_payoff)
        assert solver.measure().nash_conv <= solver.bound + 1e-12
        solver.advance(1)


@given(random_games(players=2, zero_sum=True, whole=True))
@settings(max_examples=15)
def test_the_condition_is_kept_in_any_game(game: RandomGame) -> None:
    form = sequence_form(build(game))
    for spec in SPECS:
        solver = started(spec, form)
        for steps in (0, 1, 2, 10, 40):
            solver.advance(steps)
            assert solver.gap.excess <= 1e-12 * max(form.max_abs_payoff, 1.0), spec
            assert solver.measure().nash_conv <= solver.bound + 1e-12, spec


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_the_published_bound_holds_without_speed_ups(prox: str, game: str) -> None:
    """4 |A| sqrt(D1 D2) / (k + 1): Nesterov 2005, theorem 3; Hoda and others 2010, theorem 4."""
    form = form_of(game)
    solver = started(f"egt(prox={prox}, aggressive=False, balancing=False)", form)
    scale = 4 * solver.smoothed.norm * np.sqrt(solver.smoothed.diameter.prod())
    for steps in (1, 1, 8, 90):
        solver.advance(steps)
        assert solver.bound <= scale / (solver.iterations + 1)
        assert solver.bound >= 0.5 * scale / (solver.iterations + 1)


@pytest.mark.parametrize("prox", PROXES)
def test_the_gap_falls_as_one_over_the_gradients_on_leduc(prox: str) -> None:
    """The slope of both logarithms, over a factor of thirty; a method of one over the root would have -1/2."""
    solver = started(f"egt(prox={prox})", form_of("leduc"))
    points = []
    for steps in np.diff(np.geomspace(30, 1200, 12).astype(int), prepend=0).tolist():
        solver.advance(steps)
        points.append((np.log(solver.passes), np.log(solver.measure().exploitability)))
    slope = np.polyfit(*np.transpose(points), 1)[0]
    assert slope < -0.8


@pytest.mark.parametrize("prox", PROXES)
def test_deep_games_do_not_stall(prox: str) -> None:
    """Whose weights are so large that what smoothing costs dwarfs the payoffs, and so does its rounding."""
    form = form_of("one-card(raises=120)")
    solver = started(f"egt(prox={prox})", form)
    solver.advance(600)
    assert solver.gap.excess <= 1e-12 * (solver.smoothed.norm + solver.bound)
    assert solver.measure().exploitability < 1e-5 * form.max_abs_payoff


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1e9, 1e200])
@pytest.mark.parametrize("spec", ["egt", "egt(prox=euclidean, restarts=True)", "mirror-prox"])
def test_the_unit_of_payoffs_changes_nothing(spec: str, unit: float) -> None:
    """Products of two payoffs may be too large or too small for a float; nothing may be made of them."""
    form = form_of("kuhn")
    scaled = replace(form, value=form.value * unit)
    one, other = (registry.load("algorithms", spec).start(each) for each in (form, scaled))
    for solver in (one, other):
        solver.advance(60)
    assert other.passes == pytest.approx(one.passes, rel=0.05)  # restarts look at the form's own measure
    plans = [solver.average if spec == "mirror-prox" else solver.gap.plan for solver in (one, other)]
    gaps = [one.game.measure(one.game.behaviour(plan)).exploitability for plan in plans]
    assert gaps[1] == pytest.approx(gaps[0], rel=0.2, abs=1e-4)


def test_restarts_gain_digits_at_a_constant_pace() -> None:
    """Each hundredfold fewer needs about as many steps as the one before; without restarts a hundred times as many."""
    form = form_of("goofspiel(cards=4)")
    solver = started("egt(prox=euclidean, restarts=True)", form)
    reached = []
    for target in (1e-2, 1e-4, 1e-6, 1e-8):
        while solver.measure().exploitability > target:
            solver.advance(5)
            assert solver.iterations < 4_000
        reached.append(solver.passes)
    assert reached[-1] < 8 * reached[0]
    plain = started("egt(prox=euclidean)", form)
    plain.advance(solver.iterations)
    assert plain.measure().exploitability > 1e-6


@pytest.mark.parametrize("prox", PROXES)
def test_a_new_centre_is_where_a_quarter_of_the_gap_is_left(prox: str) -> None:
    solver = started(f"egt(prox={prox}, restarts=True)", form_of(UNEVEN))
    centre, marks = solver.centre.copy(), []
    for _ in range(300):
        solver.advance(1)
        if not np.array_equal(solver.centre, centre):
            centre = solver.centre.copy()
            marks.append(solver.arrays()["numbers"][3])
            behaviour = np.exp(centre) if prox == "entropy" else centre
            left = solver.game.measure(solver.game.behaviour(solver.smoothed.plan(behaviour))).nash_conv
            assert left == pytest.approx(marks[-1], rel=1e-3, abs=1e-8)  # entropy raises its probabilities
    assert len(marks) > 3
    assert all(0 < after <= 0.25 * before for before, after in pairwise(marks))


def test_what_a_centre_of_entropy_never_does_can_be_taken_up_again() -> None:
    """A probability of zero has no logarithm, and no later step would leave it."""
    form = form_of("kuhn")
    solver = started("egt(restarts=True)", form)
    pure = np.zeros(form.tree.slots)
    pure[form.tree.start[:-1]] = 1.0
    solver.gap.plan[:] = form.plan(pure)
    solver._restart_if_due()
    assert np.isfinite(solver.centre).all()
    assert np.add.reduceat(np.exp(solver.centre[2:]), form.tree.start[:-1]) == pytest.approx(1)
    solver.advance(400)
    assert solver.measure().exploitability < 1e-3


@pytest.mark.parametrize(
    "spec", ["egt", "egt(prox=euclidean)", "egt(restarts=True)", "egt(prox=euclidean, restarts=True)"]
)
@pytest.mark.parametrize(
    ("game", "value", "steps"),
    [
        ("kuhn", printed.KUHN, 1000),
        ("one-card(cards=4)", printed.ONE_CARD_FOUR, 1000),
        ("goofspiel(cards=4)", 0.0, 1000),
        ("leduc", printed.LEDUC, 700),
    ],
)
def test_the_value_is_bracketed(spec: str, game: str, value: float, steps: int) -> None:
    form = form_of(game)
    solver = started(spec, form)
    solver.advance(steps)
    low, high = solver.measure().bounds
    assert low - 1e-9 <= value <= high + 1e-9
    assert high - low < 5e-3 * form.max_abs_payoff


def test_speed_ups_speed_up() -> None:
    form = form_of("leduc")
    found = {}
    for aggressive in (True, False):
        solver = started(f"egt(aggressive={aggressive})", form)
        solver.advance(150)
        found[aggressive] = solver.measure().exploitability
    assert found[True] < 0.05 * found[False]


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("game", ["kuhn", UNEVEN])
def test_the_first_smoothing_of_aggressive_steps_cannot_be_halved(prox: str, game: str) -> None:
    solver = started(f"egt(prox={prox})", form_of(game))
    uniform, smoothing = solver.smoothed.plan(solver.smoothed.uniform()), solver.gap.smoothing.copy()
    assert solver._begin(uniform, smoothing)
    assert not solver._begin(uniform, 0.5 * smoothing)


@pytest.mark.parametrize("prox", PROXES)
def test_balancing_balances(prox: str) -> None:
    """The parts of the bound stay within one step of each other; without it, players take turns."""
    solver = started(f"egt(prox={prox})", form_of(UNEVEN))
    for _ in range(60):
        solver.advance(1)
        parts = solver.gap.smoothing * solver.smoothed.diameter
        assert 0.49 <= parts[0] / parts[1] <= 2.05
    solver = started(f"egt(prox={prox}, balancing=False)", form_of(UNEVEN))
    for step in range(10):
        before = solver.gap.smoothing.copy()
        solver.advance(1)
        assert (solver.gap.smoothing < before).tolist() == [step % 2 == 0, step % 2 == 1]


def test_gradients_are_counted() -> None:
    """Four a step of fixed length, and all of them visit every node."""
    form = form_of("kuhn")
    solver = started("egt(aggressive=False)", form)
    before = solver.passes
    solver.advance(20)
    assert solver.passes - before == 80
    assert solver.nodes_touched == solver.passes * form.tree.nodes


@pytest.mark.parametrize("spec", ["egt", "egt(prox=euclidean, restarts=True)", "egt(restarts=True)"])
def test_a_state_is_resumed_bit_for_bit(spec: str) -> None:
    form = form_of(UNEVEN)
    whole, first, second = (started(spec, form) for _ in range(3))
    whole.advance(120)
    first.advance(47)
    second.advance(5)
    second.restore(first.arrays())
    second.advance(73)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, second.arrays()[name]), name


@pytest.mark.parametrize(
    "numbers",
    [
        (0.0, 1.0, 0.5, -1.0, -1.0, 1.0),
        (1.0, 1.0, 0.0, 1.0, 1.0, 1.0),
        (1.0, -1.0, 0.5, 1.0, 1.0, 1.0),
        (1.0, 1.0, 0.5, 1.0, 1.0, 0.0),
    ],
)
def test_a_damaged_state_is_refused(numbers: tuple[float, ...]) -> None:
    solver = started("egt", form_of("kuhn"))
    with pytest.raises(BadFile, match="must be above zero"):
        restore(solver, solver.arrays() | {"numbers": np.array(numbers)})


@pytest.mark.parametrize("spec", ["egt", "egt(prox=euclidean)", "mirror-prox", "mirror-prox(prox=entropy)"])
@pytest.mark.parametrize("game", ["von-neumann(cards=7, ante=3, bet=2)", "von-neumann(cards=6, replacement=False)"])
def test_other_forms_have_the_same_value(spec: str, game: str) -> None:
    expected = pokerlab.solve(game, algorithm="lp").value
    for form in ("sequence", "classes"):
        found = pokerlab.solve(game, algorithm=spec, form=form, iterations=1000)
        assert found.bounds is not None
        assert found.bounds[0] - 1e-9 <= expected <= found.bounds[1] + 1e-9
        assert found.exploitability < 1e-3 * form_of(game).max_abs_payoff


@pytest.mark.parametrize("spec", ["egt", "mirror-prox(prox=entropy)"])
def test_the_normal_form_has_the_same_value(spec: str) -> None:
    found = pokerlab.solve("kuhn", algorithm=spec, form="normal", iterations=2000)
    assert found.value == pytest.approx(printed.KUHN, abs=1e-2)
    assert found.exploitability < 5e-3


def test_needs_are_said_in_a_sentence() -> None:
    for name in ("egt", "mirror-prox"):
        with pytest.raises(BadSetting, match="prox must be one of entropy, euclidean; got 'cubic'"):
            registry.load("algorithms", f"{name}(prox=cubic)")
        with pytest.raises(BadGame, match="has 3 players"):
            pokerlab.solve("kuhn(players=3)", algorithm=name)
        with pytest.raises(BadGame, match="is not zero-sum"):
            pokerlab.solve("battle-of-the-sexes", algorithm=name)


def test_restarts_go_with_aggressive_steps() -> None:
    with pytest.raises(BadSetting, match="restarts with aggressive steps alone"):
        registry.load("algorithms", "egt(aggressive=False, restarts=True)")


def test_a_sampled_form_is_unbiased_and_the_same_for_both_players() -> None:
    form = form_of("leduc")
    samples = [form.sampled(0.3, seed) for seed in range(200)]
    for one in samples[:5]:
        mine, theirs = (np.zeros(form.sequences) for _ in (0, 1))
        plan = form.plan(form.uniform())
        one.payoffs(0, plan, mine)
        one.payoffs(1, plan, theirs)
        own = [form.sequences_of(player) for player in (0, 1)]
        values = [mine[0] + mine[own[0]] @ plan[own[0]], theirs[1] + theirs[own[1]] @ plan[own[1]]]
        assert values[0] == pytest.approx(-values[1], abs=1e-12)
    shares = np.array([one.matrix.nnz / form.matrix.nnz for one in samples])
    assert abs(shares.mean() - 0.3) < 4 * shares.std() / np.sqrt(len(shares))
    sums = np.array([one.matrix.sum() for one in samples])
    assert abs(sums.mean() - form.matrix.sum()) < 4 * sums.std() / np.sqrt(len(sums))


def test_sampled_gradients_lead_to_an_equilibrium_of_the_real_game() -> None:
    """The samples grow to the whole game; a resumed run continues as an uninterrupted one."""
    form, spec = form_of("leduc"), "egt(sample=0.1)"
    solver = started(spec, form)
    assert solver.sample == 0.1
    solver.advance(20)
    state = {name: array.copy() for name, array in solver.arrays().items()}
    solver.advance(580)
    assert solver.sample == 1.0
    assert solver.measure().exploitability < 0.01
    other = started(spec, form)
    other.restore(state)
    other.advance(580)
    assert np.allclose(other.gap.plan, solver.gap.plan, atol=1e-9)


def test_only_the_sequence_form_is_sampled() -> None:
    with pytest.raises(BadSetting, match="sequence"):
        pokerlab.solve("leduc", algorithm="egt(sample=0.1)", form="public", iterations=1)
