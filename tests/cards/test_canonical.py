"""The suit-canonical index: published sizes, a bijection, and blind to names of suits and order within a round."""

from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.canonical import canonical, deals, renamed
from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards, BadSetting, TooLarge
from published.canonical import CLASSES

SMALL = [
    ((1, 1), 3, 2),  # Leduc
    ((1, 1, 1), 3, 2),
    ((2, 1), 3, 4),
    ((2, 2), 3, 3),
    ((1, 1, 1), 4, 4),
    ((3, 1, 1), 3, 3),
    ((2, 3), 2, 4),
    ((4,), 4, 4),
    ((3, 3), 3, 2),
    ((2, 2), 6, 1),
    ((2, 1), 2, 5),
    ((6,), 3, 2),
    ((1,), 1, 4),
    ((4, 4), 2, 4),
]


@pytest.mark.parametrize("rounds", CLASSES)
def test_published_sizes(rounds: tuple[int, ...]) -> None:
    assert HandIndexer(rounds).size() == CLASSES[rounds]


def test_sizes_of_every_round() -> None:
    indexer = HandIndexer((2, 3, 1, 1))
    assert [indexer.size(turn) for turn in range(4)] == [169, 1_286_792, 55_190_538, 2_428_287_420]
    assert indexer.size(-2) == indexer.size(2)


@pytest.mark.uncompiled
@pytest.mark.parametrize(("rounds", "ranks", "suits"), SMALL[:5])
def test_bijection_uncompiled(rounds: tuple[int, ...], ranks: int, suits: int) -> None:
    check_bijection(rounds, ranks, suits)


@pytest.mark.parametrize(("rounds", "ranks", "suits"), SMALL)
def test_bijection_over_all_deals(rounds: tuple[int, ...], ranks: int, suits: int) -> None:
    check_bijection(rounds, ranks, suits)


def check_bijection(rounds: tuple[int, ...], ranks: int, suits: int) -> None:
    """Over all deals of a small deck, one index for each class of the naive twin, and all of 0..size-1 used."""
    indexer = HandIndexer(rounds, ranks, suits)
    hands = list(deals(rounds, range(ranks * suits)))
    classes = [canonical(hand, rounds, suits) for hand in hands]
    indices = indexer.index_batch(np.array(hands))
    assert len(set(zip(classes, indices.tolist(), strict=True))) == len(set(classes)) == indexer.size()
    assert np.array_equal(np.unique(indices), np.arange(indexer.size()))
    back = indexer.unindex_batch(indices)
    for hand, cards in zip(classes, back.tolist(), strict=True):
        assert canonical(cards, rounds, suits) == hand
    assert np.array_equal(np.bincount(indices), indexer.counts(np.arange(indexer.size())))


@pytest.mark.parametrize("rounds", [(2,), (2, 3), (3,), (4,), (5,), (3, 1), (2, 2), (1, 1), (1, 1, 1)])
def test_unindex_then_index_over_all_classes(rounds: tuple[int, ...]) -> None:
    indexer = HandIndexer(rounds)
    everything = np.arange(indexer.size())
    hands = indexer.unindex_batch(everything)
    assert np.array_equal(indexer.index_batch(hands), everything)
    deal_count, left = 1, 52
    for cards in rounds:
        deal_count *= comb(left, cards)
        left -= cards
    assert indexer.counts(everything).sum() == deal_count


@pytest.mark.parametrize("rounds", [(2, 3, 1), (2, 3, 1, 1), (2, 4), (2, 5), (2, 3, 2), (3, 1, 1), (7,)])
def test_unindex_then_index_over_a_sample(rounds: tuple[int, ...]) -> None:
    indexer = HandIndexer(rounds)
    size = indexer.size()
    indices = np.concatenate([np.random.default_rng(3).integers(0, size, 50_000), [0, 1, size - 2, size - 1]])
    hands = indexer.unindex_batch(indices)
    assert np.array_equal(indexer.index_batch(hands), indices)


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [(3, 1, 1), (7,), (2, 4), (2, 3, 1), (2, 5)])
def test_unindex_then_index_over_all_classes_of_large_ones(rounds: tuple[int, ...]) -> None:
    indexer = HandIndexer(rounds)
    for start in range(0, indexer.size(), 1 << 20):
        indices = np.arange(start, min(start + (1 << 20), indexer.size()))
        assert np.array_equal(indexer.index_batch(indexer.unindex_batch(indices)), indices)


@st.composite
def renamed_hands(draw: st.DrawFn) -> tuple[HandIndexer, list[int], list[int]]:
    """A hand of some rounds, and the same after renaming suits and shuffling within rounds."""
    kinds = [(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1), (2, 4), (2, 5), (2, 3, 2), (6,), (7,), (9,), (11,), (1, 1, 1)]
    rounds = draw(st.sampled_from(kinds))
    hand = draw(st.permutations(range(52)))[: sum(rounds)]
    names = draw(st.permutations(range(4)))
    other = [draw(st.permutations(cards)) for cards in renamed(hand, rounds, names)]
    return HandIndexer(rounds), hand, [card for cards in other for card in cards]


