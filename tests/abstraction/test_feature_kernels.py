"""The kernels of features against their plain twins, on strengths, weights and clusters that have nothing in common."""

from __future__ import annotations

import numpy as np
import pytest

from naive.features import disjoint_scores
from pokerlab.abstraction.features._kernels.clusters import Lanes, add_clusters
from pokerlab.abstraction.features._kernels.showdown import Final
from pokerlab.abstraction.features._kernels.sums import add_histograms, add_rates, add_strengths, count_buckets
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.cards.card import Deck

DECKS = [(1, 7), (2, 8), (3, 7), (4, 9)]  # private cards, cards of the deck
FINALS, BOARDS = 5, 3


def drawn(private: int, size: int, seed: int) -> tuple[FinalHands, Final]:
    """Any strengths, many of them equal and some holdings impossible; owners that repeat and one without."""
    rng = np.random.default_rng(seed)
    game = FinalHands(Deck.of([str(rank) for rank in range(size)]), private, 0, "high")
    count = len(game.holdings.cards)
    strengths = rng.choice([0, 1, 2, 255, 256, 257, 7000, 65535], (FINALS, count)).astype(np.uint16)
    orbits = np.minimum(np.arange(count), rng.integers(0, count, count))
    owners, weights = np.array([0, 2, 2, 0, 2]), rng.integers(1, 9, FINALS)
    return game, Final(strengths, owners, weights, orbits)


def expected(game: FinalHands, final: Final, of_final: list[np.ndarray]) -> np.ndarray:
    """Numbers of each final board [holding, number], weighed and put where they belong."""
    count = len(game.holdings.cards)
    sums = np.zeros((BOARDS, count, of_final[0].shape[1]), np.int64)
    for f, numbers in enumerate(of_final):
        for h in range(count):
            if final.strengths[f, h]:  # type: ignore[index]
                sums[final.owners[f], final.orbits[h]] += final.weights[f] * numbers[h]  # type: ignore[index]
    return sums


@pytest.mark.uncompiled
@pytest.mark.parametrize(("private", "size"), DECKS)
def test_sums_agree_with_the_plain_twin(private: int, size: int) -> None:
    game, final = drawn(private, size, seed=private)
    holdings, count = game.holdings, len(game.holdings.cards)
    alone = np.zeros(count, np.int64)
    both = [disjoint_scores(row, holdings.cards, alone) for row in final.strengths]
    scores, met = [one[0] for one in both], [one[1] for one in both]
    wins = [won(row, holdings.cards) for row in final.strengths]

    sums = np.zeros((BOARDS, count, 2), np.int64)
    add_strengths(final, holdings, sums)
    assert np.array_equal(sums, expected(game, final, [np.hstack([s, s * s]) for s in scores]))

    sums = np.zeros((BOARDS, count, 2), np.int64)
    add_rates(final, holdings, sums)
    assert np.array_equal(
        sums, expected(game, final, [np.hstack([w, s - 2 * w]) for w, s in zip(wins, scores, strict=True)])
    )

    most = 2 * max(int(m.max()) for m in met)
    sums = np.zeros((BOARDS, count, 4), np.int64)
    add_histograms(final, holdings, most, sums)
    parts = [np.minimum(s * 4 // most, 3) == np.arange(4) for s in scores]
    assert np.array_equal(sums, expected(game, final, [part.astype(np.int64) for part in parts]))


def won(strengths: np.ndarray, holdings: np.ndarray) -> np.ndarray:
    """The wins alone: scores when every tie is lost, of each holding in turn."""
    wins = np.zeros((len(strengths), 1), np.int64)
    for one in range(len(strengths)):
        for other in range(len(strengths)):
            weaker = 0 < strengths[one] < strengths[other]
            wins[one] += weaker and not set(holdings[one]) & set(holdings[other])
    return wins


@pytest.mark.uncompiled
@pytest.mark.parametrize("bits", [16, 32])
@pytest.mark.parametrize("clusters", [1, 4, 5, 9])
@pytest.mark.parametrize(("private", "size"), DECKS[:3])
def test_clusters_agree_with_the_plain_twin(private: int, size: int, clusters: int, bits: int) -> None:
    game, final = drawn(private, size, seed=10 * private + clusters)
    holdings, count = game.holdings, len(game.holdings.cards)
    of_holding = np.random.default_rng(clusters).integers(0, clusters, count)
    of_holding[0] = clusters - 1
    words, places = np.divmod(of_holding, 64 // bits)
    sums = np.zeros((BOARDS, count, 2 * clusters), np.int64)
    lanes = Lanes(bits, words, np.uint64(1) << (places * bits).astype(np.uint64))
    with np.errstate(over="ignore"):  # words wrap around, as they may; uncompiled, NumPy tells of it
        add_clusters(final, holdings, lanes, sums)
    both = [disjoint_scores(row, holdings.cards, of_holding) for row in final.strengths]
    assert np.array_equal(sums, expected(game, final, [np.hstack([scores, met]) for scores, met in both]))


@pytest.mark.uncompiled
@pytest.mark.parametrize(("hands", "deals"), [(1, 1), (3, 1), (1, 17), (6, 40)])
def test_buckets_are_counted(hands: int, deals: int) -> None:
    rng = np.random.default_rng(deals)
    reached = rng.integers(0, 9, (hands, deals)).astype(np.uint32)
    starts = np.empty(hands + 1, np.int64)
    buckets, counts = np.empty(hands * deals, np.uint32), np.empty(hands * deals, np.uint32)
    entries = count_buckets(reached.ravel().copy(), deals, starts, buckets, counts)
    assert entries == starts[-1]
    for hand in range(hands):
        found, often = np.unique(reached[hand], return_counts=True)
        own = slice(int(starts[hand]), int(starts[hand + 1]))
        assert np.array_equal(buckets[own], found)
        assert np.array_equal(counts[own], often)
