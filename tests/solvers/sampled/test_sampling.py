"""Sampled regrets are unbiased, whatever the sampler; sampling nothing is plain CFR; runs depend on the seed alone."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from naive.random_game import Level, RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.sampled._kernels.sampling import walk
from pokerlab.solvers.cfr.sampled.sampler import SampledSolver, Sampler, walkable
from pokerlab.solvers.library.pure import PureSolver
from pokerlab.tree.history.layout import HistoryTree, build
from pokerlab.tree.sequence import sequence_form
from pokerlab.tree.units import whole_payoffs

SAMPLERS = [
    Sampler("chance", others="enumerate"),
    Sampler("public-chance", chance="public", others="enumerate"),
    Sampler("external"),
    Sampler("outcome", own="explore", exploration=0.5),
    Sampler("average-sampling", own="average", exploration=0.2, bonus=2.0, threshold=1.5),
    Sampler("pure", own="pure"),
]
NOTHING = Sampler("nothing", chance="enumerate", others="enumerate")
FAMILY = ["cfr", "cfr+", "linear_cfr", "dcfr", "pcfr+"]
POKER = (  # a hidden card each, a bet, a public card, an answer and another
    Level(-1, 3, (True, False)),
    Level(-1, 2, (False, True)),
    Level(0, 2, (True, True)),
    Level(-1, 3, (True, True)),
    Level(1, 3, (True, True)),
    Level(0, 2, (True, True)),
)
THREE = (
    Level(-1, 2, (True, False, False)),
    Level(0, 2, (True, True, False)),
    Level(1, 3, (True, True, True)),
    Level(2, 2, (True, False, True)),
    Level(1, 2, (True, True, True)),
)
ALONE = (
    Level(-1, 2, (True,)),
    Level(0, 3, (True,)),
    Level(-1, 3, (False,)),
    Level(0, 2, (True,)),
)
GAMES = [RandomGame(2, POKER, 3, True), RandomGame(3, THREE, 4, False), RandomGame(1, ALONE, 5, False)]
BATCHES, WALKS = 30, 1500


def random_profile(tree: HistoryTree, seed: int) -> np.ndarray:
    weights = np.random.default_rng(seed).random(tree.slots) + 0.05
    return weights / np.repeat(np.add.reduceat(weights, tree.start[:-1]), np.diff(tree.start))


def assert_mean(batches: np.ndarray, expected: np.ndarray) -> None:
    """Every mean within a confidence interval that all of them leave once in a million times."""
    mean, error = batches.mean(axis=0), batches.std(axis=0, ddof=1) / np.sqrt(len(batches))
    widths = stats.t.ppf(1 - 0.5e-6 / len(expected), len(batches) - 1) * error + 1e-9
    assert np.all(np.abs(mean - expected) <= widths), np.column_stack([mean, expected, widths])


@numba.njit
def walk_often(times, player, sampling, tree, buffers, sums, state):  # type: ignore[no-untyped-def]
    for _ in range(times):
        count, _size = walk(player, 1.0, sampling, tree, buffers, sums, 0, state)
        for position in range(count):
            buffers.mark[buffers.touched[position]] = False


def estimate(solver: SampledSolver, profile: np.ndarray, player: int) -> tuple[np.ndarray, np.ndarray]:
    """Means over walks in which all play a profile: sampled regrets, and weights in the next player's average."""
    delta, average = np.zeros((2, len(profile)))
    sums = solver.sums._replace(current=profile, average=average, delta=delta)
    walk_often(WALKS, np.uint32(player), solver._sampling, solver._tree, solver._buffers, sums, solver.random)
    return delta / WALKS, average / WALKS


def average_weights(tree: HistoryTree, profile: np.ndarray, player: int) -> np.ndarray:
    """What an average of a player should gain a walk: his own reach times chance's, summed over histories."""
    form = sequence_form(tree)
    plan = form.plan(profile)[tree.players :]
    chance = np.ones(tree.nodes)
    dealt = np.zeros(tree.infosets)
    for node in range(tree.nodes):
        if node:
            chance[node] = chance[tree.parent[node]] * tree.probability[node]
        if tree.actor[node] == player:
            dealt[tree.label[node]] += chance[node]
    return plan * np.repeat(dealt, np.diff(tree.start))


