"""External sampling with an exchange of cards: unbiased, cut anywhere, near the solution of other forms."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
import pytest
from tests.solvers.sampled.test_sampling import assert_mean

from pokerlab import registry
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.solvers.bucketed.exploiting import Exploiter
from pokerlab.solvers.bucketed.playing import Side, head_to_head
from pokerlab.solvers.bucketed.sampled import BucketedSampled
from pokerlab.solvers.cfr.sampled.sampler import Sampler
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form
from pokerlab.tree.bucketed.form import MISSING
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.history.layout import build
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm, sequence_form

TINY = "small-draw(cards=1, ranks=3, suits=2)"
PAIR = "small-draw(cards=2, ranks=3, suits=2, discards=1, raises=0)"
PLAIN = registry.load("algorithms", "cfr").schedule
BATCHES = 24


@cache
def form_of(name: str, buckets: str = "lossless") -> ExchangeForm:
    game = open_game(name)
    return exchange_form(game, exchange_buckets(buckets, game))


@cache
def laid_of(name: str) -> tuple[SequenceForm, np.ndarray]:
    """The sequence form, and where the numbers of its slots are."""
    form, laid = form_of(name), sequence_form(build(form_of(name).game))
    tree = laid.tree
    where = np.concatenate(
        [
            form.infoset_numbers(text, int(tree.start[number + 1] - tree.start[number]))
            for number, text in enumerate(tree.infoset_names)
        ]
    )
    return laid, where


def profile_of(form: ExchangeForm) -> np.ndarray:
    return np.random.default_rng(7).random(form.numbers).astype(np.float32) + np.float32(0.1)


@pytest.mark.parametrize("name", [TINY, PAIR])
def test_every_infoset_has_numbers_of_its_own(name: str) -> None:
    _, where = laid_of(name)
    assert (where != MISSING).all()
    assert len(np.unique(where)) == len(where)


@pytest.mark.parametrize("name", [TINY, PAIR])
@pytest.mark.parametrize("player", [0, 1])
def test_sampled_regrets_and_averages_are_unbiased(name: str, player: int) -> None:
    form, (laid, where) = form_of(name), laid_of(name)
    profile, tree = profile_of(form), laid.tree
    starts, counts = tree.start[:-1].astype(np.int64), np.diff(tree.start).astype(np.int64)
    behaviour = profile[where] / np.repeat(np.add.reduceat(profile[where], starts), counts)
    solver = BucketedSampled(form, Sampler("external"), PLAIN, seed=3)
    walks = 1500
    drawn = [solver.estimate(profile, player=player, first=b * walks, iterations=walks) for b in range(BATCHES)]
    mine = np.repeat(tree.infoset_player, counts) == player
    found = np.array([regret for regret, _ in drawn], np.float64)[:, where]
    expected = np.where(mine, laid.regrets(behaviour), 0.0)
    often = (found != 0).sum(axis=0) >= 0.8 * BATCHES
    assert np.count_nonzero(often) > 0.3 * np.count_nonzero(expected)
    assert not found[:, ~mine].any()
    assert_mean(found[:, often], expected[often])
    # the next player's average: how likely his own cards and choices are, once a walk
    averages = np.array([average for _, average in drawn], np.float64)[:, where]
    likely = np.where(mine, 0.0, laid.plan(behaviour)[tree.players :] * own_chance(form, laid))
    often = (averages != 0).sum(axis=0) >= 0.8 * BATCHES
    assert np.count_nonzero(often) > 0.3 * np.count_nonzero(likely)
    assert_mean(averages[:, often], likely[often])


def own_chance(form: ExchangeForm, laid: SequenceForm) -> np.ndarray:
    """How likely the cards of each infoset are, those dealt and those drawn.  # [slot]"""
    cards, found = form.buckets.cards, []
    for number, name in enumerate(laid.tree.infoset_names):
        _, *received = name.partition(":")[0].split("/")
        drawn = len(form.game.deck.cards(received[0])) if received and received[0] else 0
        chance = 1 / comb(cards.deck.size, cards.held) / comb(cards.deck.size - cards.held, drawn)
        found += [chance] * int(laid.tree.start[number + 1] - laid.tree.start[number])
    return np.array(found)


def test_training_comes_to_the_value_of_the_sequence_form() -> None:
    from pokerlab import solve

    exact = solve(TINY, algorithm="lp").measure
    form = form_of(TINY)
    solver = BucketedSampled(form, Sampler("external"), registry.load("algorithms", "linear-cfr").schedule, seed=1)
    measured = []
    for _ in range(2):
        solver.advance(20_000)
        measured.append(solver.measure())
    assert measured[1].exploitability < 0.02
    assert measured[1].exploitability < measured[0].exploitability
    low, high = -measured[1].best_responses[1], measured[1].best_responses[0]
    assert low - 1e-6 <= exact.values[0] <= high + 1e-6


