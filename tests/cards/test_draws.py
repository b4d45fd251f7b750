"""Five-card draw: strengths, draws and potential of every hand against plain counting, and laws of them."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from naive import draws as naive
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.draw_potential import potential_of
from pokerlab.cards.draws import MASKS, OPPOSING, DrawMeasures, all_hands, draw_measures, hand_indexer
from pokerlab.cards.rank_hands import plain_classes, rank_multisets, rank_tables
from pokerlab.cards.strength import HIGH, strengths
from pokerlab.errors import BadSetting

THROWN = np.array([mask.bit_count() for mask in range(MASKS)])
DEVIATIONS = 5  # standard errors


@pytest.fixture(scope="module")
def measures() -> DrawMeasures:
    return draw_measures()


def cards_of(number: int, mask: int = MASKS - 1) -> list[int]:
    """The cards of a canonical hand that a mask names."""
    return [int(card) for place, card in enumerate(all_hands()[number]) if mask >> place & 1]


def number_of(text: str) -> int:
    return hand_indexer().index(FULL_DECK.cards(text))


@pytest.mark.parametrize("text", ["AsKsQsJsTs", "9h9d9c9s2c", "AsAdKs8s3s", "7s5h4d3c2s", "8s8d3s3d2s", "As5h4h3h2h"])
def test_strength_against_every_hand(text: str, measures: DrawMeasures) -> None:
    hand = FULL_DECK.cards(text)
    theirs, _ = naive.opposing_classes(hand)
    number = number_of(text)
    assert measures.classes[number] == naive.class_of(hand)
    assert measures.ahead[number] == (theirs > naive.class_of(hand)).sum()
    assert measures.tied[number] == (theirs == naive.class_of(hand)).sum()
    won = (theirs > naive.class_of(hand)).sum() + (theirs == naive.class_of(hand)).sum() / 2
    assert measures.strength[number] == won / 1_533_939  # Ee's 47C5


def test_what_one_hand_wins_another_loses(measures: DrawMeasures) -> None:
    counts = hand_indexer().counts(np.arange(len(measures.classes)))
    assert counts.sum() == 2_598_960
    assert (measures.strength * counts).sum() / counts.sum() == pytest.approx(0.5, abs=1e-12)
    wins = (measures.ahead.astype(np.int64) * counts).sum()
    losses = ((OPPOSING - measures.ahead.astype(np.int64) - measures.tied) * counts).sum()
    assert wins == losses


@pytest.mark.parametrize("held", [0, 1, 3, 7])
def test_hands_by_class_beside_any_cards(held: int) -> None:
    from pokerlab.cards._kernels.rank_hands import count_opposing

    rng = np.random.default_rng(held)
    cards = rng.permutation(52)[:held].astype(np.uint8)
    counts = np.zeros(HIGH().class_count + 1, np.int64)
    count_opposing(cards, rank_tables(), counts)
    everything = hand_indexer().unindex_batch(np.arange(hand_indexer().size()))
    assert counts.sum() == comb(52 - held, 5)
    if held == 0:
        weights = hand_indexer().counts(np.arange(len(everything)))
        assert (counts == np.bincount(draw_measures().classes, weights, minlength=len(counts))).all()
    if held >= 5:
        inside = naive.EVERY[naive.EVERY[:, 4] < 52 - held]  # places rise in each row
        hands = np.setdiff1d(np.arange(52), cards)[inside]
        assert (counts == np.bincount(strengths(hands.astype(np.uint8)), minlength=len(counts))).all()


def test_weighed_strength() -> None:
    """Against hands that weigh as their class does, on a hand that has flushes and straights both taken away."""
    from pokerlab.cards._kernels.rank_hands import weighted_strength

    rng = np.random.default_rng(6)
    weights = rng.random(HIGH().class_count + 1) * (rng.random(HIGH().class_count + 1) < 0.3)
    for text in ("9s8s7s6h5s", "KdKc7h4h2h"):
        hand = FULL_DECK.cards(text)
        theirs, _ = naive.opposing_classes(hand)
        best = naive.class_of(hand)
        won = weights[theirs[theirs > best]].sum() + weights[theirs[theirs == best]].sum() / 2
        scratch = np.zeros(len(weights), np.int64)
        found = weighted_strength(np.array(hand, np.uint8), best, weights, rank_tables(), scratch)
        assert found == pytest.approx(won / weights[theirs].sum(), rel=1e-12)
        assert weighted_strength(np.array(hand, np.uint8), best, np.zeros_like(weights), rank_tables(), scratch) == 0.5


@pytest.mark.parametrize("seed", range(5))
def test_mean_strength_after_a_draw(seed: int, measures: DrawMeasures) -> None:
    rng = np.random.default_rng(seed)
    number = int(rng.integers(len(measures.classes)))
    hand, strength = cards_of(number), measures.strength
    assert measures.improved[number, 0] == pytest.approx(strength[number], abs=1e-14)
    for mask in rng.permutation([mask for mask in range(1, MASKS - 1) if THROWN[mask] <= 4])[:6].tolist():
        expected = naive.mean_strength(hand, cards_of(number, mask), strength, hand_indexer().index_batch)
        assert measures.improved[number, mask] == pytest.approx(expected, abs=1e-12)


def test_best_draws(measures: DrawMeasures) -> None:
    every = np.arange(len(measures.best))
    assert (measures.improved[every, measures.best] == measures.improved.max(1)).all()
    for text, thrown in (
        ("8s8d7h4c2s", "7h4c2s"),
        ("9s9d9h5c2d", "5c2d"),
        ("Ts9s7s6s4s", ""),
        ("KsJh7d6c3s", "Jh7d6c3s"),
    ):
        number = number_of(text)
        found = {card // 4 for card in cards_of(number, int(measures.best[number]))}
        assert found == {card // 4 for card in FULL_DECK.cards(thrown)}


def test_draws_to_the_current_highest_hand(measures: DrawMeasures) -> None:
    """As in the paper: of a pair of deuces the three other cards are thrown."""
    number = number_of("2c2s5s8h9s")
    assert {card // 4 for card in cards_of(number, int(measures.made[number]))} == {3, 6, 7}
    for number in np.random.default_rng(3).integers(len(measures.made), size=400).tolist():
        assert set(cards_of(number, int(measures.made[number]))) == naive.made(cards_of(number))


@pytest.mark.parametrize(
    ("text", "thrown"),
    [
        ("As9s7s4s2d", "2d"),  # one card to a flush
        ("JsTd9h8c2d", "2d"),
        ("AsAd5s5h2d", "2d"),
        ("6s5s4s3h2c", "3h"),  # breaking a straight
        ("AsKsQsJs9d", "9d"),  # a royal flush may come
        ("2h2d2c7s4s", "7s4s"),
        ("JhJd8h8c2s", "8h8c"),  # half of what is made
        ("AsAhKs9h4s", "9h4s"),
    ],
)
def test_potential_over_every_draw_and_hand(text: str, thrown: str) -> None:
    hand, away = FULL_DECK.cards(text), FULL_DECK.cards(thrown)
    number = hand_indexer().index(hand)
    ordered = _in_order(hand)
    mask = sum(1 << place for place, card in enumerate(ordered) if card in away)
    assert potential_of(np.array([mask]), np.array([number]))[0] == pytest.approx(
        naive.potential(hand, away), rel=1e-12
    )


def _in_order(hand: list[int]) -> list[int]:
    """The cards in the order of the canonical hand: by rank, and the fuller suit first."""
    suits = [[card // 4 for card in hand if card % 4 == suit] for suit in range(4)]
    fuller = sorted(range(4), key=lambda suit: (len(suits[suit]), sorted(suits[suit], reverse=True)))
    return sorted(hand, key=lambda card: (card // 4, fuller.index(card % 4)), reverse=True)


@pytest.mark.parametrize("thrown", [3, 4, 5])
def test_potential_of_many_new_cards(thrown: int, measures: DrawMeasures) -> None:
    """Too many pairs to look at them all: against a sample, of any masks and not only the best."""
    rng = np.random.default_rng(thrown)
    flush = (all_hands() % 4 == all_hands()[:, :1] % 4).all(axis=1)
    numbers = rng.choice(np.flatnonzero(~flush & (measures.classes > 4000)), 4)
    masks = rng.choice([mask for mask in range(MASKS) if THROWN[mask] == thrown], 4)
    for number, mask, found in zip(numbers.tolist(), masks.tolist(), potential_of(masks, numbers), strict=True):
        hand, away = cards_of(number), cards_of(number, mask)
        estimate, error = naive.sampled_potential(hand, away, 100_000, rng)
        assert abs(found - estimate) < DEVIATIONS * error


def test_five_new_cards_are_worth_as_much_as_an_opponents(measures: DrawMeasures) -> None:
    """Thrown whole, the worst hand wins half against what was ahead; those that tied it cannot get worse than tied."""
    number = number_of("7s5h4d3c2s")
    tied = measures.tied[number] / OPPOSING
    found = potential_of(np.array([MASKS - 1]), np.array([number]))[0]
    assert found == pytest.approx((1 - tied) / (2 - tied), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["AsKs8d6s2h", "QhQs7s5s3c", "AsAhKd7s2s"])
def test_potential_of_three_new_cards_exactly(text: str) -> None:
    hand = FULL_DECK.cards(text)
    ordered = _in_order(hand)
    found = potential_of(np.array([0b11100]), np.array([hand_indexer().index(hand)]))[0]
    assert found == pytest.approx(naive.potential(hand, ordered[2:]), rel=1e-12)


def test_nothing_to_gain() -> None:
    """A hand that stands pat stays where it is, and nothing overtakes what nothing beats."""
    numbers = np.array([number_of("AsKsQsJsTs"), number_of("9d8s7s6h5c")])
    assert (potential_of(np.zeros(2, np.int64), numbers) == 0).all()
    with pytest.raises(BadSetting, match="a flush that throws cards"):
        potential_of(np.array([1]), numbers[:1])


def test_hands_as_ranks() -> None:
    """6,175 multisets of five ranks ("No Suits" of Ee), each with the class of a hand that is no flush."""
    multisets = rank_multisets(5)
    assert len(multisets) == 6_175
    classes = plain_classes(multisets)
    assert classes.max() == 7_462
    assert len(np.unique(classes)) == 7_462 - 1_287
    assert [len(rank_multisets(count)) for count in (1, 2, 3, 4)] == [13, 91, 455, 1_820]
