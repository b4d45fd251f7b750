"""Hand strength measures: the review's example, agreement with the plain twin, and laws."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naive.measures import measure
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_NAMES, COMBOS, combo_index, combo_indices
from pokerlab.cards.equity import equity_of_hands
from pokerlab.cards.measures import (
    BoardMeasures,
    HandMeasures,
    board_measures,
    hand_measures,
    hand_transitions,
    immediate_ranks,
    preflop_strength,
)
from pokerlab.cards.ranges import Range
from pokerlab.cards.strength import HIGH, SHORT, THREE, Ranking
from pokerlab.errors import BadCards, BadRange, BadSetting
from published.measures import AGAINST_RANDOM, EXAMPLE, HOLDINGS

NAMES = ("wins", "ties", "losses", "immediate", "positive", "negative", "effective", "rollout", "squared")
SLOW = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
EVERYBODY = np.ones(1326)


def cards(text: str) -> list[int]:
    return FULL_DECK.cards(text)


def close(measured: HandMeasures | BoardMeasures, expected: dict[str, float], hand: int | None = None) -> bool:
    """Whether every measure agrees; of one hand of a board when `hand` is given."""
    found = [getattr(measured, name) if hand is None else getattr(measured, name)[hand] for name in NAMES]
    return np.allclose(found, [expected[name] for name in NAMES], rtol=1e-9, atol=1e-9)


@st.composite
def situations(draw: st.DrawFn, lowest: int = 0) -> tuple[list[int], list[int], np.ndarray]:
    """Hole cards, a turn or river board, and an opponent's weights, some of them zero."""
    dealt = draw(st.permutations(range(lowest, 52)))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    weights = rng.random(1326) * (rng.random(1326) < draw(st.sampled_from([0.1, 0.5, 1.0])))
    return dealt[:2], dealt[2 : draw(st.sampled_from([6, 7]))], weights


def test_example_of_the_review() -> None:
    hole, board = cards(EXAMPLE["hole"]), cards(EXAMPLE["board"])
    one, many, hand = hand_measures(hole, board), board_measures(board), combo_index(*hole)
    for name in ("wins", "ties", "losses"):
        assert getattr(one, name) == EXAMPLE[name]
        assert getattr(many, name)[hand] == EXAMPLE[name]
    assert round(one.immediate, 6) == round(many.immediate[hand], 6) == EXAMPLE["immediate"]
    assert immediate_ranks(board)[hand] == one.immediate


@pytest.mark.parametrize("size", HOLDINGS)
def test_holdings_of_an_opponent(size: int) -> None:
    board = cards("2dTsKh7c3s")[:size]
    one, many = hand_measures(cards("TcJc"), board), board_measures(board)
    assert one.wins + one.ties + one.losses == HOLDINGS[size]
    met = (many.wins + many.ties + many.losses)[~np.isnan(many.wins)]
    assert (met == HOLDINGS[size]).all()


@SLOW
@given(situations())
def test_one_hand_agrees_with_the_plain_twin(situation: tuple[list[int], list[int], np.ndarray]) -> None:
    hole, board, weights = situation
    lookahead = 5 - len(board)
    for opponent in (weights, EVERYBODY):
        expected = measure(hole, board, opponent, lookahead=lookahead, ranking=HIGH())
        assert close(hand_measures(hole, board, weights=opponent), expected)
        assert close(board_measures(board, weights=opponent), expected, combo_index(*hole))


@pytest.mark.parametrize("lookahead", [1, 2])
def test_flop_agrees_with_the_plain_twin(lookahead: int) -> None:
    hole, board = cards("9h8h"), cards("Th7h2c")
    weights = Range.parse("JJ,KQs,T7s:0.5,53o:0.25").weights
    expected = measure(hole, board, weights, lookahead=lookahead, ranking=HIGH())
    assert close(hand_measures(hole, board, weights=weights, lookahead=lookahead), expected)
    assert close(board_measures(board, weights=weights, lookahead=lookahead), expected, combo_index(*hole))


def test_transitions_count_every_pair_of_opponent_and_run_out() -> None:
    for lookahead, ways in ((0, 1), (1, 45), (2, 990)):
        measured = hand_measures(cards("9h8h"), cards("Th7h2c"), lookahead=lookahead)
        assert np.array_equal(
            measured.transitions.sum(1), np.array([measured.wins, measured.ties, measured.losses]) * ways
        )


