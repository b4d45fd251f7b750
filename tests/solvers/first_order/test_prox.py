"""Prox functions do what their definitions say, on any treeplex."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as draw

from naive.first_order import Treeplex, own_parts
from naive.random_game import RandomGame, random_games
from pokerlab.formats.opening import open_game
from pokerlab.tree._kernels.prox import Workspace, prox_map
from pokerlab.tree.history.layout import build
from pokerlab.tree.normal import normal_form
from pokerlab.tree.sequence import SequenceForm, sequence_form
from pokerlab.tree.smoothing import prox_of

PROXES = ["entropy", "euclidean"]
GAMES = random_games(players=2, zero_sum=True)


def form_of(game: RandomGame | str) -> SequenceForm:
    return sequence_form(build(open_game(game) if isinstance(game, str) else game))


def random_behaviour(tree: Treeplex, numbers: np.random.Generator, concentration: float = 0.5) -> list[np.ndarray]:
    return [np.maximum(numbers.dirichlet(mix * 0 + concentration), 1e-9) for mix in tree.uniform()]


def normalised(behaviour: list[np.ndarray]) -> list[np.ndarray]:
    return [mix / mix.sum() for mix in behaviour]


@pytest.mark.uncompiled
@pytest.mark.parametrize("name", PROXES)
@given(GAMES, draw.floats(1e-3, 1e2))
@settings(max_examples=15)
def test_prox_maps_match_their_plain_twins(name: str, game: RandomGame, smoothing: float) -> None:
    """From the centre and from another prior, gradients of any size."""
    form = form_of(game)
    numbers = np.random.default_rng(game.seed)
    treeplexes, work = form.treeplexes, Workspace(np.zeros(form.sequences), np.zeros(form.sequences))
    prox = prox_of(treeplexes, name)
    for player in (0, 1):
        tree, own = Treeplex(form, player, name == "entropy"), form.sequences_of(player)
        assert prox.weight[form.treeplexes.infosets[player, 0] : form.treeplexes.infosets[player, 1]] == pytest.approx(
            tree.weight
        )
        for prior in (tree.uniform(), normalised(random_behaviour(tree, numbers))):
            gradient = numbers.normal(size=form.sequences)
            point, plan = np.full(form.sequences, np.nan), np.ones(form.sequences)
            start = np.full(form.sequences, np.nan)
            start[own] = np.log(np.concatenate([[], *prior])) if name == "entropy" else np.concatenate([[], *prior])
            work.value[:] = gradient
            worth = prox_map(np.uint64(player), smoothing, treeplexes.arrays, prox, start, point, plan, work)
            behaviour, expected = tree.prox(np.concatenate([[gradient[player]], gradient[own]]), smoothing, prior)
            assert worth == pytest.approx(expected, abs=1e-10)
            assert plan[own] == pytest.approx(tree.plan(behaviour)[1:], abs=1e-10)
            kept = np.exp(point[own]) if name == "entropy" else point[own]
            assert kept == pytest.approx(np.concatenate([[], *behaviour]), abs=1e-10)


@pytest.mark.parametrize("name", PROXES)
@given(GAMES)
@settings(max_examples=15)
def test_no_other_plan_is_better(name: str, game: RandomGame) -> None:
    """The worth is that of the plan, by the definition of the divergence, and random plans are worth less."""
    form = form_of(game)
    numbers = np.random.default_rng(game.seed)
    for player in (0, 1):
        tree = Treeplex(form, player, name == "entropy")
        prior, gradient = normalised(random_behaviour(tree, numbers)), numbers.normal(size=tree.size)
        behaviour, worth = tree.prox(gradient, 0.7, prior)
        plan = tree.plan(behaviour)
        assert gradient @ plan - 0.7 * tree.divergence(plan, prior) == pytest.approx(worth, abs=1e-9)
        for _ in range(5):
            other = tree.plan(normalised(random_behaviour(tree, numbers)))
            assert gradient @ other - 0.7 * tree.divergence(other, prior) <= worth + 1e-9


@pytest.mark.parametrize("name", PROXES)
@given(GAMES)
@settings(max_examples=15)
def test_prox_functions_are_strongly_convex(name: str, game: RandomGame) -> None:
    """A divergence is at least half the squared distance, near and far."""
    form = form_of(game)
    numbers = np.random.default_rng(game.seed)
    for player in (0, 1):
        tree = Treeplex(form, player, name == "entropy")
        for concentration in (0.05, 0.5, 20.0):
            here, there = (normalised(random_behaviour(tree, numbers, concentration)) for _ in range(2))
            plan, other = tree.plan(here), tree.plan(there)
            assert tree.divergence(plan, there) >= 0.5 * ((plan - other) ** 2).sum() - 1e-12


@pytest.mark.parametrize("name", PROXES)
@given(GAMES)
@settings(max_examples=15)
def test_divergences_are_bregman_divergences(name: str, game: RandomGame) -> None:
    """d(q) - d(p) - gradient d(p) (q - p), the gradient by differences, d being the divergence from the centre."""
    form = form_of(game)
    tree = Treeplex(form, 0, name == "entropy")
    assume(tree.infosets)
    numbers = np.random.default_rng(game.seed)
    here, there = (normalised(random_behaviour(tree, numbers, 5.0)) for _ in range(2))
    plan, other, step = tree.plan(here), tree.plan(there), 1e-6

    def function(point: np.ndarray) -> float:
        return dilated(tree, point)

    slope = [(function(other + step * unit) - function(other - step * unit)) / (2 * step) for unit in np.eye(tree.size)]
    expected = function(plan) - function(other) - np.array(slope)[1:] @ (plan - other)[1:]
    assert tree.divergence(plan, there) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def dilated(tree: Treeplex, point: np.ndarray) -> float:
    """The prox function of numbers that need not be a plan."""
    total = 0.0
    for (parent, sequences), weight in zip(tree.infosets, tree.weight, strict=True):
        mix, above = point[sequences] / point[parent], point[parent]
        local = (mix * np.log(mix)).sum() if tree.entropy else 0.5 * (mix * mix).sum()
        total += weight * above * local
    return float(total)


@pytest.mark.parametrize("name", PROXES)
@pytest.mark.parametrize("game", ["kuhn", "one-card(cards=4)", RandomGame(2, (), 1, True)])
def test_diameters_are_those_of_the_farthest_pure_plan(name: str, game: str | RandomGame) -> None:
    form = form_of(game)
    prox = prox_of(form.treeplexes, name)
    for player, plans in enumerate(normal_form(form).plans):
        tree = Treeplex(form, player, name == "entropy")
        assert prox.diameter[player] == pytest.approx(max(tree.divergence(plan, tree.uniform()) for plan in plans))


@given(random_games(players=2, zero_sum=True, whole=True))
@settings(max_examples=25)
def test_the_norm_is_bounded(game: RandomGame) -> None:
    form = form_of(game)
    found, exact = form.smoothed("entropy").norm, np.linalg.norm(form.matrix.toarray(), 2)
    assert found >= exact * (1 - 1e-12)
    assert found <= max(exact, 0.1) * np.sqrt(max(form.matrix.shape)) + 1


def test_plans_and_behaviour_are_those_of_the_form() -> None:
    form = form_of("leduc(ranks=3, suits=1, raises=1)")
    smoothed = form.smoothed("entropy")
    profile = np.random.default_rng(1).random(form.tree.slots)
    profile /= np.repeat(np.add.reduceat(profile, form.tree.start[:-1]), np.diff(form.tree.start))
    assert np.array_equal(smoothed.plan(np.concatenate([np.ones(2), profile])), form.plan(profile))
    assert np.allclose(smoothed.behaviour(form.plan(profile))[2:], profile)
    assert [len(part) for part in own_parts(form, form.plan(profile))] == list(form.matrix.shape)
