"""Buckets of exchanges: the paper's counts and names, exact means over draws, masks that follow renamed suits."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from pokerlab.abstraction.exchange_buckets import AFTER, BEFORE, DiscardOption, ExchangeBuckets, exchange_buckets
from pokerlab.abstraction.exchange_cards import ExchangeCards, masks
from pokerlab.abstraction.exchanges.by_draws import renamed
from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.formats.opening import open_game

SMALL = ExchangeCards(Deck.of("23456", "abc"), 3, 2, "three_card")
FIVE = open_game("five-card-draw(menu='min')")


@cache
def of_five(text: str) -> ExchangeBuckets:
    return exchange_buckets(text, FIVE)


def test_the_papers_starting_hands_and_names() -> None:
    # Ee 2024, section 3.2; counts from shared/reference/values.md 3.2
    plain, marked = (of_five(name) for name in ("no-suits", "highest-suit-mini"))
    assert plain.counts[0] == 6175
    assert marked.counts[0] == 16757
    hand = FULL_DECK.cards("3c 5s 7c 8c 9c")
    assert plain.name(BEFORE, int(plain.before[plain.hand(hand)])) == "35789"
    assert marked.name(BEFORE, int(marked.before[marked.hand(hand)])) == "10111|35789"
    assert [option.name for option in plain.options][:2] == ["d0", "d1"]
    assert len(plain.options) == 32
    assert FULL_DECK.text(plain.thrown(hand)[15]) == "9c8c"  # the fourth and fifth card, not the third and fourth
    assert plain.counts[2] == 6175 * 32


@pytest.mark.parametrize("other", ["3d 5c 7d 8d 9d", "3h 5d 7h 8h 9h"])
def test_names_of_suits_do_not_matter_to_marks(other: str) -> None:
    marked = of_five("highest-suit-mini")
    one = marked.before[marked.hand(FULL_DECK.cards("3c 5s 7c 8c 9c"))]
    assert one == marked.before[marked.hand(FULL_DECK.cards(other))]
    assert one != marked.before[marked.hand(FULL_DECK.cards("3c 5c 7c 8c 9s"))]
    # of two fives the marked one is the higher card, whatever its suit: the second place is thrown
    for text, thrown in (("5c 5s 7c 8c 9c", "5c"), ("5s 5c 7s 8s 9s", "5s")):
        assert FULL_DECK.text(marked.thrown(FULL_DECK.cards(text))[2]) == thrown


def test_hands_are_numbered_one_by_one() -> None:
    cards = ExchangeCards.of(FIVE)
    assert np.array_equal(cards.number(cards.every[::9973]), np.arange(cards.hands)[::9973])
    assert np.array_equal(cards.number(cards.every[:50][:, ::-1]), np.arange(50))  # in any order
    assert len(np.unique(cards.canonical)) == 134_459


def test_masks_are_the_papers_numbers() -> None:
    found = masks(5, 5)
    assert [mask.bit_count() for mask in found] == sorted(mask.bit_count() for mask in range(32))
    assert set(masks(3, 1)) == {0, 1, 2, 4}


@pytest.mark.parametrize("seed", [0, 1])
def test_means_over_draws_are_those_of_every_draw(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(SMALL.hands, 2))
    hands = SMALL.every[rng.choice(SMALL.hands, 6, replace=False)]
    found = SMALL.draw_means(values, hands)
    for row, hand in zip(found, hands.tolist(), strict=True):
        left = [card for card in range(SMALL.deck.size) if card not in hand]
        for mask in range(8):
            kept = [card for place, card in enumerate(hand) if not mask >> place & 1]
            drawn = [values[SMALL.number(np.array([[*kept, *new]]))[0]] for new in combinations(left, 3 - len(kept))]
            assert np.allclose(row[mask], np.mean(drawn, axis=0), atol=1e-9)


def test_likelihoods_after_an_exchange() -> None:
    rng = np.random.default_rng(3)
    hands = SMALL.every[rng.choice(SMALL.hands, 5, replace=False)]
    thrown, weights = rng.integers(0, 8, 5), rng.random(5)
    expected = np.zeros(SMALL.hands)
    for hand, mask, weight in zip(hands.tolist(), thrown.tolist(), weights.tolist(), strict=True):
        kept = [card for place, card in enumerate(hand) if not mask >> place & 1]
        left = [card for card in range(SMALL.deck.size) if card not in hand]
        options = list(combinations(left, 3 - len(kept)))
        for new in options:
            expected[SMALL.number(np.array([[*kept, *new]]))[0]] += weight / len(options)
    assert np.allclose(SMALL.likelihoods(hands, thrown, weights), expected / weights.sum(), atol=1e-12)


def test_masks_follow_renamed_suits() -> None:
    hands = SMALL.canonical_hands
    rng = np.random.default_rng(5)
    thrown = rng.integers(0, 8, (len(hands), 2)).astype(np.uint8)
    found = renamed(SMALL, hands, thrown)
    worth = rng.normal(size=SMALL.canonical.max() + 1)[SMALL.canonical][:, None]  # the same for renamed hands
    sample = rng.choice(SMALL.hands, 60, replace=False)
    means = SMALL.draw_means(worth, SMALL.every[sample])[:, :, 0]
    of_class = SMALL.draw_means(worth, hands)[:, :, 0]
    for place, hand in enumerate(sample.tolist()):
        for option in range(2):
            own = int(SMALL.canonical[hand])
            assert means[place, found[hand, option]] == pytest.approx(of_class[own, thrown[own, option]], abs=1e-12)


@pytest.mark.parametrize(
    ("hand", "option", "thrown"),
    [
        ("As Ah 7c 5d 2s", "d3", "7c5d2s"),
        ("Qc Qd 9h 9s 3c", "d1", "3c"),
        ("Ks 9s 7s 4s 2d", "d1", "2d"),
        ("Ks 9s 7s 4s 4d", "d1+", "4d"),
        ("9c 8d 7h 6s 2c", "d1", "2c"),
        ("7c 7d 7h As 2c", "d2", "As2c"),
        ("Kc Qc 9c 4c 2c", "d0", ""),
    ],
)
def test_exchanges_by_what_they_are_good_for(hand: str, option: str, thrown: str) -> None:
    found = of_five("by-draws(before=20, after=20)")
    names = [one.name for one in found.options]
    assert FULL_DECK.text(found.thrown(FULL_DECK.cards(hand))[names.index(option)]) == thrown


def test_a_flush_is_a_flush() -> None:
    found = of_five("by-draws(before=20, after=20)")
    flush, high = (found.hand(FULL_DECK.cards(text)) for text in ("Kc Qc 9c 4c 2c", "Kc Qc 9c 4c 2d"))
    assert found.before[flush] != found.before[high]
    assert found.after[flush] > found.after[high]


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(TooLarge, match="too many to remember"):
        exchange_buckets("lossless", FIVE)
    with pytest.raises(BadSetting, match="run out"):
        ExchangeCards.of(open_game("five-card-draw(players=6)"))
    with pytest.raises(BadSetting, match="one draw"):
        ExchangeCards.of(open_game("leduc"))
    small = exchange_buckets("lossless", open_game("small-draw"))
    with pytest.raises(BadSetting, match="how many cards"):
        ExchangeBuckets(
            small.cards,
            "x",
            (DiscardOption("a", 0), DiscardOption("b", 1)),
            small.before,
            small.masks[:, :2],
            small.after,
            np.zeros((len(small.memory), 2), np.int32),
        )


def test_a_discard_that_is_no_way_is_read_as_the_likest() -> None:
    found = of_five("by-draws(before=20, after=20)")
    hand = FULL_DECK.cards("As Ah 7c 5d 2s")
    names = [one.name for one in found.options]
    assert names[found.option(hand, FULL_DECK.cards("7c 5d 2s"))] == "d3"
    assert names[found.option(hand, FULL_DECK.cards("As 7c 2s"))].startswith("d3")
    bucket = found.bucket(AFTER, hand, FULL_DECK.cards("5d 2s"), FULL_DECK.cards("As Ah 7c Kd Ks"))
    assert bucket % found.memories == 2