def check_all_hands(board: list[int], weights: np.ndarray | None, lookahead: int, ranking: Ranking) -> None:
    """The swept measures of all hands are those of each hand, pair by pair."""
    many = board_measures(board, weights=weights, lookahead=lookahead, ranking=ranking, bins=7)
    live = np.flatnonzero(~np.isnan(many.immediate))
    for hand in np.random.default_rng(5).choice(live, 12, replace=False):
        one = hand_measures(COMBOS[hand].tolist(), board, weights=weights, lookahead=lookahead, ranking=ranking)
        assert close(many, {name: getattr(one, name) for name in NAMES}, hand)
        assert np.allclose(many.histogram[hand], one.histogram(7))


@pytest.mark.parametrize("board", ["Th7h2c", "KsKd4s", "9h8h7h", "AcAdAh"])
@pytest.mark.parametrize("lookahead", [0, 1, 2])
def test_all_hands_of_a_flop(board: str, lookahead: int) -> None:
    check_all_hands(cards(board), None, lookahead, HIGH())


@pytest.mark.parametrize("board", ["Th7h2c", "Th7h2h5h", "QsQd4s4h2c", "2c3c4c5c6c", "2d7c9hKs"])
def test_all_hands_against_a_weighted_opponent(board: str) -> None:
    rng = np.random.default_rng(8)
    weights = rng.random(1326) * (rng.random(1326) < 0.3)
    check_all_hands(cards(board), weights, 5 - len(cards(board)), HIGH())


@pytest.mark.uncompiled
def test_short_deck_agrees_with_the_plain_twin() -> None:
    weights = np.random.default_rng(2).integers(0, 4, 1326)
    for hole, board in (("9h8h", "Th7hAs6c"), ("6c6d", "6hAhKhQh9s")):
        ahead = 5 - len(cards(board))
        expected = measure(cards(hole), cards(board), weights, lookahead=ahead, ranking=SHORT())
        many = board_measures(cards(board), weights=weights, ranking=SHORT())
        assert close(hand_measures(cards(hole), cards(board), weights=weights, ranking=SHORT()), expected)
        assert close(many, expected, combo_index(*cards(hole)))
        assert np.isnan(many.wins[: combo_index(0, 16) + 1]).all()


@SLOW
@given(situations(), st.permutations(range(4)))
def test_blind_to_names_of_suits(situation: tuple[list[int], list[int], np.ndarray], names: list[int]) -> None:
    _, board, weights = situation
    moved = np.arange(52) // 4 * 4 + np.array(names)[np.arange(52) % 4]
    place = combo_indices(moved[COMBOS])
    moved_weights = np.zeros(1326)
    moved_weights[place] = weights
    first = board_measures(board, weights=weights)
    second = board_measures(moved[board].tolist(), weights=moved_weights)
    for name in NAMES:
        assert np.allclose(getattr(first, name), getattr(second, name)[place], atol=1e-12, equal_nan=True)
    assert np.allclose(first.histogram, second.histogram[place], equal_nan=True)


@pytest.mark.parametrize("board", ["Th7h2c", "Th7h2h5h", "QsQd4s4h2c"])
def test_two_players_alike_share_evenly(board: str) -> None:
    measured = board_measures(cards(board))
    assert np.nansum(measured.wins) == np.nansum(measured.losses)
    assert np.nanmean(measured.rollout) == pytest.approx(0.5, abs=1e-12)
    assert np.isnan(measured.rollout).sum() == 1326 - (52 - len(cards(board))) * (51 - len(cards(board))) // 2


def test_what_is_gained_and_lost_is_the_change_to_the_river() -> None:
    one = hand_measures(cards("AhKh"), cards("Td7s2c"))
    change = one.positive * (1 - one.immediate) - one.negative * one.immediate
    assert one.rollout - one.immediate == pytest.approx(change, abs=1e-12)


@pytest.mark.parametrize(
    ("board", "range_text"), [("Th7h2c", "random"), ("Th7h2c", "QQ+,AK,76s:0.4"), ("QsQd4s4h", "22+")]
)
def test_roll_out_strength_is_the_equity_against_the_range(board: str, range_text: str) -> None:
    measured = board_measures(cards(board), weights=Range.parse(range_text).weights)
    expected = equity_of_hands(range_text, board=board).equity
    live = ~np.isnan(measured.rollout)
    assert np.allclose(measured.rollout[live], expected[live], atol=1e-12)
    assert (expected[~live] == 0).all()


