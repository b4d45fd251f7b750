"""Scheduled CFR on arrays does what the definitions say, on any game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from naive import solve as naive
from naive.random_game import Level, RandomGame, random_games
from pokerlab import registry
from pokerlab.formats.opening import open_game
from pokerlab.tree.form import build_form
from pokerlab.tree.history.layout import build
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import sequence_form

SPECS = [
    f"{name}(alternating={alternating})"
    for name in ("cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+")
    for alternating in (True, False)
]


DEALT = (  # a card each, then check or bet, three answers, call or fold
    Level(-1, 3, (True, False)),
    Level(-1, 3, (False, True)),
    Level(0, 2, (True, True)),
    Level(1, 3, (True, True)),
    Level(0, 2, (True, True)),
)


def random_profile(slots: int, start: np.ndarray, seed: int) -> np.ndarray:
    weights = np.random.default_rng(seed).random(slots) + 0.01
    sums = np.add.reduceat(weights, start[:-1]) if slots else np.ones(0)
    return weights / np.repeat(sums, np.diff(start))


@pytest.mark.uncompiled
@given(random_games())
@settings(max_examples=40, deadline=None)
def test_measures_match_plain_recursion(game: RandomGame) -> None:
    tree = build(game)
    form = sequence_form(tree)
    profile = random_profile(tree.slots, tree.start, game.seed)
    by_name = naive.named(tree, profile)
    found = form.measure(profile)
    assert found.values == pytest.approx(naive.expected_values(game, by_name), abs=1e-12)
    for player in range(game.players):
        best = naive.best_response_value(game, by_name, player)
        assert found.best_responses[player] == pytest.approx(best, abs=1e-12)
        answer = form.best_response(profile, player=player)
        assert answer.value == pytest.approx(best, abs=1e-12)
        assert form.measure(answer.profile).values[player] == pytest.approx(best, abs=1e-12)
        for name, expected in naive.counterfactual_regrets(game, by_name, player).items():
            index = tree.infoset_names.index(name)
            ours = form.regrets(profile)[tree.start[index] : tree.start[index + 1]]
            assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.uncompiled
@pytest.mark.parametrize("spec", SPECS)
@given(game=random_games())
@settings(max_examples=8, deadline=None)
def test_iterates_match_plain_recursion(spec: str, game: RandomGame) -> None:
    tree = build(game)
    algorithm = registry.load("algorithms", spec)
    solver = algorithm.start(tree)
    solver.advance(4)
    expected = naive.scheduled_cfr(game, tree, algorithm.schedule, 4)
    for name, ours in naive.named(tree, solver.profile()).items():
        assert ours == pytest.approx(expected[name], abs=1e-9)


def test_a_pass_for_each_player_visits_every_history() -> None:
    form = build_form(open_game("leduc"), "sequence")
    algorithm = registry.load("algorithms", "cfr")
    for solver in (algorithm.start(form), algorithm.general(form, seed=0, resources=Resources())):
        solver.advance(3)
        assert solver.nodes_touched == 3 * 2 * form.nodes_per_pass


@given(game=random_games(players=2, zero_sum=True))
@settings(max_examples=20, deadline=None)
def test_pruning_changes_nothing(game: RandomGame) -> None:
    tree = build(game)
    plain = registry.load("algorithms", "cfr+").start(tree)
    pruned = registry.load("algorithms", "cfr+(pruning=True)").start(tree)
    plain.advance(30)
    pruned.advance(30)
    assert pruned.profile() == pytest.approx(plain.profile(), abs=1e-9)
    assert pruned.nodes_touched <= plain.nodes_touched


@pytest.mark.parametrize("spec", SPECS)
def test_cut_and_restored_anywhere_is_the_same_run(spec: str) -> None:
    game = RandomGame(2, DEALT, 5, True)
    whole, cut = (registry.load("algorithms", spec).start(build(game)) for _ in range(2))
    whole.advance(20)
    cut.advance(7)
    kept = {name: array.copy() for name, array in cut.arrays().items()}
    cut.advance(50)
    cut.restore(kept)
    cut.advance(13)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, cut.arrays()[name])


@pytest.mark.uncompiled
@pytest.mark.parametrize("alternating", [True, False])
@given(game=random_games())
@settings(max_examples=10, deadline=None)
def test_fictitious_play_matches_plain_recursion(alternating: bool, game: RandomGame) -> None:
    tree = build(game)
    solver = registry.load("algorithms", f"fictitious-play(alternating={alternating})").start(tree)
    solver.advance(5)
    expected = naive.fictitious_play(game, tree, 5, alternating=alternating)
    for name, ours in naive.named(tree, solver.profile()).items():
        assert ours == pytest.approx(expected[name], abs=1e-9)
