"""Hand strength against the paper's evaluator, exhaustive counts, another program, and its own symmetries."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.cards import best_of_five, prime_class, prime_classes, subsets
from pokerlab.cards.card import FULL_DECK, SHORT_DECK
from pokerlab.cards.strength import HIGH, SHORT, THREE, describe, strength, strengths
from pokerlab.errors import BadCards
from published.cards import CATEGORIES, COUNTS, DISTINCT, TABLE_1, THREE_CARD


def hands(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)


def category_counts(classes: np.ndarray) -> tuple[int, ...]:
    places = np.searchsorted(HIGH().category_ends, np.arange(HIGH().class_count + 1))
    return tuple(int(n) for n in np.bincount(places[1:], weights=classes[1:], minlength=9))


def test_all_five_card_hands_agree_with_the_prime_product_evaluator() -> None:
    rows = subsets(52, 5)
    assert len(rows) == comb(52, 5)
    ours = strengths(rows)
    assert np.array_equal(ours, prime_classes(rows))
    counts = np.bincount(ours, minlength=7463)
    assert category_counts(counts) == COUNTS[5]
    for category, ends in zip(CATEGORIES, HIGH().category_ends, strict=True):
        distinct, degeneracy = TABLE_1[category]
        assert set(counts[ends - distinct + 1 : ends + 1]) == {degeneracy}


def count_all(size: int) -> np.ndarray:
    """Hands of each class among all of C(52, size), two top cards at a time."""
    counts = np.zeros(7463, np.int64)
    lower = subsets(50, size - 2)
    for top in range(size - 1, 52):
        for second in range(size - 2, top):
            block = lower[: comb(second, size - 2)]
            rows = np.empty((len(block), size), np.uint8)
            rows[:, :-2], rows[:, -2], rows[:, -1] = block, second, top
            counts += np.bincount(strengths(rows), minlength=7463)
    return counts


@pytest.mark.parametrize("size", [6, pytest.param(7, marks=pytest.mark.slow)])
def test_category_counts_of_all_hands(size: int) -> None:
    counts = count_all(size)
    assert counts.sum() == comb(52, size)
    assert category_counts(counts) == COUNTS[size]
    assert category_counts((counts > 0).astype(np.int64)) == DISTINCT[size]


@given(st.integers(5, 9).flatmap(hands))
def test_best_of_any_number_of_cards(cards: list[int]) -> None:
    assert strength(cards) == best_of_five(tuple(cards))


@pytest.mark.uncompiled
def test_a_few_hands_of_every_size() -> None:
    rng = np.random.default_rng(1)
    for size in (5, 6, 7, 8):
        for _ in range(20):
            cards = rng.permutation(52)[:size]
            assert strength(cards.tolist()) == best_of_five(tuple(int(card) for card in cards))


@given(hands(7), st.permutations(range(4)))
def test_suits_do_not_matter(cards: list[int], suits: list[int]) -> None:
    renamed = [card // 4 * 4 + suits[card % 4] for card in cards]
    assert strength(cards) == strength(renamed)


def test_agrees_with_phevaluator() -> None:
    from phevaluator import evaluate_cards

    rng = np.random.default_rng(2)
    rows = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (20_000, 1)), axis=1)
    for size in (5, 6, 7):
        chosen = rows[:, :size]
        assert strengths(chosen).tolist() == [evaluate_cards(*row) for row in chosen.tolist()]


def test_three_card_counts_and_order() -> None:
    ranking = THREE()
    found = Counter(ranking.category(int(number)) for number in ranking.strengths(subsets(52, 3)))
    assert dict(found) == THREE_CARD
    ace_low, ace_high = FULL_DECK.cards("Ac2c3c"), FULL_DECK.cards("QcKcAc")
    assert ranking.strength(ace_high) == 1
    assert ranking.category(ranking.strength(ace_low)) == "straight flush"
    straight, flush = FULL_DECK.cards("4c5d6h"), FULL_DECK.cards("AcKcJc")
    assert ranking.strength(straight) < ranking.strength(flush)


def test_short_deck_order() -> None:
    ranking = SHORT()
    flush, full_house = FULL_DECK.cards("6c7c8c9cJc"), FULL_DECK.cards("AcAdAhKcKd")
    wheel = FULL_DECK.cards("Ac6d7h8s9c")
    assert ranking.strength(flush) < ranking.strength(full_house)
    assert ranking.name(ranking.strength(wheel)) == "straight, nine high"
    counts = Counter(ranking.category(int(n)) for n in ranking.strengths(subsets(36, 5) + 16))
    # by hand: 6 straights x 4^5 less 24 straight flushes; C(9,5) x 4 less 24 flushes
    assert counts["straight"] == 6 * 1024 - 24
    assert counts["flush"] == comb(9, 5) * 4 - 24
    assert counts["full house"] == 9 * 4 * 8 * 6
    assert sum(counts.values()) == comb(SHORT_DECK.size, 5)


def test_short_deck_best_of_seven_tries_all() -> None:
    ranking = SHORT()
    rng = np.random.default_rng(3)
    for _ in range(200):
        cards = (rng.permutation(36)[:7] + 16).astype(np.uint8)
        fives = np.array([cards[list(chosen)] for chosen in subsets(7, 5)])
        assert ranking.strength(cards.tolist()) == ranking.strengths(fives).min()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AsKsQsJsTs", "royal flush"),
        ("5h4h3h2hAh", "straight flush, five high"),
        ("KsKdKc7h7d", "full house, kings over sevens"),
        ("6s6d6c6h7d", "four sixes"),
        ("AsKdQcJhTd2c", "straight, ace high"),
        ("2s2d9c9hKd", "two pair, nines and twos"),
        ("7c5d4h3s2c", "seven high"),
        ("QcQd2s3h8c", "a pair of queens"),
        ("8c8d8s3h2c", "three eights"),
        ("AhTh7h4h2h", "flush, ace high"),
    ],
)
def test_names(text: str, words: str) -> None:
    assert describe(FULL_DECK.cards(text)) == words


def test_worst_and_best() -> None:
    assert strength(FULL_DECK.cards("7c5d4h3s2c")) == 7462
    assert prime_class(tuple(FULL_DECK.cards("AcKcQcJcTc"))) == 1


@pytest.mark.parametrize("bad", [[0, 0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3, 52], [-1, 1, 2, 3, 4]])
def test_bad_cards_are_refused(bad: list[int]) -> None:
    with pytest.raises(BadCards):
        strength(bad)


def test_low_cards_are_not_in_the_short_deck() -> None:
    with pytest.raises(BadCards, match="2c is not in the deck"):
        SHORT().strength(FULL_DECK.cards("2cAcKcQcJc"))


def test_permuting_cards_changes_nothing() -> None:
    cards = FULL_DECK.cards("AsKd7h7c2d")
    assert len({strength(list(order)) for order in permutations(cards)}) == 1


def test_numbers_beyond_a_byte_are_refused() -> None:
    for wrong in (300, 256, -1, 52):
        with pytest.raises(BadCards):
            strengths(np.array([[0, 1, 2, 3, wrong]]))


def test_cards_are_whole_numbers_and_each_comes_once() -> None:
    for wrong in (np.array([[0.5, 1, 2, 3, 4]]), np.array([["As", "Ks", "Qs", "Js", "Ts"]])):
        with pytest.raises(BadCards, match="cards are whole numbers"):
            strengths(wrong)
    with pytest.raises(BadCards, match="hand 1 holds a card twice: 2c 2d 2h 2s 2c"):
        strengths(np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]]))
    with pytest.raises(BadCards, match="hand 0 holds a card twice"):
        strengths(np.array([[0, 1, 2, 3, 4, 5, 6, 7, 51, 51]]))


def test_a_card_that_comes_many_times_reads_no_foreign_memory() -> None:
    ranking = HIGH()
    for size, base in ranking.base.items():
        rows = np.tile(np.arange(52, dtype=np.uint8)[:, None], (1, size))
        keys = ranking.start + ranking.keys[rows].sum(axis=1)
        places = base[keys & 0x1FFFF] + ranking.low[(keys >> 17) & 0x3FFF].astype(int)
        assert (places >= 0).all()
        assert (places < len(ranking.classes)).all()
        assert len(strengths(rows, check=False)) == 52
        with pytest.raises(BadCards, match="hand 0 holds a card twice: 2c 2c"):
            strengths(rows)
