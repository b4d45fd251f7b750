"""Where the next cards lead, against brute force; and the division of a line into clusters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from naive import features as naive
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.next_buckets import BucketCounts, NextBuckets
from pokerlab.abstraction.features.ochs import divided
from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadCards, BadSetting
from pokerlab.events import Event, Watch

FORGOTTEN = CardRounds(Deck.of("TJQKA", "cdh"), 2, (0, 2, 2, 3))
KEPT = CardRounds(FORGOTTEN.deck, 2, FORGOTTEN.boards, ordered=True)
LEDUC = CardRounds(Deck.of("JQK", "sh"), 1, (0, 1))


def of_hand(counts: BucketCounts, hand: int) -> dict[int, int]:
    own = slice(int(counts.starts[hand]), int(counts.starts[hand + 1]))
    return dict(zip(counts.buckets[own].tolist(), counts.counts[own].tolist(), strict=True))


@pytest.mark.parametrize("cards", [FORGOTTEN, KEPT, LEDUC])
def test_against_brute_force(cards: CardRounds) -> None:
    rng = np.random.default_rng(3)
    for round in range(cards.rounds - 1):
        table = rng.integers(0, 300, cards.hands(round + 1)).astype(np.uint16)
        feature = NextBuckets(table)
        every = feature.every(cards, round, threads=2)
        indices = rng.integers(0, cards.hands(round), 12)
        hands = cards.indexer(round).unindex_batch(indices)
        some = feature.of(cards, round, hands)
        for i, hand in enumerate(hands.tolist()):
            expected = naive.next_buckets(cards, round, hand, table)
            assert of_hand(some, i) == of_hand(every, int(indices[i])) == expected
            assert sum(expected.values()) == every.ways
        np.testing.assert_allclose(every.dense(300).sum(1), 1, rtol=1e-6)
        assert every.dense(300)[indices[0], next(iter(of_hand(some, 0)))] > 0


def test_blocks_are_in_order_whatever_the_threads() -> None:
    cards = CardRounds(FULL_DECK, 1, (0, 2))
    feature = NextBuckets(np.arange(cards.hands(1), dtype=np.uint32))
    events: list[Event] = []
    blocks = list(feature.blocks(cards, 0, threads=2, watch=Watch(on_progress=events.append)))
    assert np.array_equal(np.concatenate([indices for indices, _ in blocks]), np.arange(13))
    assert (events[-1].done, events[-1].total) == (13, 13)
    one, two = feature.every(cards, 0), feature.every(cards, 0, threads=2)
    assert np.array_equal(one.buckets, two.buckets)
    assert np.array_equal(one.counts, two.counts)


def test_what_leads_nowhere_gets_a_sentence() -> None:
    with pytest.raises(BadSetting, match="round 1 is the last"):
        NextBuckets(np.zeros(15, np.uint16)).every(LEDUC, 1)
    with pytest.raises(BadSetting, match="round 1 has 15 hands, and this is a table of 14"):
        NextBuckets(np.zeros(14, np.uint16)).every(LEDUC, 0)
    with pytest.raises(BadCards, match="comes twice"):
        NextBuckets(np.zeros(FORGOTTEN.hands(1), np.uint16)).of(FORGOTTEN, 0, np.array([[1, 1]], np.uint8))
    assert NextBuckets(np.zeros(15, np.uint16)).of(LEDUC, 0, np.zeros((0, 1), np.uint8)).starts.tolist() == [0]


@pytest.mark.parametrize("seed", range(6))
def test_a_line_is_divided_as_well_as_it_can_be(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, weights = np.sort(rng.random(9)), rng.integers(1, 6, 9).astype(np.float64)

    def cost(groups: np.ndarray) -> float:
        inside = [groups == group for group in np.unique(groups)]
        means = [np.average(values[one], weights=weights[one]) for one in inside]
        return float(
            sum((weights[one] * (values[one] - mean) ** 2).sum() for one, mean in zip(inside, means, strict=True))
        )

    for groups in (1, 2, 4, 9):
        found = divided(values, weights, groups)
        assert sorted(set(found.tolist())) == list(range(groups))
        assert (np.diff(found) >= 0).all()
        cuts = combinations(range(1, 9), groups - 1)
        best = min(cost(np.searchsorted(np.array(cut, int), np.arange(9), side="right")) for cut in cuts)
        assert cost(found) == pytest.approx(best, abs=1e-12)