@given(renamed_hands())
def test_blind_to_names_of_suits_and_order_within_a_round(pair: tuple[HandIndexer, list[int], list[int]]) -> None:
    indexer, hand, other = pair
    assert indexer.index(hand) == indexer.index(other)
    assert indexer.canonical(hand) == indexer.canonical(other) == indexer.unindex(indexer.index(hand))
    assert canonical(hand, indexer.rounds, 4) == canonical(indexer.canonical(hand), indexer.rounds, 4)


@given(st.data())
@settings(max_examples=50)
def test_agrees_with_the_naive_twin_on_any_deck(data: st.DataObject) -> None:
    suits = data.draw(st.integers(1, 5))
    ranks = data.draw(st.integers(1, 62 // suits))
    deck = ranks * suits
    rounds = tuple(data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3).filter(lambda r: sum(r) <= deck)))
    indexer = HandIndexer(rounds, ranks, suits)
    hands = [data.draw(st.permutations(range(deck)))[: sum(rounds)] for _ in range(2)]
    if data.draw(st.booleans()):  # two random hands seldom are the same up to names
        moved = renamed(hands[0], rounds, data.draw(st.permutations(range(suits))))
        hands[1] = [card for cards in moved for card in cards]
    same = canonical(hands[0], rounds, suits) == canonical(hands[1], rounds, suits)
    assert (indexer.index(hands[0]) == indexer.index(hands[1])) == same
    counted = indexer.counts(np.array([indexer.index(hands[0])]))[0]
    assert factorial(suits) % counted == 0


def test_columns_say_the_round() -> None:
    indexer = HandIndexer((2, 3, 1, 1))
    cards = np.array([FULL_DECK.cards("AhKh Td7s2c 3c 4d"), FULL_DECK.cards("2c2d AsKsQs Js Ts")])
    for turn, end in enumerate((2, 5, 6, 7)):
        alone = HandIndexer((2, 3, 1, 1)[: turn + 1]).index_batch(cards[:, :end])
        assert np.array_equal(indexer.index_batch(cards[:, :end]), alone)
        assert np.array_equal(indexer.index_batch(cards, round=turn), alone)
    assert np.array_equal(indexer.index_batch(cards, round=-1), indexer.index_batch(cards))


def test_nothing_to_index() -> None:
    assert HandIndexer((2,)).index_batch(np.zeros((0, 2), np.uint8)).shape == (0,)
    assert HandIndexer((2,)).unindex_batch(np.zeros(0, np.int64)).shape == (0, 2)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ([51, 51], "the card As comes twice"),
        ([52, 0], "52 is not a card"),
        ([-1, 0], "-1 is not a card"),
        ([300, 0], "300 is not a card"),
        ([1, 2, 3], "has 2 or 5 cards, got 3"),
        ([], "has 2 or 5 cards, got 0"),
        ([0.5, 1.0], "cards are whole numbers"),
        ([1, 2, 3, 1, 5], "the card 2d comes twice"),
    ],
)
def test_bad_cards_get_a_sentence(cards: list[int], sentence: str) -> None:
    with pytest.raises(BadCards, match=sentence):
        HandIndexer((2, 3)).index(cards)


def test_bad_row_is_named() -> None:
    rows = np.array([[0, 1], [2, 3], [4, 4]], np.uint8)
    with pytest.raises(BadCards, match="comes twice in row 2"):
        HandIndexer((2,)).index_batch(rows)
    with pytest.raises(BadCards, match="99 in row 1 is not a card"):
        HandIndexer((2,)).index_batch(np.array([[0, 1], [2, 99]], np.uint8))
    with pytest.raises(BadCards, match="an array"):
        HandIndexer((2,)).index_batch(np.zeros((2, 2, 2), np.uint8))
    with pytest.raises(BadCards, match="needs 5 cards"):
        HandIndexer((2, 3)).index_batch(np.array([[0, 1]]), round=1)


@pytest.mark.parametrize("index", [-1, 169, 1 << 40])
def test_bad_index_gets_a_sentence(index: int) -> None:
    with pytest.raises(BadSetting, match=f"there is no hand {index}: they are numbered 0 to 168"):
        HandIndexer((2,)).unindex(index)
    with pytest.raises(BadSetting, match="there is no hand"):
        HandIndexer((2,)).counts(np.array([0, index]))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rounds": ()}, "at least one card"),
        ({"rounds": (2, 0)}, "at least one card"),
        ({"rounds": (3, 4), "ranks": 3, "suits": 2}, "deal 7 cards of a deck of 6"),
        ({"rounds": (1,), "ranks": 0}, "cannot index a deck of 0 ranks"),
        ({"rounds": (1,), "ranks": 63, "suits": 1}, "at most 62 cards"),
    ],
)
def test_bad_settings_get_a_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        HandIndexer(**settings)  # type: ignore[arg-type]


def test_bad_round_and_too_many_rounds() -> None:
    with pytest.raises(BadSetting, match="there is no round 2"):
        HandIndexer((2, 3)).size(2)
    with pytest.raises(TooLarge, match="too many to index"):
        HandIndexer((1,) * 30).size()
    with pytest.raises(TooLarge, match="too many to number"):
        HandIndexer((6, 6, 6), ranks=62, suits=1).size()
