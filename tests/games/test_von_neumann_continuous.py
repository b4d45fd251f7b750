"""The closed form against the printed numbers, the definitions, and finer and finer discrete games."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.errors import BadSetting
from pokerlab.games.von_neumann_continuous import ContinuousPoker, Steps, number
from published.goykhman import CONTINUOUS, PRINTED_HUNDREDTHS

AMOUNTS = st.fractions(min_value=Fraction(1, 20), max_value=20, max_denominator=20)


@st.composite
def step_functions(draw):
    cuts = sorted(draw(st.sets(st.fractions(min_value=0, max_value=1, max_denominator=30), max_size=5)) | {0, 1})
    values = [draw(st.fractions(min_value=0, max_value=1, max_denominator=6)) for _ in cuts[1:]]
    pieces = zip(cuts, cuts[1:], values, strict=False)
    return Steps.of(*((Fraction(a), Fraction(b), v) for a, b, v in pieces))


@pytest.mark.parametrize("amounts", CONTINUOUS)
def test_printed_numbers(amounts):
    solution = ContinuousPoker(*map(Fraction, amounts)).equilibrium
    found = (solution.x1, solution.x2, solution.c, solution.y0)
    assert (*found, solution.value) == CONTINUOUS[amounts]
    assert tuple(round(100 * float(number)) for number in found) == PRINTED_HUNDREDTHS[amounts]


@given(AMOUNTS, AMOUNTS)
@settings(max_examples=40, deadline=None)
def test_no_one_gains_by_leaving_equilibrium(ante, bet):
    game = ContinuousPoker(ante, bet)
    solution = game.equilibrium
    assert game.best_against_player(solution.player) == -solution.value
    for share, dealer in game.dealer_family(3):
        assert game.best_against_dealer(dealer) == solution.value
        assert game.value(solution.player, dealer) == solution.value
        assert dealer.area() == 2 * solution.c
        assert game.check_dealer(dealer).admissible == (share == 1)


@given(AMOUNTS, AMOUNTS, step_functions(), step_functions())
@settings(max_examples=40, deadline=None)
def test_value_is_what_the_rules_pay(ante, bet, player, dealer):
    """Against the double integral of the payoffs, summed over the rectangles of both strategies."""
    game = ContinuousPoker(ante, bet)
    cuts = sorted({*player.breaks, *dealer.breaks})
    total = Fraction(0)
    for i, (left, right) in enumerate(pairwise(cuts)):
        for j, (low, high) in enumerate(pairwise(cuts)):
            weight = (right - left) * (high - low)
            ahead = (i > j) - (i < j)  # on the diagonal wins and losses cancel
            p, q = player.at(left), dealer.at(low)
            showdown = p * q * ahead * (ante + bet) + (1 - p) * ahead * ante
            total += weight * (showdown + p * (1 - q) * ante)
    assert game.value(player, dealer) == total


@given(step_functions(), step_functions())
@settings(max_examples=40, deadline=None)
def test_best_responses_are_bounds(player, dealer):
    game = ContinuousPoker(Fraction(1), Fraction(2))
    value = game.value(player, dealer)
    assert -game.best_against_player(player) <= value <= game.best_against_dealer(dealer)
    assert game.check_player(player).loss >= 0
    assert game.check_dealer(dealer).loss >= 0


@given(step_functions(), step_functions())
@settings(max_examples=30, deadline=None)
def test_a_dominated_dealer_never_does_better(dealer, player):
    game = ContinuousPoker(Fraction(3), Fraction(2))
    check = game.check_dealer(dealer)
    if check.dominated_by is not None:
        assert game.value(player, check.dominated_by) <= game.value(player, dealer)
        assert check.dominated_by.area() == dealer.area()


@given(step_functions(), step_functions())
@settings(max_examples=30, deadline=None)
def test_a_dominated_player_never_does_better(player, dealer):
    game = ContinuousPoker(Fraction(1), Fraction(2))
    better = game.check_player(player).dominated_by
    if better is not None:
        assert game.value(better, dealer) >= game.value(player, dealer)


def test_never_betting_is_dominated_and_betting_the_top_alone_is_too():
    game = ContinuousPoker(Fraction(1), Fraction(2))
    for text in ("never", "0.9-1"):
        assert game.check_player(Steps.read(text)).admissible is False


def random_dealer(game, rng, *, pieces=8):
    """A Dealer equilibrium strategy drawn at random: any calls between x1 and x2 that grow with the hand."""
    solution = game.equilibrium
    rate = solution.call_rate
    heights = np.sort(rng.integers(0, 1000, pieces) + 1).tolist()
    mean = Fraction(sum(heights), pieces)
    shape = [rate * height / mean for height in heights]  # mean is the rate, but the top may pass one
    keep = Fraction(1) if shape[-1] <= 1 else (1 - rate) / (shape[-1] - rate)
    values = [rate + keep * (height - rate) for height in shape]
    width = (solution.x2 - solution.x1) / pieces
    starts = [solution.x1 + i * width for i in range(pieces)]
    between = [(start, start + width, value) for start, value in zip(starts, values, strict=True)]
    return Steps.of(*between, (solution.x2, Fraction(1), Fraction(1)))


def test_random_dealers_are_equilibria():
    rng = np.random.default_rng(5)
    for amounts in CONTINUOUS:
        game = ContinuousPoker(*map(Fraction, amounts))
        for _ in range(10):
            assert game.check_dealer(random_dealer(game, rng)).equilibrium


def test_calling_faster_than_the_pot_odds_is_no_equilibrium():
    game = ContinuousPoker(Fraction(1), Fraction(2))
    early = Steps.read("1/9-3/9, 7/9-1")  # the right number of calls, with the wrong hands
    assert early.area() == 2 * game.equilibrium.c
    assert not game.check_dealer(early).equilibrium


@pytest.mark.parametrize("text", ["", "1", "0-2", "0.5-0.4", "0-1:2", "0-0.5,0.4-1", "a-b", "0-1/0", "nan-1", "-1-0"])
def test_bad_strategies_are_refused(text):
    with pytest.raises(BadSetting):
        Steps.read(text)


@pytest.mark.parametrize("text", ["", "-1", "1e9", "1/0", "x" * 1000, "½", "0x1"])
def test_bad_numbers_are_refused(text):
    with pytest.raises(BadSetting):
        number(text)


def test_text_of_a_strategy_reads_back():
    for text in ("0-1/9, 7/9-1", "1/4-1/2:1/3, 3/4-1", "never"):
        assert str(Steps.read(text)) == text
    assert str(Steps.read("always")) == "0-1"
