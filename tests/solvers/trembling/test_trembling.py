"""Trembling hands: the program and CFR against plain twins, and the strategies that plain equilibria get wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings

from naive import trembling as naive
from naive.random_game import Level, RandomGame, random_games
from naive.solve import named
from pokerlab import registry
from pokerlab.errors import BadGame, BadSetting
from pokerlab.formats.gambit import parse_efg
from pokerlab.formats.opening import open_game
from pokerlab.lab.solve.solving import solve
from pokerlab.solvers.analysis.beliefs import cleaned, limit_beliefs
from pokerlab.solvers.analysis.rationality import rationality
from pokerlab.solvers.cfr.fixed import trembles
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form
from published.refinements import GUESS_THE_ACE

SCHEDULES = ["cfr", "cfr+(alternating=False)", "linear-cfr(alternating=False)", "dcfr", "pcfr+"]

DEALT = (  # two of three players have a card, all see what is done, and one acts twice: values of play flow up
    Level(-1, 2, (True, False, False)),
    Level(-1, 2, (False, True, False)),
    Level(0, 2, (True, True, True)),
    Level(1, 3, (True, True, True)),
    Level(2, 2, (True, True, True)),
    Level(0, 2, (True, True, True)),
)


def solved(form: SequenceForm, spec: str, iterations: int = 1) -> np.ndarray:
    solver = registry.load("algorithms", spec).start(form)
    solver.advance(iterations)
    return np.asarray(solver.profile())


def worst_loss(form: SequenceForm, profile: np.ndarray) -> float:
    """The most that can be gained at any infoset, as a part of the stakes."""
    kept = cleaned(form, profile)
    return float(rationality(form, kept, limit_beliefs(form.tree, kept)).loss.max() / form.max_abs_payoff)


@given(game=random_games(players=2, zero_sum=True))
@settings(max_examples=4)
def test_the_program_is_an_equilibrium_of_the_game_with_trembles(game: RandomGame) -> None:
    """No infoset, however seldom it is reached, has a better action than those that are taken on purpose."""
    form = sequence_form(build(game))
    if not form.tree.slots or not form.max_abs_payoff:
        return
    for tremble in (0.2, 1e-5):
        profile = solved(form, f"lp(tremble={tremble})")
        actions = np.repeat(np.diff(form.tree.start), np.diff(form.tree.start))
        assert (profile >= tremble / actions * (1 - 1e-9)).all()
        beliefs = limit_beliefs(form.tree, profile)
        value = rationality(form, profile, beliefs).action_value
        best = np.repeat(np.maximum.reduceat(value, form.tree.start[:-1]), np.diff(form.tree.start))
        meant = profile > tremble / actions * (1 + 1e-4)
        assert value[meant] == pytest.approx(best[meant], abs=1e-5 * form.max_abs_payoff)


def test_what_is_used_is_not_paid_for_in_vain() -> None:
    """A game of which rounds of refinement find a point and prices that are both possible, and not of each other."""
    levels = (
        Level(0, 3, (False, True)),
        Level(0, 2, (True, False)),
        Level(0, 2, (False, False)),
        Level(1, 1, (True, False)),
        Level(0, 2, (False, True)),
        Level(0, 3, (True, False)),
        Level(-1, 1, (True, False)),
    )
    form = sequence_form(build(RandomGame(2, levels, 444517, True)))
    assert worst_loss(form, solved(form, "lp(tremble=0.01)")) < 0.02


@pytest.mark.parametrize("game", ["kuhn", "one-card(cards=5)", "goofspiel(cards=4)"])
def test_the_value_is_that_of_the_game_and_no_infoset_is_played_badly(game: str) -> None:
    form = sequence_form(build(open_game(game)))
    plain, refined = solved(form, "lp"), solved(form, "lp(tremble=1e-7)")
    assert worst_loss(form, refined) < 1e-5
    low, high = form.measure(refined).bounds
    value = form.measure(plain).values[0]
    assert low <= value <= high
    assert high - low < 1e-5 * form.max_abs_payoff


@pytest.mark.parametrize("tremble", [0.1, 0.012, 1e-6, 1e-9])
def test_actions_that_are_worth_the_same_stay_so(tremble: float) -> None:
    """With thirds of a tremble rounded, the program has no optimum that floats would ever find."""
    form = sequence_form(build(open_game("phantom-tictactoe(rows=1, columns=3, line=2)")))
    profile = solved(form, f"lp(tremble={tremble})")
    assert worst_loss(form, profile) < 2 * tremble
    low, high = form.measure(profile).bounds
    assert low <= 1 <= high <= low + tremble


@pytest.mark.parametrize("tremble", [0.001, pytest.param(1e-6, marks=pytest.mark.slow)])
def test_a_program_of_many_levels_of_reach_is_solved(tremble: float) -> None:
    """Where the scale of the residual grows too fast, corrections lie out of reach, and no round ends."""
    form = sequence_form(build(open_game("leduc-nolimit(stack=4)")))
    profile = solved(form, f"lp(tremble={tremble})")
    assert worst_loss(form, profile) < 2 * tremble
    low, high = form.measure(profile).bounds
    assert low <= -0.04420099 <= high <= low + 3 * tremble  # the value by the linear program without trembles


@pytest.mark.slow
def test_leduc_is_played_well_everywhere() -> None:
    form = sequence_form(build(open_game("leduc")))
    assert worst_loss(form, solved(form, "lp")) > 0.5
    assert worst_loss(form, solved(form, "lp(tremble=1e-6)")) < 1e-6
    assert worst_loss(form, solved(form, "trembling(tremble=0.001)", 20_000)) < 0.0015


@pytest.mark.parametrize("spec", ["lp(tremble=1e-6)", "trembling(tremble=0.001)"])
def test_the_sensible_guess_is_found(spec: str) -> None:
    """Player 2 is never asked in equilibrium, so that every guess is one; the sensible guess is 51 times as good."""
    form = sequence_form(build(parse_efg(GUESS_THE_ACE)))
    profile = dict(zip(("stop", "play", "ace", "other"), solved(form, spec, 1 if "lp" in spec else 3000), strict=True))
    assert profile["stop"] > 0.999
    assert profile["other"] > 0.999
    assert worst_loss(form, np.array([1.0, 0.0, 1.0, 0.0])) == pytest.approx(50 / 52)


@pytest.mark.uncompiled
@pytest.mark.parametrize("schedule", SCHEDULES)
@given(game=random_games())
@example(game=RandomGame(3, DEALT, 5, False))
@settings(max_examples=2)
def test_iterates_match_plain_recursion(schedule: str, game: RandomGame) -> None:
    """Over the change from one tremble to the next, too."""
    tree = build(game)
    algorithm = registry.load("algorithms", f"trembling(schedule={schedule!r}, tremble=0.03)")
    solver = algorithm.start(tree)
    solver.advance(19)
    rule = registry.load("algorithms", schedule).schedule
    expected = naive.scheduled_cfr(game, tree, rule, trembles(0.03, 1, 19))
    for name, ours in named(tree, solver.profile()).items():
        assert ours == pytest.approx(expected[name], abs=1e-9)


@pytest.mark.parametrize("cut_at", [16, 21])  # the last of a stage, and within one
def test_cut_and_restored_anywhere_is_the_same_run(cut_at: int) -> None:
    levels = (Level(-1, 3, (True, False)), Level(0, 2, (True, True)), Level(1, 3, (True, True)))
    tree = build(RandomGame(2, levels, 5, True))
    whole, cut = (registry.load("algorithms", "trembling(tremble=0.02)").start(tree) for _ in range(2))
    whole.advance(40)
    cut.advance(cut_at)
    kept = {name: array.copy() for name, array in cut.arrays().items()}
    cut.advance(50)
    cut.restore(kept)
    cut.advance(40 - cut_at)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, cut.arrays()[name])


def test_hands_tremble_less_and_less() -> None:
    found = trembles(0.001, 1, 2000)
    assert found[0] == 0.1
    assert found[-1] == 0.001
    assert (np.diff(found) <= 0).all()
    assert len(set(found.tolist())) == 5
    assert set(trembles(0.3, 1, 100).tolist()) <= {0.3}


def test_without_a_limit_it_runs_long_enough_to_play_well_off_the_path() -> None:
    """A target would be reached before: exploitability does not tell how well is played where play never comes."""
    found = solve("kuhn", algorithm="trembling")
    assert found.iterations == 10_000
    assert solve("kuhn", algorithm="trembling", target=1e-3).iterations < 1000
    form = sequence_form(build(open_game("leduc")))
    assert worst_loss(form, solved(form, "trembling", 10_000)) < worst_loss(form, solved(form, "trembling", 600)) / 2


def test_what_does_not_go_together_is_told() -> None:
    with pytest.raises(BadSetting, match="leave method and tolerance out"):
        registry.load("algorithms", "lp(method=ipm, tremble=0.01)")
    for other in ("lp", "external", "trembling", "cfr-br"):
        with pytest.raises(BadSetting, match="no schedule to tremble with"):
            registry.load("algorithms", f"trembling(schedule={other!r})")
    with pytest.raises(BadSetting, match="tremble"):
        registry.load("algorithms", "lp(tremble=1e-12)")
    with pytest.raises(BadGame, match="has 3 players"):
        registry.load("algorithms", "lp(tremble=0.01)").start(build(open_game("kuhn(players=3)")))
    three = registry.load("algorithms", "trembling").start(build(open_game("kuhn(players=3)")))
    three.advance(200)
    assert three.measure().epsilon < 0.1