@pytest.mark.parametrize("game", GAMES, ids=["two", "three", "one"])
@pytest.mark.parametrize("sampler", SAMPLERS, ids=lambda sampler: sampler.name)
def test_sampled_regrets_and_averages_are_unbiased(sampler: Sampler, game: RandomGame) -> None:
    form = sequence_form(build(game))
    profile = random_profile(form.tree, 8)
    solver = SampledSolver(form, sampler, registry.load("algorithms", "cfr").schedule, seed=11)
    for player in range(game.players):
        drawn = [estimate(solver, profile, player) for _ in range(BATCHES)]
        of_player = np.repeat(form.tree.infoset_player, np.diff(form.tree.start)) == player
        assert_mean(np.array([delta for delta, _ in drawn]), np.where(of_player, form.regrets(profile), 0.0))
        following = (player + 1) % game.players
        assert_mean(np.array([average for _, average in drawn]), average_weights(form.tree, profile, following))


@pytest.mark.uncompiled
@pytest.mark.parametrize("name", FAMILY)
@given(game=random_games(zero_sum=False) | random_games(players=1))
@settings(max_examples=8, deadline=None)
def test_sampling_nothing_is_plain(name: str, game: RandomGame) -> None:
    form = sequence_form(build(game))
    for alternating in (True, False):
        algorithm = registry.load("algorithms", f"{name}(alternating={alternating})")
        whole, walked = algorithm.start(form), SampledSolver(form, NOTHING, algorithm.schedule, seed=0)
        # A walk predicts what an infoset last saw, also where play has left it since: the same for two steps only.
        steps = 2 if name == "pcfr+" else 5
        whole.advance(steps)
        walked.advance(steps)
        assert settled(walked) == pytest.approx(whole.sums.regret[game.players :], abs=1e-9)
        if not alternating:
            assert form.plan(walked.profile()) == pytest.approx(form.plan(whole.profile()), abs=1e-9)


def settled(solver: SampledSolver) -> np.ndarray:
    """Regrets with what has faded since their last update."""
    factor = np.exp(solver.sums.logs[:2] - solver.sums.seen)  # [I, 2]
    spread = np.repeat(factor, np.diff(solver.form.tree.start), axis=0)
    return np.where(solver.sums.regret > 0, spread[:, 0], spread[:, 1]) * solver.sums.regret


@pytest.mark.parametrize(
    "spec", [sampler.name for sampler in SAMPLERS] + ["external(schedule=dcfr)", "pure(schedule=dcfr)"]
)
def test_cut_and_restored_anywhere_is_the_same_run(spec: str) -> None:
    tree = build(RandomGame(2, POKER, 5, True, whole=True))
    whole, cut, other = (registry.load("algorithms", spec).start(tree, seed=seed) for seed in (3, 3, 4))
    whole.advance(60)
    other.advance(60)
    cut.advance(23)
    kept = {name: array.copy() for name, array in cut.arrays().items()}
    cut.advance(50)
    cut.restore(kept)
    cut.advance(37)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, cut.arrays()[name]), name
    assert not np.array_equal(whole.profile(), other.profile())


def test_whole_numbers_and_floats_agree_on_pure() -> None:
    """Pure CFR in whole numbers estimates the same regrets: its first walk from uniform play is unbiased."""
    game = RandomGame(2, POKER, 9, True, whole=True)
    form = sequence_form(build(game))
    exact = form.regrets(form.tree.uniform())
    whole = whole_payoffs(form.tree.returns)
    assert whole is not None
    assert whole[1] == 1
    solver, batches = PureSolver(form, *whole, seed=12), []
    start = solver.arrays()
    for _ in range(BATCHES):
        sums = np.zeros(form.tree.slots)
        for _ in range(600):
            solver.restore(start | {"random": solver.random})
            solver.advance(1)
            sums += solver.arrays()["regret"]
        batches.append(sums / 600)
    first = np.repeat(form.tree.infoset_player, np.diff(form.tree.start)) == 0  # the second walks after an update
    assert_mean(np.array(batches)[:, first], exact[first])


def test_public_chance_nodes_are_found() -> None:
    tree = build(RandomGame(2, POKER, 3, True))
    public = walkable(tree, find_public=True).public
    depths = np.array([len(tree.path(node)) for node in range(tree.nodes)])
    assert set(depths[public]) == {3}
    assert np.count_nonzero(public) == np.count_nonzero((tree.actor == -1) & (depths == 3))


@pytest.mark.parametrize(
    "spec",
    [
        "outcome(exploration=0)",
        "outcome(exploration=2)",
        "external(schedule=lp)",
        "average-sampling(bonus=-1)",
        "external(schedule=3)",
    ],
)
def test_bad_settings_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        registry.load("algorithms", spec)