@pytest.mark.parametrize("name", [TINY, PAIR])
def test_runs_can_be_cut_anywhere_and_restored(name: str) -> None:
    def started() -> BucketedSampled:
        return BucketedSampled(
            form_of(name), Sampler("external"), registry.load("algorithms", "linear-cfr").schedule, seed=9, period=130
        )

    whole, parts = started(), started()
    whole.advance(700)
    parts.advance(257)
    again = started()
    again.restore(parts.arrays())
    again.advance(443)
    for key, array in whole.arrays().items():
        assert np.array_equal(array, again.arrays()[key]), key


def test_threads_learn_together() -> None:
    one, three = (
        BucketedSampled(form_of(TINY), Sampler("external"), PLAIN, seed=2, threads=threads) for threads in (1, 3)
    )
    one.advance(2_000)
    three.advance(20_000)
    assert three.iterations == 20_000
    assert three.measure().exploitability < one.measure().exploitability / 2  # about a third with any luck of threads


def test_a_learned_response_wins_no_more_than_a_best_one_and_almost_as_much() -> None:
    form = form_of(TINY)
    fixed = np.ones(form.numbers, np.float32)
    known = measurer(form)
    assert known is not None
    best = sum(known(fixed).best_responses) / 2
    exploiter = Exploiter(form, form, fixed, seed=4)
    exploiter.advance(30_000)
    learned = Side(form, exploiter.strategy_arrays()["average"])
    gain = head_to_head(learned, Side(form, fixed), hands=40_000, seed=5)
    assert gain.mean - 2 * gain.half < best < gain.mean + 2 * gain.half + 0.03


def test_winnings_of_a_strategy_are_what_its_measure_says() -> None:
    form = form_of(PAIR)
    fixed, other = profile_of(form), np.ones(form.numbers, np.float32)
    gain = head_to_head(Side(form, fixed), Side(form, other), hands=60_000, seed=1)
    back = head_to_head(Side(form, other), Side(form, fixed), hands=60_000, seed=2)
    assert abs(gain.mean + back.mean) < 2 * (gain.half + back.half)
    exact = exact_gain(form, fixed, other)
    assert abs(gain.mean - exact) < 2 * gain.half


def exact_gain(form: ExchangeForm, one: np.ndarray, other: np.ndarray) -> float:
    """What `one` wins from `other` a hand, on average over seats, in the sequence form."""

    laid, where = laid_of(PAIR)
    tree = laid.tree
    starts, counts = tree.start[:-1].astype(np.int64), np.diff(tree.start).astype(np.int64)
    owner = np.repeat(tree.infoset_player, counts)
    won = 0.0
    for seat in (0, 1):
        numbers = np.where(owner == seat, one[where], other[where]).astype(float)
        behaviour = numbers / np.repeat(np.add.reduceat(numbers, starts), counts)
        won += laid.measure(behaviour).values[seat]
    return won / 2


def test_other_samplers_say_what_they_cannot() -> None:
    for name in ("outcome", "chance", "pure"):
        algorithm = registry.load("algorithms", name)
        with pytest.raises(BadSetting, match="external"):
            algorithm.start(form_of(TINY), seed=0, resources=Resources(1))


def test_the_papers_game_has_its_infosets() -> None:
    # 126,223,175: the least bet after the exchange starts again at the big blind (the paper reached 88.3 million)
    form = form_of("five-card-draw(menu='min')", "no-suits")
    assert form.infosets == 126_223_175
    assert form.size.bytes < 4e9


@pytest.mark.parametrize("players", [3, 5, 6])
def test_any_number_of_players_exchanges(players: int) -> None:
    """With indices checked, what a walk packs of six players must not run into each other; all seats learn."""
    rules = Rules(
        players=players,
        deck=Deck.of("QKA", "abcd"),
        rounds=(Round(private=1, bet=1, raises=0), Round(draw=1, bet=1, raises=1)),
        limit="fixed",
        antes=(1,) * players,
        stacks=None,
        odd_chips="split",
    )
    game = PokerGame(rules, f"draw of {players}")
    form = exchange_form(game, exchange_buckets("lossless", game))
    solver = registry.load("algorithms", "external").start(form, seed=2)
    solver.advance(300)
    average = solver.strategy_arrays()["average"]
    for seat in range(players):
        for stage in (0, 1, 2):
            if stage == 0 and not (form.betting.arrays.round[form.betting.arrays.actor == seat] == 0).any():
                continue
            nodes = np.flatnonzero((form.betting.arrays.actor == seat) & (form.betting.arrays.round == stage))
            rows = average[form.base[stage] : form.base[stage + 1]].reshape(-1, form.betting.rows[stage])
            slots = form.betting.arrays.slot[nodes]
            assert (rows[:, slots] > 0).any(), f"seat {seat} has learned nothing in stage {stage}"
