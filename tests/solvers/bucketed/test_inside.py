"""Strategies followed through every deal: against a plain twin, the public form, and all pure strategies."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from naive.bucketed_whole import WholeTwin
from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.registry import load
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.inside import every_deal, inside_game
from pokerlab.tree.bucketed.real_game import measurer, numbers_of
from pokerlab.tree.form import build_form
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.layout import PublicTree, slots_of
from pokerlab.tree.resources import Resources
from small_buckets import random_buckets, two_cards

TWO_CARDS = two_cards("ab")
GAMES = ["kuhn", "leduc(raises=1, ranks=4)", "leduc-nolimit(stack=(3, 4))", "rhode-island(ranks=2, suits=2, raises=1)"]


@cache
def game_of(name: str) -> PokerGame:
    game = TWO_CARDS if name == "two-cards" else open_game(name)
    assert isinstance(game, PokerGame)
    return game


def random_numbers(form: BucketedForm, seed: int = 0) -> np.ndarray:
    """A tenth of actions never played."""
    rng = np.random.default_rng(seed)
    return rng.random(form.numbers) * (rng.random(form.numbers) > 0.1)


@pytest.mark.parametrize("name", [*GAMES, "two-cards"])
@pytest.mark.parametrize("share", [1, 3])
def test_values_are_those_of_every_deal_by_itself(name: str, share: int) -> None:
    form = random_buckets(game_of(name), share, ordered=share == 1)
    laid, average = inside_game(form), random_numbers(form)
    expected, by_hand = WholeTwin(form).told(average)
    told: dict[int, np.ndarray] = {}
    values = [laid.value(average, player, lambda node, found: told.update({node: found})) for player in (0, 1)]
    assert values == pytest.approx([expected, -expected], abs=1e-9)
    checked = 0
    for (node, hand, board), value in by_hand.items():
        turn = int(form.betting.arrays.round[node])
        place = np.flatnonzero((laid.deals.boards[turn] == np.array(board, np.uint8)).all(axis=1))
        if len(place):  # boards up to names of suits
            row = np.flatnonzero((laid.deals.hands == np.array(hand, np.uint8)).all(axis=1))
            assert told[node][place[0], row[0]] == pytest.approx(value, abs=1e-9)
            checked += 1
    assert checked > len(told)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc-nolimit(stack=7)", "rhode-island(ranks=4, suits=2)"])
def test_best_responses_with_every_hand_apart_are_those_of_the_public_form(name: str) -> None:
    form = bucketed_form(game_of(name), lossless(CardRounds.of(game_of(name), ordered=True)))
    measured = measurer(form)
    assert measured is not None
    for seed in range(2):
        average = random_numbers(form, seed)
        expected, found = measured(average), inside_game(form).measure(average)
        assert found.values == pytest.approx(expected.values, abs=1e-6)
        assert found.best_responses == pytest.approx(expected.best_responses, abs=1e-6)


def test_a_best_response_over_buckets_is_the_best_of_all_pure_strategies() -> None:
    """Kuhn poker with five cards in two buckets: sixteen strategies of each seat."""
    rounds = (Round(private=1, raises=1),)
    game = PokerGame(Rules(2, rounds, Deck.of("9TJQK", "a"), limit="fixed", antes=(1, 1)), "five-card-kuhn")
    form = random_buckets(game, 3)
    laid = inside_game(form)
    assert form.buckets.counts == (2,)
    average = random_numbers(form, 4)
    nodes = [node for node in range(form.betting.nodes) if form.betting.arrays.actor[node] >= 0]
    single = RoundBuckets("random", 2, form.buckets.rounds[0].table, np.array([[0, 1]], np.int32))
    remembering = inside_game(bucketed_form(game, Buckets(form.buckets.cards, (single,))))
    for player in (0, 1):
        own = [node for node in nodes if form.betting.arrays.actor[node] == player]
        best = -np.inf
        for chosen in product((0, 1), repeat=2 * len(own)):
            pure = average.copy()
            for place, node in enumerate(own):
                laid.rows(node, pure)[:] = np.eye(2)[list(chosen[2 * place : 2 * place + 2])]
            best = max(best, laid.value(pure, player))
        assert remembering.best(average, player) == pytest.approx(best, abs=1e-9)


def test_training_leaves_little_to_gain_inside_the_abstraction_and_more_outside() -> None:
    game = game_of("leduc(ranks=6)")
    form = bucketed_form(game, make(Plan(CardRounds.of(game), ("strength:3", "strength:2"), PERFECT)))
    solver = load("algorithms", "pure").start(form, seed=1, resources=Resources(1))
    solver.advance(400_000)
    average = solver.strategy_arrays()["average"]
    inside, real = inside_game(form).measure(average), solver.measure()
    assert inside.values == pytest.approx(real.values, abs=1e-6)
    assert inside.exploitability < 0.1 * real.exploitability
    assert all(one <= other + 1e-9 for one, other in zip(inside.best_responses, real.best_responses, strict=True))


def test_buckets_that_forget_have_no_best_response_here() -> None:
    with pytest.raises(BadSetting, match="perfect recall"):
        inside_game(random_buckets(game_of("leduc"), 2)).best(np.zeros(10_000), 0)


def test_large_games_and_more_players_are_refused() -> None:
    with pytest.raises(TooLarge, match="Rhode Island"):
        every_deal(CardRounds.of(game_of("holdem-limit")))
    with pytest.raises(BadSetting, match="has 3"):
        inside_game(bucketed_form(game_of("kuhn(players=3)")))


@pytest.mark.parametrize("name", ["leduc", "rhode-island(ranks=4, suits=3)"])
def test_strategies_of_the_public_form_come_over(name: str) -> None:
    game = game_of(name)
    tree, form = build_form(game, "public"), bucketed_form(game, lossless(CardRounds.of(game, ordered=True)))
    assert isinstance(tree, PublicTree)
    solver = load("algorithms", "cfr").start(tree, seed=0, resources=Resources(1))
    solver.advance(3)
    expected = Assessor(tree).measure(solver.average)
    found = inside_game(form).measure(numbers_of(form, tree, solver.average))
    assert found.values == pytest.approx(expected.values, abs=1e-5)
    assert found.best_responses == pytest.approx(expected.best_responses, abs=1e-5)
    assert slots_of(tree.rounds[0], 0) == len(solver.average[0][0])