def test_moments_and_histogram() -> None:
    measured = board_measures(cards("Th7h2c"), bins=50)
    live = ~np.isnan(measured.rollout)
    assert (measured.squared >= measured.rollout**2)[live].all()
    assert np.allclose(measured.histogram[live].sum(1), 1)
    middle = measured.histogram[live] @ ((np.arange(50) + 0.5) / 50)
    assert np.abs(middle - measured.rollout[live]).max() < 0.01


def test_never_behind_has_nothing_to_gain() -> None:
    nuts = hand_measures(cards("AsKs"), cards("QsJsTs"))
    assert (nuts.immediate, nuts.positive, nuts.negative, nuts.effective, nuts.rollout) == (1, 0, 0, 1, 1)
    board = cards("AsKsQsJsTs")
    everybody_ties = board_measures(board)
    assert np.nanmin(everybody_ties.immediate) == np.nanmax(everybody_ties.effective) == 0.5


def test_hands_that_meet_nobody_are_nan() -> None:
    weights = np.zeros(1326)
    weights[combo_index(*cards("AsAh"))] = 0.7
    measured = board_measures(cards("Th7h2c"), weights=weights)
    assert np.isnan(measured.rollout[combo_index(*cards("AsKd"))])
    assert measured.wins[combo_index(*cards("TcTd"))] == pytest.approx(0.7)
    with pytest.raises(BadRange, match="with AsKd on Th7h2c the opponent can hold none"):
        hand_measures(cards("AsKd"), cards("Th7h2c"), weights=weights)


def test_hole_cards_before_the_flop() -> None:
    strength = preflop_strength()
    for name, percent in AGAINST_RANDOM.items():
        assert round(100 * strength.rollout[CLASS_NAMES.index(name)], 4) == percent
    order = np.argsort(strength.rollout)
    assert (CLASS_NAMES[order[-1]], CLASS_NAMES[order[0]]) == ("AA", "32o")
    assert (strength.squared >= strength.rollout**2).all()
    histogram = strength.histogram(100)
    assert np.allclose(histogram.sum(1), 1)
    assert np.abs(histogram @ ((np.arange(100) + 0.5) / 100) - strength.rollout).max() < 0.005


@pytest.mark.parametrize(
    ("hole", "board", "error", "sentence"),
    [
        ([0, 1], [2, 3], BadCards, "three to five cards, got 2"),
        ([0, 1], [2, 3, 4, 5, 6, 7], BadCards, "three to five cards, got 6"),
        ([0], [2, 3, 4], BadCards, "a hand has two cards, got 1"),
        ([0, 2], [2, 3, 4], BadCards, "the card 2h comes twice"),
        ([0, 52], [2, 3, 4], BadCards, "52 is not a card"),
    ],
)
def test_bad_cards_get_a_sentence(hole: list[int], board: list[int], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        hand_measures(hole, board)


def test_bad_settings_get_a_sentence() -> None:
    flop = cards("Th7h2c")
    with pytest.raises(BadSetting, match="potential looks 0 to 2 cards ahead"):
        board_measures(flop, lookahead=3)
    with pytest.raises(BadSetting, match="1 to 1000 bins, not 0"):
        board_measures(flop, bins=0)
    with pytest.raises(BadRange, match="1326 weights"):
        board_measures(flop, weights=np.ones(10))
    with pytest.raises(BadRange, match="the weight -1.0 of 2d2c is not a number from 0 up"):
        board_measures(flop, weights=-EVERYBODY)
    with pytest.raises(BadRange, match="empty"):
        board_measures(flop, weights=0 * EVERYBODY)
    with pytest.raises(BadCards, match="2c is not in the deck of short-deck poker"):
        board_measures(flop, ranking=SHORT())
    with pytest.raises(BadSetting, match="not of three-card poker"):
        board_measures(flop, ranking=THREE())


@pytest.mark.parametrize(("board", "lookahead"), [("2dTsKh", 1), ("2dTsKh7c", 1), ("2dTsKh7c", 0), ("2dTsKh7c8c", 0)])
def test_transitions_alone_are_those_of_all_measures(board: str, lookahead: int) -> None:
    hole, shown = FULL_DECK.cards("TcJc"), FULL_DECK.cards(board)
    whole = hand_measures(hole, shown, lookahead=lookahead)
    assert np.array_equal(hand_transitions(hole, shown, lookahead=lookahead), whole.transitions)
