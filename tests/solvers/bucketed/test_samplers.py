"""Samplers on the bucketed form: unbiased, as their plain twins, and as good as those of the sequence form."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from tests.abstraction.test_buckets import random_buckets
from tests.naive import bucketed_sampling as naive
from tests.solvers.sampled.test_sampling import assert_mean, average_weights

from pokerlab import registry
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.solvers.bucketed._kernels.matching import rounded
from pokerlab.solvers.bucketed._kernels.sampling import PRUNED
from pokerlab.solvers.bucketed._kernels.tables import deal_key, walk_key
from pokerlab.solvers.bucketed.sampled import BucketedSampled
from pokerlab.solvers.bucketed.walks import BELOW_LIMIT
from pokerlab.solvers.cfr.sampled.sampler import Sampler, seed_word
from pokerlab.tree.bucketed._kernels.deals import draw_cards, make_deals
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.history.layout import build
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm, sequence_form

CHANCE = Sampler("chance", others="enumerate")
PUBLIC = Sampler("public-chance", chance="public", others="enumerate")
EXTERNAL = Sampler("external")
OUTCOME = Sampler("outcome", own="explore", exploration=0.5)
AVERAGE = Sampler("average-sampling", own="average", exploration=0.2, bonus=2.0, threshold=1.5)
SAMPLERS = [CHANCE, PUBLIC, EXTERNAL, OUTCOME, AVERAGE]
NAMES = [sampler.name for sampler in SAMPLERS]
PLAIN = registry.load("algorithms", "cfr").schedule
BATCHES, WALKS = 24, 1200


def two_cards() -> PokerGame:
    """Two private cards and one public one of a deck of seven, uneven stacks that leave a bet half called."""
    rules = Rules(
        players=2,
        deck=Deck.of("23456QK", "a"),
        rounds=(Round(private=2, bet=2, raises=1), Round(public=1, bet=3, raises=1)),
        limit="fixed",
        antes=(1, 2),
        stacks=(9, 4),
        odd_chips="split",
    )
    return PokerGame(rules, "two cards")


def drawn_buckets(game: PokerGame, counts: tuple[int, ...], *, join: bool = False) -> Buckets:
    """Buckets drawn by chance, in tables of the type that lossless ones have: the same machine code runs."""
    found = random_buckets(CardRounds.of(game), counts, join=join)
    return replace(found, rounds=tuple(replace(one, table=one.table.astype(np.uint32)) for one in found.rounds))


@cache
def form_of(name: str) -> BucketedForm:
    """Games of two and three players, with even and uneven stacks, side pots, buckets that lose nothing or a lot."""
    if name == "two cards":
        game = two_cards()
        return bucketed_form(game, drawn_buckets(game, (4, 12)))
    if name == "side pots":
        game = open_game("leduc-nolimit(players=3, ranks=4, suits=1, stack=[2, 3, 5])")
        assert isinstance(game, PokerGame)
        return bucketed_form(game, drawn_buckets(game, (3, 5)))
    if name == "remembered":
        game = open_game("leduc-nolimit(stack=[5, 3])")
        assert isinstance(game, PokerGame)
        return bucketed_form(game, drawn_buckets(game, (2, 3), join=True))
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return bucketed_form(game)


def sampler_on(sampler: Sampler, name: str, *, seed: int = 5) -> BucketedSampled:
    return BucketedSampled(form_of(name), sampler, PLAIN, seed=seed)


def is_refused(sampler: Sampler, name: str) -> bool:
    return sampler.chance == "public" and form_of(name).players > 2


def acting(form: BucketedForm) -> np.ndarray:
    """The numbers that belong to an action.  # [number] bool"""
    found = np.zeros(form.numbers, bool)
    arrays = form.betting.arrays
    for node in np.flatnonzero(arrays.actor >= 0).tolist():
        for bucket in range(form.buckets.counts[arrays.round[node]]):
            found[naive.slots(form, node, bucket)] = True
    return found


def random_profile(form: BucketedForm, seed: int) -> np.ndarray:
    return np.where(acting(form), np.random.default_rng(seed).random(form.numbers) + 0.2, 0.0)


