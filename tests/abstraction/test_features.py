"""Features of hands: against brute force on small decks, against hand measures and published numbers in hold'em."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from naive import features as naive
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features import strength
from pokerlab.abstraction.features.feature import Feature
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.abstraction.features.histogram import Histogram
from pokerlab.abstraction.features.ochs import OpponentClusters
from pokerlab.abstraction.features.recall_rates import Rates, RecallRates
from pokerlab.abstraction.features.run_outs import RoundBoards
from pokerlab.abstraction.features.strength import Strength, final_scores
from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import FULL_DECK, SHORT_DECK, Deck
from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_index
from pokerlab.cards.measures import hand_measures, preflop_strength
from pokerlab.errors import BadCards, BadSetting, TooLarge
from pokerlab.events import Event, Watch
from pokerlab.registry import load
from published.features import DIFFERENT_RATES, DIFFERENT_RATES_RECALLED
from published.measures import AGAINST_RANDOM

HOLDEM = CardRounds(FULL_DECK, 2, (0, 3, 4, 5))
SHORT = CardRounds(SHORT_DECK, 2, (0, 3, 4, 5), "short_deck")
SMALL = {
    "kuhn": CardRounds.of(load("games", "kuhn")),
    "leduc": CardRounds.of(load("games", "leduc")),
    "rhode island of twelve": CardRounds.of(load("games", "rhode-island(ranks=4,suits=3)"), ordered=True),
    "two cards, three steps": CardRounds(Deck.of("TJQKA", "cdh"), 2, (0, 1, 2, 3)),
    "the same in order": CardRounds(Deck.of("TJQKA", "cdh"), 2, (0, 1, 2, 3), ordered=True),
    "three cards, a card lies at once": CardRounds(Deck.of("9TJQ", "cdh"), 3, (1, 1, 2), "three_card"),
    "five suits": CardRounds(Deck.of("xyz", "abcde"), 2, (0, 2)),
    "one suit": CardRounds(Deck.of("123456789"), 2, (0, 1, 3)),
    "four cards": CardRounds(Deck.of("QKA", "cdhs"), 4, (0, 1)),
}


def sampled(cards: CardRounds, round: int, count: int, seed: int = 0) -> np.ndarray:
    """Hands of a round, suits renamed and the order within steps changed, so that few are canonical."""
    rng = np.random.default_rng([seed, round])
    indexer, suits = cards.indexer(round), len(cards.deck.suits)
    hands = indexer.unindex_batch(rng.integers(0, indexer.size(), count))
    ends = np.cumsum((0, *indexer.rounds))
    for hand in hands:
        hand[:] = hand // suits * suits + rng.permutation(suits)[hand % suits]
        for start, end in pairwise(ends):
            hand[start:end] = rng.permutation(hand[start:end])
    return hands


def features(cards: CardRounds) -> list[Feature]:
    rng = np.random.default_rng(4)
    kinds = HandIndexer((cards.private,), len(cards.deck.ranks), len(cards.deck.suits)).size()
    uneven = np.concatenate([np.arange(min(5, kinds)), rng.integers(0, min(5, kinds), kinds)])[:kinds]
    return [Strength(), Strength(squared=True), Histogram(7), Rates(), OpponentClusters(tuple(uneven.tolist()))]


@pytest.mark.parametrize("name", SMALL)
def test_some_hands_against_brute_force(name: str) -> None:
    cards = SMALL[name]
    clusters = features(cards)[-1]
    assert isinstance(clusters, OpponentClusters)
    for round in range(cards.rounds):
        hands = sampled(cards, round, 4)
        found = [
            feature.of(cards, round, hands) for feature in (Strength(squared=True), Histogram(7), Rates(), clusters)
        ]
        for i, hand in enumerate(hands.tolist()):
            expected = [
                naive.strength(cards, hand),
                naive.histogram(cards, hand, 7),
                naive.rates(cards, hand),
                naive.clusters(cards, hand, clusters.clusters),
            ]
            for feature, numbers in zip(found, expected, strict=True):
                np.testing.assert_allclose(feature[i], numbers, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", SMALL)
def test_one_hand_as_all_bit_for_bit(name: str) -> None:
    cards = SMALL[name]
    for round in range(cards.rounds):
        hands = sampled(cards, round, 40, seed=1)
        for feature in features(cards):
            every = feature.every(cards, round, threads=2)
            assert every.dtype == np.float32
            assert every.shape == (cards.hands(round), feature.dims(cards, round))
            assert np.array_equal(feature.of(cards, round, hands), every[cards.index(round, hands)])


@pytest.mark.parametrize("name", ["two cards, three steps", "the same in order", "five suits"])
def test_blocks_name_each_hand_once_whatever_the_threads(name: str) -> None:
    cards = SMALL[name]
    events: list[Event] = []
    for round in range(cards.rounds):
        one = list(Histogram(5).blocks(cards, round, watch=Watch(on_progress=events.append)))
        three = list(Histogram(5).blocks(cards, round, threads=3))
        for (indices, values), (others, same) in zip(one, three, strict=True):
            assert np.array_equal(indices, others)
            assert np.array_equal(values, same)
        assert np.array_equal(np.sort(np.concatenate([indices for indices, _ in one])), np.arange(cards.hands(round)))
        assert (events[-1].done, events[-1].total) == (cards.hands(round),) * 2


@pytest.mark.parametrize("name", SMALL)
def test_everybody_together_wins_half_exactly(name: str) -> None:
    cards = SMALL[name]
    for round in range(cards.rounds):
        total = 0
        counts = cards.indexer(round).counts(np.arange(cards.hands(round)))
        for indices, sums in Strength().sums(cards, round):
            total += int(sums[:, 0] @ counts[indices])
        assert total == FinalHands.of(cards).opponents * RoundBoards(cards, round).run_outs * int(counts.sum())


def test_order_of_the_board_changes_no_strength() -> None:
    forgotten, kept = SMALL["two cards, three steps"], SMALL["the same in order"]
    assert kept.hands(3) > forgotten.hands(3)
    hands = sampled(kept, 3, 50)
    assert np.array_equal(Strength().of(forgotten, 3, hands), Strength().of(kept, 3, hands))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_holdem_against_hand_measures(size: int) -> None:
    round = size - 2
    hands = sampled(HOLDEM, round, {3: 6, 4: 30, 5: 60}[size])
    strengths = Strength(squared=True).of(HOLDEM, round, hands)
    histograms = Histogram(50).of(HOLDEM, round, hands)
    cumulated = Histogram(50, cumulative=True).of(HOLDEM, round, hands)
    for i, hand in enumerate(hands.tolist()):
        measured = hand_measures(hand[:2], hand[2:])
        np.testing.assert_allclose(strengths[i], [measured.rollout, measured.squared], rtol=1e-6)
        np.testing.assert_allclose(histograms[i], measured.histogram(50), rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(cumulated[i], measured.histogram(50).cumsum(), rtol=1e-6, atol=1e-9)


def test_short_deck_against_brute_force() -> None:
    for round, count in ((2, 3), (3, 20)):
        hands = sampled(SHORT, round, count)
        found = Strength(squared=True).of(SHORT, round, hands)
        for i, hand in enumerate(hands.tolist()):
            np.testing.assert_allclose(found[i], naive.strength(SHORT, hand), rtol=1e-6)


def test_before_the_flop_against_published_equities() -> None:
    every = Strength().every(HOLDEM, 0, threads=2)[:, 0]
    hands = HOLDEM.indexer(0).unindex_batch(np.arange(169)).tolist()
    by_name = {CLASS_NAMES[COMBO_CLASS[combo_index(*hand)]]: every[i] for i, hand in enumerate(hands)}
    assert {name: round(100 * float(by_name[name]), 4) for name in AGAINST_RANDOM} == pytest.approx(
        AGAINST_RANDOM, abs=6e-5
    )


def test_counts_are_small_whole_numbers() -> None:
    cards = SMALL["two cards, three steps"]
    counts = Histogram(6).counts(cards, 2)
    assert counts.dtype == np.uint8
    assert (counts.sum(1) == RoundBoards(cards, 2).run_outs).all()
    assert np.array_equal(Histogram(6, cumulative=True).counts(cards, 2), counts.cumsum(1))
    assert np.array_equal((counts / 11).astype(np.float32), Histogram(6).every(cards, 2))


def test_rates_of_the_rounds_before() -> None:
    cards = SMALL["rhode island of twelve"]
    every = RecallRates(recall=5).every(cards, 2, threads=2)
    hands = sampled(cards, 2, 30)
    assert every.shape[1] == RecallRates(recall=2).dims(cards, 2) == 9
    assert np.array_equal(RecallRates(recall=2).of(cards, 2, hands), every[cards.index(2, hands)])
    for hand, numbers in zip(hands[:5].tolist(), every[cards.index(2, hands[:5])], strict=True):
        expected = [rate for size in (3, 2, 1) for rate in naive.rates(cards, hand[:size])]
        np.testing.assert_allclose(numbers, expected, rtol=1e-6, atol=1e-7)
    assert np.array_equal(RecallRates(recall=0).every(cards, 1), Rates().every(cards, 1))


def test_a_past_that_is_not_known_is_refused() -> None:
    forgotten = SMALL["two cards, three steps"]
    with pytest.raises(BadSetting, match="what a hand of round 2 was in round 1 is not known"):
        RecallRates().every(forgotten, 2)
    assert RecallRates().every(forgotten, 1).shape[1] == 6  # before the first board nothing is forgotten
    with pytest.raises(BadSetting, match="0 or more"):
        RecallRates(recall=-1)


def test_what_cannot_be_measured_gets_a_sentence() -> None:
    cards = SMALL["leduc"]
    with pytest.raises(BadSetting, match="there is no round 2"):
        Strength().every(cards, 2)
    with pytest.raises(BadCards, match="comes twice"):
        Strength().of(cards, 1, np.array([[3, 3]], np.uint8))
    with pytest.raises(BadCards, match=r"a hand of round 1 has 2 cards, and here the array of hands is \(1, 1\)"):
        Rates().of(SMALL["rhode island of twelve"], 1, np.array([[3]], np.uint8))  # a hand of the round before
    with pytest.raises(BadSetting, match="1 to 1000 bins"):
        Histogram(0)
    with pytest.raises(BadSetting, match="clusters of 2 hands, and this game deals 3"):
        OpponentClusters((0, 1)).every(cards, 0)
    with pytest.raises(BadSetting, match="without gaps"):
        OpponentClusters((0, 2, 2))
    with pytest.raises(BadSetting, match="1 to 255 clusters"):
        OpponentClusters.of_game(cards, 0)
    with pytest.raises(BadSetting, match="more than the 6 cards"):
        Strength().every(CardRounds(cards.deck, 2, (0, 3)), 0)
    with pytest.raises(TooLarge, match="too many to compare"):
        Strength().every(CardRounds(FULL_DECK, 5, (0,)), 0)


def test_nothing_asked_for() -> None:
    for cards in (SMALL["kuhn"], SMALL["leduc"]):
        last = cards.rounds - 1
        none = np.zeros((0, cards.private + cards.boards[last]), np.uint8)
        assert all(feature.of(cards, last, none).shape == (0, feature.dims(cards, last)) for feature in features(cards))


def test_clusters_are_no_more_than_strengths() -> None:
    assert OpponentClusters.of_game(SMALL["kuhn"]).clusters == (0, 1, 2)
    assert OpponentClusters.of_game(SMALL["leduc"], 1).clusters == (0, 0, 0)
    kuhn = OpponentClusters((0, 1, 2)).every(SMALL["kuhn"], 0)
    assert kuhn.tolist() == [[0.5, 0, 0], [1, 0.5, 0], [1, 1, 0.5]]  # an opponent cannot hold our own card


def test_final_scores_of_a_small_game_are_whole_numbers() -> None:
    cards = SMALL["the same in order"]
    scores = final_scores(cards)
    forgotten = SMALL["two cards, three steps"]
    assert np.array_equal((scores / 90).astype(np.float32), Strength().every(forgotten, 3)[:, 0])


def test_final_scores_of_a_large_game_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cards, last = SMALL["two cards, three steps"], 3
    direct = Strength(squared=True).every(cards, last)
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    monkeypatch.setattr(strength, "_FEWEST_SAVED", 100)
    monkeypatch.setattr(strength, "_BLOCK", 1000)  # several blocks, the last of them shorter
    assert np.array_equal(Strength(squared=True).every(cards, last, threads=2), direct)
    assert len(list(tmp_path.glob("final-scores-*"))) == 1
    assert np.array_equal(Strength().every(cards, last), direct[:, :1])
    other = CardRounds(cards.deck, 2, (0, 3), "three_card")  # as large, and other hands win
    assert not np.array_equal(final_scores(other), final_scores(cards))
    assert len(list(tmp_path.glob("final-scores-*"))) == 2


# ---- hold'em whole -------------------------------------------------------------------------------------------------


def different(cards: CardRounds, round: int) -> int:
    """How many different pairs of wins and ties the hands of a round have."""
    codes = np.empty(cards.hands(round), np.int64)
    for indices, sums in Rates().sums(cards, round, threads=2):
        codes[indices] = sums[:, 0] << 31 | sums[:, 1]
    codes.sort()
    return 1 + int((codes[1:] != codes[:-1]).sum())


@pytest.mark.slow
@pytest.mark.parametrize("round", DIFFERENT_RATES)
def test_holdem_has_as_many_win_rates_as_published(round: int) -> None:
    assert different(HOLDEM, round) == DIFFERENT_RATES[round]


@pytest.mark.slow
def test_the_flop_has_as_many_recalled_win_rates_as_published() -> None:
    every = RecallRates(recall=1).every(HOLDEM, 1, threads=2)
    assert len(np.unique(every, axis=0)) == DIFFERENT_RATES_RECALLED


@pytest.mark.slow
def test_river_scores_of_all_hands() -> None:
    scores = final_scores(HOLDEM, threads=2)
    assert scores.dtype == np.uint16
    assert len(scores) == 123_156_254
    assert int(scores.max()) == 1980
    counts = HOLDEM.indexer(3).counts(np.arange(len(scores)))
    assert int(counts @ scores.astype(np.int64)) == 990 * int(counts.sum())
    hands = sampled(HOLDEM, 3, 1000)
    places = HOLDEM.index(3, hands)
    assert np.array_equal(Strength().of(HOLDEM, 3, hands)[:, 0], (scores[places] / 1980).astype(np.float32))


@pytest.mark.slow
def test_histograms_before_the_flop_against_preflop_strength() -> None:
    hands = HOLDEM.indexer(0).unindex_batch(np.arange(169)).tolist()
    classes = [COMBO_CLASS[combo_index(*hand)] for hand in hands]
    expected = preflop_strength().histogram(50)[classes]
    np.testing.assert_allclose(Histogram(50).every(HOLDEM, 0, threads=2), expected, rtol=1e-6)


@pytest.mark.slow
def test_eight_clusters_of_holdem_rise_in_strength() -> None:
    every = Strength().every(HOLDEM, 0)[:, 0]
    eight = OpponentClusters.of_game(HOLDEM)
    assert eight.count == 8
    means = [every[np.array(eight.clusters) == cluster].mean() for cluster in range(8)]
    assert means == sorted(means)
    assert eight.clusters[int(np.argmax(every))] == 7
    assert eight.clusters[int(np.argmin(every))] == 0


def test_two_hands_and_a_board_may_be_the_whole_deck() -> None:
    deck = Deck.of("23456")
    assert FinalHands.of(CardRounds(deck, 2, (0, 1))).opponents == 1
    with pytest.raises(BadSetting, match="two hands and a board are more than the 5 cards"):
        FinalHands.of(CardRounds(deck, 2, (0, 2)))
