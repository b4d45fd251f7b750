"""Payoffs from pairs of buckets: those of walks over every deal, and of the boards that were drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from pokerlab.abstraction.abstracted import BoardSample
from pokerlab.abstraction.buckets import Buckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import strength_of
from pokerlab.tree.bucketed import pairs, plans
from pokerlab.tree.bucketed._kernels.deals import draw_cards
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.inside import inside_game
from pokerlab.tree.bucketed.plans import BucketPlans
from small_buckets import two_cards

RHODE_ISLAND = "rhode-island(ranks=5, suits=2)"


def remembering(game: PokerGame, *methods: str) -> BucketedForm:
    return bucketed_form(game, make(Plan(CardRounds.of(game), methods, PERFECT)))


def opened(name: str) -> PokerGame:
    game = two_cards("ab") if name == "two-cards" else open_game(name)
    assert isinstance(game, PokerGame)
    return game


CASES = {  # a fixed limit, showdowns before the last round with unequal stakes, and three rounds
    "leduc": ("strength:2", "strength:2"),
    "leduc-nolimit(stack=(3, 4))": ("lossless", "strength:3"),
    "two-cards": ("strength:3", "strength:2"),
    RHODE_ISLAND: ("strength:3", "strength:2", "strength:3"),
}


@pytest.mark.parametrize("name", [*CASES, "kuhn"])
def test_pairs_pay_what_a_walk_over_every_deal_pays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every sequence of both players; and lossless buckets, which store no joins, are counted too."""
    form = bucketed_form(opened(name)) if name == "kuhn" else remembering(opened(name), *CASES[name])
    by_pairs = BucketPlans(form)
    monkeypatch.setattr(plans, "bucket_pairs", lambda form: None)
    by_deals = BucketPlans(form)
    trees = by_pairs.treeplexes
    assert np.array_equal(trees.parent, by_deals.treeplexes.parent)
    assert np.array_equal(trees.start, by_deals.treeplexes.start)
    plan = trees.plan(trees.normalize(np.random.default_rng(1).random(trees.sequences - 2)))
    for player in (0, 1):
        found, expected = np.full((2, trees.sequences), 7.0)
        by_pairs.payoffs(player, plan, found)
        by_deals.payoffs(player, plan, expected)
        assert found == pytest.approx(expected, abs=1e-6 * form.max_abs_payoff)  # walks use float32
        assert np.array_equal(found == 7.0, expected == 7.0)  # the other player's part is left alone
        spread = np.abs(found[trees.sequences_of(player)]).max()
        assert spread <= by_pairs.largest_payoff_sum(player) <= 2 * by_deals.largest_payoff_sum(player)


@pytest.mark.parametrize("name", ["leduc", "two-cards", RHODE_ISLAND])
def test_a_sample_holds_every_pair_of_hands_on_the_boards_drawn(name: str) -> None:
    form = replace(remembering(opened(name), *CASES[name]), sample=BoardSample(boards=3, seed=5))
    cards, count, last = form.buckets.cards, form.buckets.counts[-1], form.buckets.cards.rounds - 1
    board, state = np.zeros((1, cards.boards[-1]), np.uint8), np.random.SeedSequence(5).generate_state(1, np.uint64)
    strength = strength_of(cards.showdown, cards.deck, cards.private + cards.boards[-1])
    dealt, won = np.zeros((2, count, count))
    for _ in range(3):
        draw_cards(1, form.deals, board, state)
        shown = tuple(board[0].tolist())
        free = [card for card in range(cards.deck.size) if card not in shown]
        hands = list(combinations(free, cards.private))
        held = form.buckets.at(last, np.array(hands, np.uint8), shown)
        for one, first in enumerate(hands):
            for other, second in enumerate(hands):
                if not set(first) & set(second):
                    better = strength((*second, *shown)) - strength((*first, *shown))  # smaller is stronger
                    dealt[held[one], held[other]] += 1
                    won[held[one], held[other]] += np.sign(better)
    sampled = pairs._sampled(form)
    assert sampled["dealt"] == pytest.approx(dealt / dealt.sum(), abs=1e-12)
    assert sampled["won"] == pytest.approx(won / dealt.sum(), abs=1e-12)


def test_many_boards_come_near_to_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sampled game is one of its own, whose equilibrium is near one of the game with every deal."""
    form = remembering(opened(RHODE_ISLAND), *CASES[RHODE_ISLAND])
    sampled = replace(form, sample=BoardSample(boards=3000, seed=1))
    monkeypatch.setattr(pairs, "is_small", lambda form: False)
    near, exact = pairs.bucket_pairs(sampled), pairs._counted(plans.inside_game(form))
    assert near is not None
    assert (near.boards, exact.boards) == (3000, 0)
    assert near.dealt.sum() == pytest.approx(1.0)
    assert near.dealt == pytest.approx(exact.dealt, abs=0.1 * exact.dealt.max())
    assert all(np.array_equal(one, other) for one, other in zip(near.above, exact.above, strict=True))
    for row, column in ((-1, -1), (0, 2), (1, 1)):
        held = exact.chances[row, column]
        assert held.shape == (exact.count(row), exact.count(column))
        assert held.sum() == pytest.approx(1.0)


def test_games_and_buckets_without_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSetting, match="perfect recall"):
        BucketPlans(bucketed_form(opened(RHODE_ISLAND)))
    with pytest.raises(BadSetting, match="has 3: train with a sampler"):
        BucketPlans(bucketed_form(opened("kuhn(players=3)"), lossless(CardRounds.of(opened("kuhn(players=3)")))))
    form = remembering(opened("leduc"), *CASES["leduc"])
    first, second = form.buckets.rounds
    twice = replace(second, join=np.zeros_like(second.join))
    with pytest.raises(BadSetting, match="follows two buckets"):
        pairs.parents(Buckets(form.buckets.cards, (first, twice)))
    monkeypatch.setattr(pairs, "available_memory", lambda: 1e3)
    with pytest.raises(TooLarge, match="3/9 buckets take|2/4 buckets take"):
        BucketPlans(form)


@pytest.mark.parametrize("name", ["leduc", RHODE_ISLAND])
def test_measures_inside_are_those_of_every_deal(name: str) -> None:
    form = remembering(opened(name), *CASES[name])
    average = np.random.default_rng(3).random(form.numbers)
    found, expected = form.measure_inside(average), inside_game(form).measure(average)
    assert found.values == pytest.approx(expected.values, abs=1e-6)
    assert found.best_responses == pytest.approx(expected.best_responses, abs=1e-6)
    with pytest.raises(BadSetting, match="a seed changes nothing"):
        form.on_other_boards(1)