# ---- the mean of what is sampled is exact --------------------------------------------------------------------------


def where_of(form: BucketedForm, laid: SequenceForm) -> np.ndarray:
    """The number of every slot of the sequence form.  # [A]"""
    tree, deck = laid.tree, form.game.deck
    found = np.zeros(tree.slots, np.int64)
    for infoset, name in enumerate(tree.infoset_names):
        words, _, history = name.partition(":")
        hand, *board = (deck.cards(part) for part in words.split("/"))
        bucket = int(form.buckets.of(np.array([hand], np.uint8), [card for part in board for card in part])[0])
        where = naive.slots(form, form.betting.node_of(history), bucket)
        found[tree.start[infoset] : tree.start[infoset + 1]] = np.arange(where.start, where.stop)
    return found


@cache
def exact(name: str, player: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A profile, a player's exact regrets under it, and what the next one's average gains.  # [number] each"""
    form = form_of(name)
    laid = sequence_form(build(form.game))
    where = where_of(form, laid)
    profile = random_profile(form, 8)
    starts, counts = laid.tree.start[:-1].astype(np.int64), np.diff(laid.tree.start).astype(np.int64)
    weights = profile[where]
    behaviour = weights / np.repeat(np.add.reduceat(weights, starts), counts)
    mine = np.repeat(laid.tree.infoset_player, counts) == player
    regret, average = np.zeros((2, form.numbers))
    np.add.at(regret, where, np.where(mine, laid.regrets(behaviour), 0.0))
    np.add.at(average, where, average_weights(laid.tree, behaviour, (player + 1) % form.players))
    return profile, regret, average


@pytest.mark.parametrize("name", ["leduc", "kuhn(players=3)", "two cards", "side pots", "remembered"])
@pytest.mark.parametrize("sampler", SAMPLERS, ids=NAMES)
def test_sampled_regrets_and_averages_are_unbiased(sampler: Sampler, name: str) -> None:
    if is_refused(sampler, name):
        pytest.skip("two players only")
    solver, own = sampler_on(sampler, name), acting(form_of(name))
    walks = {"public-chance": WALKS // 6, "outcome": WALKS * 5}.get(sampler.name, WALKS)
    for player in range(solver.form.players):
        profile, regret, average = exact(name, player)
        drawn = [solver.estimate(profile, player=player, first=b * walks, iterations=walks) for b in range(BATCHES)]
        assert_often_mean(np.array([found for found, _ in drawn])[:, own], regret[own])
        assert_often_mean(np.array([found for _, found in drawn])[:, own], average[own])


def assert_often_mean(batches: np.ndarray, expected: np.ndarray) -> None:
    """Means within their confidence intervals, where walks come often enough for those to be told."""
    often = (batches != 0).sum(axis=0) >= 0.8 * len(batches)
    assert np.count_nonzero(often) > 0.4 * np.count_nonzero(expected)
    assert not batches[:, expected == 0].any()
    assert_mean(batches[:, often].astype(np.float64), expected[often])


# ---- kernels and their plain twins ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["leduc", "two cards", "side pots", "remembered", "kuhn(players=3)"])
@pytest.mark.parametrize("sampler", [CHANCE, EXTERNAL, OUTCOME, AVERAGE], ids=lambda sampler: sampler.name)
def test_walks_of_a_deal_are_those_of_the_twin(sampler: Sampler, name: str) -> None:
    compare_deals(sampler, name, iterations=6)


def test_actions_of_little_regret_are_left_out_as_in_the_twin() -> None:
    found = compare_deals(replace(EXTERNAL, pruning=0.2), "leduc(raises=1)", iterations=25)
    assert found < compare_deals(EXTERNAL, "leduc(raises=1)", iterations=25)


def uneven_start(solver: BucketedSampled) -> tuple[np.ndarray, np.ndarray]:
    """Regrets that are no two alike, some negative, and no average yet: what solver and twin start with, in chips."""
    start = np.random.default_rng(4).normal(size=solver.form.numbers).astype(np.float32)
    regret = np.where(acting(solver.form), start, np.float32(0))
    solver.restore(solver.arrays() | {"regret": regret})
    return regret.astype(np.float64) * solver.unit, np.zeros(solver.form.numbers)


def compare_deals(sampler: Sampler, name: str, *, iterations: int) -> int:
    """Run a kernel and its twin on the same deals; returns the nodes visited."""
    solver, form, seed = sampler_on(sampler, name), form_of(name), seed_word(5)[0]
    regret, average = uneven_start(solver)
    dealt = form.deal_buffers()
    make_deals(iterations, form.deals, dealt, np.array([deal_key(seed, 0)], np.uint64))
    limit = -sampler.pruning * form.max_abs_payoff
    for now in range(iterations):
        solver.advance(1)
        for player in range(form.players):
            key = np.uint64(walk_key(seed, now, form.players, player))
            walk = naive.Walk(
                form, sampler, player, key, dealt.bucket[now], dealt.strength[now], regret, regret, average
            )
            if sampler.pruning:
                walk.floor = limit * BELOW_LIMIT
                walk.limit = limit if naive.point(key, 0) < PRUNED else -1e300
            walk.value()
        found = solver.arrays()
        assert found["regret"] * solver.unit == pytest.approx(regret, rel=1e-4, abs=1e-4)
        assert found["average"] == pytest.approx(average, rel=1e-4, abs=1e-5)
    return solver.nodes_touched


@pytest.mark.parametrize(
    "name", ["leduc", "two cards", "remembered", "kuhn", "rhode-island(ranks=3, suits=2, raises=1)"]
)
def test_walks_of_a_board_are_those_of_the_twin(name: str) -> None:
    solver, form, seed = sampler_on(PUBLIC, name), form_of(name), seed_word(5)[0]
    regret, average = uneven_start(solver)
    cards = form.buckets.cards
    hands = list(combinations(range(cards.deck.size), cards.private))
    board = np.zeros((1, cards.boards[-1]), np.uint8)
    for now in range(3):
        solver.advance(1)
        draw_cards(1, form.deals, board, np.array([deal_key(seed, now)], np.uint64))
        for player in (0, 1):
            naive.Board(form, player, board[0].tolist(), hands).learn(regret, regret, average)
        found = solver.arrays()
        scale = float(np.abs(regret).max())
        assert found["regret"] * solver.unit == pytest.approx(regret, rel=1e-4, abs=1e-5 * scale)
        assert found["average"] == pytest.approx(average, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("exact_sum", [0.1, 3.0, 16_777_217.3, 1.7e9 + 0.2, 1e-40])
def test_rounding_by_chance_is_exact_in_the_mean(exact_sum: float) -> None:
    points = (np.arange(4000) + 0.5) / 4000
    found = np.array([rounded(exact_sum, where) for where in points], np.float64)
    step = float(np.spacing(np.float32(exact_sum)))
    assert np.unique(found).size <= 2
    assert found.mean() == pytest.approx(exact_sum, abs=step / 2000)


# ---- what is found -------------------------------------------------------------------------------------------------

ENOUGH = {"external": 15_000, "outcome": 60_000, "average-sampling": 15_000, "chance": 8_000, "public-chance": 3_000}


@pytest.mark.parametrize("name", ["leduc(ranks=4, suits=1)", "kuhn(players=3)"])  # no two cards are alike in them
@pytest.mark.parametrize("spec", list(ENOUGH))
def test_as_far_from_equilibrium_as_on_the_sequence_form(spec: str, name: str) -> None:
    if is_refused(SAMPLERS[NAMES.index(spec)], name):
        pytest.skip("two players only")
    algorithm, iterations = registry.load("algorithms", spec), ENOUGH[spec]
    forms = {"sequence": sequence_form(build(form_of(name).game)), "bucketed": form_of(name)}
    found: dict[str, list[float]] = {kind: [] for kind in forms}
    for seed in range(3):
        for kind, form in forms.items():
            solver = algorithm.start(form, seed=seed)
            # a board of cards that nobody holds is drawn for all hands here: half of the pairs of these games take part
            solver.advance(2 * iterations if spec == "public-chance" and kind == "bucketed" else iterations)
            found[kind].append(solver.measure().exploitability)
    ratio = np.median(found["bucketed"]) / np.median(found["sequence"])
    assert 1 / 1.6 < ratio < 1.6, found


@pytest.mark.parametrize("schedule", ["linear-cfr", "dcfr"])
def test_discounts_forget_the_beginning(schedule: str) -> None:
    found = {}
    for name in ("cfr", schedule):
        solver = registry.load("algorithms", f"public-chance(schedule={name!r})").start(form_of("leduc"), seed=2)
        solver.advance(2500)
        found[name] = solver.measure().exploitability
    assert found[schedule] < found["cfr"]


def test_with_buckets_exploitability_in_the_real_game_levels_off() -> None:
    game = open_game("rhode-island(ranks=5, suits=2)")
    assert isinstance(game, PokerGame)
    coarse, fine = bucketed_form(game, drawn_buckets(game, (3, 3, 3))), bucketed_form(game)
    found = {}
    for name, form in (("coarse", coarse), ("fine", fine)):
        solver = registry.load("algorithms", "public-chance").start(form, seed=2)
        curve = []
        for iterations in (10, 290, 1200):
            solver.advance(iterations)
            curve.append(solver.measure().exploitability)
        found[name] = curve
    assert found["coarse"][1] < found["coarse"][0]
    assert found["coarse"][2] > 0.8 * found["coarse"][1]  # what buckets lose, no iteration brings back
    assert found["fine"][2] < 0.5 * found["fine"][1]
    assert found["fine"][2] < 0.3 * found["coarse"][2]


# ---- runs ----------------------------------------------------------------------------------------------------------

SPECS = [
    "external",
    "external(pruning=0.5)",
    "outcome(schedule='linear-cfr')",
    "average-sampling",
    "chance(schedule=dcfr)",
    "public-chance(schedule=dcfr)",
]


@pytest.mark.parametrize("spec", SPECS)
def test_cut_and_restored_anywhere_is_the_same_run(spec: str) -> None:
    form = form_of("remembered")
    whole, cut, other = (registry.load("algorithms", spec).start(form, seed=seed) for seed in (3, 3, 4))
    for solver in (whole, cut, other):
        solver.period = 40
    whole.advance(1300)
    other.advance(1300)
    cut.advance(123)
    kept = {name: array.copy() for name, array in cut.arrays().items()}
    cut.advance(700)
    cut.restore(kept)
    cut.advance(517)
    cut.advance(660)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, cut.arrays()[name]), name
    assert not np.array_equal(whole.strategy_arrays()["average"], other.strategy_arrays()["average"])


@pytest.mark.parametrize("spec", ["external", "public-chance"])
def test_threads_share_the_work(spec: str) -> None:
    form = form_of("leduc")
    solver = registry.load("algorithms", spec).start(form, seed=3, resources=Resources(threads=3))
    solver.advance(6000)
    assert solver.iterations == 6000
    assert solver.measure().exploitability < 0.3
    alone = registry.load("algorithms", spec).start(form, seed=3)
    alone.advance(6000)
    assert 0.8 < solver.nodes_touched / alone.nodes_touched < 1.25


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadSetting, match="two players with one or two cards each, and kuhn"):
        sampler_on(PUBLIC, "kuhn(players=3)")
    with pytest.raises(BadSetting, match=r"cfr\+ floors"):
        registry.load("algorithms", "external(schedule='cfr+')").start(form_of("kuhn"))
    with pytest.raises(BadSetting, match="runs on the bucketed form"):
        registry.load("algorithms", "external(pruning=100)").start(sequence_form(build(form_of("kuhn").game)))
    with pytest.raises(BadSetting):
        registry.load("algorithms", "external(pruning=-1)")
    other = sampler_on(EXTERNAL, "leduc").arrays()
    with pytest.raises(ValueError, match="in units of"):
        sampler_on(EXTERNAL, "leduc").restore(other | {"unit": np.array([7.0])})
