"""Where the next cards lead, against brute force; and the division of a line into clusters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from naive import features as naive
from pokerlab.abstraction.buckets import RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.transport import Distributions
from pokerlab.abstraction.features.next_buckets import next_buckets
from pokerlab.abstraction.features.ochs import divided
from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadSetting
from pokerlab.events import Event, Watch

FORGOTTEN = CardRounds(Deck.of("TJQKA", "cdh"), 2, (0, 2, 2, 3))
KEPT = CardRounds(FORGOTTEN.deck, 2, FORGOTTEN.boards, ordered=True)
LEDUC = CardRounds(Deck.of("JQK", "sh"), 1, (0, 1))


def of_hand(rows: Distributions, hand: int) -> dict[int, int]:
    own = slice(int(rows.starts[hand]), int(rows.starts[hand + 1]))
    return dict(zip(rows.entries[own].tolist(), rows.amounts[own].tolist(), strict=True))


@pytest.mark.parametrize("cards", [FORGOTTEN, KEPT, LEDUC])
def test_against_brute_force(cards: CardRounds) -> None:
    rng = np.random.default_rng(3)
    for round in range(cards.rounds - 1):
        table = rng.integers(0, 300, cards.hands(round + 1)).astype(np.uint16)
        every = next_buckets(RoundBuckets("", 300, table), cards, round, threads=2)
        indices = rng.integers(0, cards.hands(round), 12)
        for index, hand in zip(indices.tolist(), cards.indexer(round).unindex_batch(indices).tolist(), strict=True):
            assert of_hand(every, index) == naive.next_buckets(cards, round, hand, table)
        np.testing.assert_allclose(every.dense().sum(1), 1, rtol=1e-6)


def test_rows_are_in_order_whatever_the_threads() -> None:
    cards = CardRounds(FULL_DECK, 1, (0, 2))
    following = RoundBuckets("", cards.hands(1), np.arange(cards.hands(1), dtype=np.uint32))
    events: list[Event] = []
    one = next_buckets(following, cards, 0)
    two = next_buckets(following, cards, 0, threads=2, watch=Watch(on_progress=events.append))
    assert (events[-1].done, events[-1].total) == (13, 13)
    for name in ("starts", "entries", "amounts"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


def test_what_leads_nowhere_gets_a_sentence() -> None:
    with pytest.raises(BadSetting, match="round 1 is the last"):
        next_buckets(RoundBuckets("", 1, np.zeros(15, np.uint16)), LEDUC, 1)
    with pytest.raises(BadSetting, match="round 1 has 15 hands, and this is a table of 14"):
        next_buckets(RoundBuckets("", 1, np.zeros(14, np.uint16)), LEDUC, 0)


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
