"""Beliefs and sequential rationality: against fractions and plain recursion, and the textbooks' games."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings

from naive import assessing as naive
from naive.random_game import Level, RandomGame, random_games
from naive.solve import named
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.solvers.analysis.beliefs import Beliefs, cleaned, consistency, limit_beliefs
from pokerlab.solvers.analysis.rationality import rationality
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

SMALL = Fraction(1, 10**14)
DEEP = (  # two players act twice: infosets take up to three accidents, and some hold histories of several numbers
    Level(-1, 2, (True, False, False)),
    Level(0, 3, (True, True, True)),
    Level(1, 2, (False, True, True)),
    Level(0, 2, (True, True, False)),
    Level(1, 3, (True, True, True)),
    Level(2, 2, (True, True, True)),
)


def some_profile(form: SequenceForm, seed: int) -> np.ndarray:
    """Random probabilities, a third of them zero."""
    rng = np.random.default_rng(seed)
    tree = form.tree
    weights = rng.random(tree.slots) * (rng.random(tree.slots) > 1 / 3)
    for first, last in zip(tree.start[:-1], tree.start[1:], strict=True):
        if weights[first:last].sum() == 0:
            weights[first + rng.integers(last - first)] = 1.0
        weights[first:last] /= weights[first:last].sum()
    return weights


def of_infosets(beliefs: Beliefs, tree_names: list[str]) -> dict[str, list[float]]:
    """Shares by infoset, in the order of nodes."""
    tree, found = beliefs.tree, {}
    for index, name in enumerate(tree_names):
        nodes = np.flatnonzero((tree.actor >= 0) & (tree.label == index))
        found[name] = sorted(beliefs.share[nodes].tolist())
    return found


@given(game=random_games())
@example(game=RandomGame(3, DEEP, 3, False))
@settings(max_examples=8)
def test_beliefs_are_the_limit_of_bayes_rule(game: RandomGame) -> None:
    form = sequence_form(build(game))
    profile = some_profile(form, game.seed)
    accidents = some_profile(form, game.seed + 1) * 0.5 + 0.5 * form.tree.uniform()  # not uniform, and all happen
    names = form.tree.infoset_names
    expected = naive.beliefs(game, named(form.tree, profile), named(form.tree, accidents), SMALL)
    found = limit_beliefs(form.tree, profile, accidents)
    for name, shares in of_infosets(found, list(names)).items():
        assert shares == pytest.approx(sorted(share for _, share in expected[name]), abs=1e-9)
    far = consistency(found, profile, accidents=accidents)
    assert not len(far.fails())
    if far.largest[0] > 1e-6:  # it is a sequence that converges, not one that is there at once
        assert far.largest[-1] < far.largest[0] / 1e6


@given(game=random_games())
@example(game=RandomGame(3, DEEP, 3, False))
@settings(max_examples=8)
def test_reach_is_that_of_the_profile_and_accidents_are_counted(game: RandomGame) -> None:
    form = sequence_form(build(game))
    profile = some_profile(form, game.seed)
    uniform = named(form.tree, form.tree.uniform())
    exact = naive.reaches(game, named(form.tree, profile), uniform, Fraction(0))
    trembling = naive.reaches(game, named(form.tree, profile), uniform, SMALL)
    found = limit_beliefs(form.tree, profile)
    for index, name in enumerate(form.tree.infoset_names):
        reach = float(sum(one for _, one in exact[name]))
        assert found.reach[index] == pytest.approx(reach, abs=1e-12)
        assert (found.accidents[index] == 0) == (reach > 0)
        order = np.log(float(sum(one for _, one in trembling[name]))) / np.log(float(SMALL))
        assert round(order) == found.accidents[index]


@given(game=random_games())
@example(game=RandomGame(3, DEEP, 3, False))
@settings(max_examples=6)
def test_losses_are_those_of_plain_recursion(game: RandomGame) -> None:
    form = sequence_form(build(game))
    tree = form.tree
    profile = some_profile(form, game.seed)
    beliefs = limit_beliefs(tree, profile)
    _compare(game, form, profile, beliefs)


@given(game=random_games())
@example(game=RandomGame(3, DEEP, 3, False))
@settings(max_examples=6)
def test_losses_under_beliefs_of_ones_own(game: RandomGame) -> None:
    """Beliefs that no profile gives: those at a later infoset are not the earlier ones moved on."""
    form = sequence_form(build(game))
    tree = form.tree
    weights = np.random.default_rng(game.seed).random(tree.nodes) * (tree.actor >= 0)
    totals = np.bincount(tree.label[tree.decisions], weights[tree.decisions], tree.infosets)
    weights[tree.decisions] /= totals[tree.label[tree.decisions]]
    zeros = np.zeros(tree.infosets)
    _compare(game, form, some_profile(form, game.seed), Beliefs(tree, weights, zeros.astype(np.int64), zeros))


def _compare(game: RandomGame, form: SequenceForm, profile: np.ndarray, beliefs: Beliefs) -> None:
    tree, found = form.tree, rationality(form, profile, beliefs)
    states = {tuple(map(int, tree.path(node))): node for node in range(tree.nodes)}
    told = naive.reaches(game, named(tree, profile), named(tree, profile), Fraction(0))
    believed = {
        name: [(state, float(beliefs.share[states[state]])) for state, _ in members] for name, members in told.items()
    }
    for index, name in enumerate(tree.infoset_names):
        player = int(tree.infoset_player[index])
        alone, whole = naive.gains(game, named(tree, profile), believed, name, player)
        assert found.one_shot[index] == pytest.approx(max(alone, 0.0), abs=1e-9)
        assert found.loss[index] == pytest.approx(max(whole, 0.0), abs=1e-9)
        assert tree.start[index] <= found.better[index] < tree.start[index + 1]


def test_rounding_is_no_accident() -> None:
    """An action that a program takes with 1e-17 is not taken, and a branch of the game is off the path."""
    form = sequence_form(build(open_game("kuhn")))
    profile = form.tree.uniform()
    first = form.tree.infoset_names.index("K:")
    slots = slice(form.tree.start[first], form.tree.start[first + 1])
    profile[slots] = 1e-17, 1 - 1e-17
    kept = cleaned(form, profile)
    assert kept[slots].tolist() == [0.0, 1.0]
    assert limit_beliefs(form.tree, kept).accidents[form.tree.infoset_names.index("K:cr")] == 1
    assert cleaned(form, profile, never=0)[slots].tolist() == profile[slots].tolist()
    profile[slots] = 0.2, 0.8
    assert cleaned(form, profile, never=0.2)[slots].tolist() == [0.2, 0.8]
    assert cleaned(form, profile, never=0.9)[slots].tolist() == [0.0, 1.0]  # the likeliest action stays
    assert np.add.reduceat(cleaned(form, profile, never=0.3), form.tree.start[:-1]).tolist() == [1.0] * 12
    with pytest.raises(BadSetting, match="from 0 to below 1"):
        cleaned(form, profile, never=1.5)


def test_of_equal_actions_the_first_is_told() -> None:
    form = sequence_form(build(open_game("matching-pennies")))
    profile = form.tree.uniform()
    found = rationality(form, profile, limit_beliefs(form.tree, profile))
    assert found.better.tolist() == form.tree.start[:-1].tolist()
    assert found.loss.tolist() == [0.0, 0.0]


def test_beliefs_against_trembles_that_are_others() -> None:
    """Beliefs of uniform trembles are not the limit of trembles with a king alone, and it is told where."""
    form = sequence_form(build(open_game("kuhn")))
    tree = form.tree
    table = {(0, name): actions for name, actions in zip(tree.infoset_names, tree.action_names, strict=True)}
    profile = np.concatenate([[1.0, *[0.0] * (len(actions) - 1)] for actions in table.values()])  # check, fold
    beliefs = limit_beliefs(tree, profile)
    accidents = tree.uniform()
    for name, share in (("J:", 1e-9), ("Q:", 1e-9)):
        first = tree.start[tree.infoset_names.index(name)]
        accidents[first : first + 2] = 1 - share, share
    found = consistency(beliefs, profile, accidents=accidents)
    wrong = {tree.infoset_names[index] for index in found.fails()}
    assert wrong == {"J:r", "Q:r"}  # with a king a player knows that it is not his opponent's
    assert not len(consistency(beliefs, profile).fails())
