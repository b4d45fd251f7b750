"""Payoffs in a unit of their own: the unit is found at any scale, and never where there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.formats.opening import open_game
from pokerlab.games.game import ROUNDING, imbalance
from pokerlab.tree.history.layout import build
from pokerlab.tree.units import MOST_WHOLE, far_middle, middle_power, power_of_two, whole_payoffs

SCALES = st.floats(1e-60, 1e60) | st.sampled_from([1e-12, 1e-9, 0.01, 1 / 3, 1.0, 1e9, 1e12])


@given(st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=12), SCALES)
def test_whole_numbers_are_found_at_every_scale(numbers: list[int], scale: float) -> None:
    found = whole_payoffs(np.array(numbers) * scale)
    assert found is not None
    divisor = np.gcd.reduce(numbers) or 1
    assert found[0].tolist() == [number // divisor for number in numbers]
    if any(numbers):
        assert found[1] == pytest.approx(divisor * scale, rel=1e-12)


@pytest.mark.parametrize(
    "payoffs",
    [[1.0, np.pi], [1.0, 1e12], [5e-300, 1e100], [1.0, 2**0.5, 3.0], [1e9, 1e9 + 0.123456789], [1.0, 1 + 1e-10]],
)
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_numbers_without_a_unit_have_none(payoffs: list[float], scale: float) -> None:
    assert whole_payoffs(np.array(payoffs) * scale) is None


def test_one_size_is_its_own_unit() -> None:
    found = whole_payoffs(np.array([[np.pi, -np.pi]]))
    assert found is not None
    assert found[0].tolist() == [[1, -1]]
    largest = whole_payoffs(np.array([1.0, MOST_WHOLE - 1]))
    assert largest is not None
    assert largest[0].tolist() == [1, MOST_WHOLE - 1]
    assert whole_payoffs(np.array([1.0, MOST_WHOLE])) is None


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8), st.integers(-200, 200))
def test_scales_are_powers_of_two_and_scale_along(numbers: list[float], exponent: int) -> None:
    payoffs = np.array([round(number, 3) for number in numbers])
    for scale_of in (power_of_two, middle_power):
        scale = scale_of(payoffs)
        assert np.frexp(scale)[0] == 0.5
        if payoffs.any():
            assert scale_of(payoffs * 2.0**exponent) == scale * 2.0**exponent
    assert np.abs(payoffs / power_of_two(payoffs)).max() < 2


def test_middles() -> None:
    assert far_middle(np.array([1e9 - 1, 1e9 + 1])) == 1e9
    assert far_middle(np.array([7.0, 7.0])) == 7
    assert far_middle(np.array([-3.0, 8.0])) == 0
    assert middle_power(np.array([1.0, 1e-30])) >= 0.5e-6  # a remainder of rounding is no payoff


@pytest.mark.parametrize("scale", [1e-12, 1e-11, 1e-6, 1.0, 1e9, 1e12])
@pytest.mark.parametrize(
    ("game", "zero_sum"),
    [("prisoners-dilemma", False), ("battle-of-the-sexes", False), ("kuhn", True), ("leduc", True)],
)
def test_zero_sum_is_told_at_every_scale(game: str, scale: float, zero_sum: bool) -> None:
    tree = build(open_game(game))
    scaled = replace(tree, returns=tree.returns * scale)
    assert scaled.is_zero_sum == zero_sum
    assert scaled.max_abs_payoff == tree.max_abs_payoff * scale
    told = max(imbalance(row) for row in scaled.returns.tolist()) <= ROUNDING * scaled.max_abs_payoff
    assert told == zero_sum


def test_a_small_part_that_is_not_zero_sum_is_seen_beside_a_large_one() -> None:
    tree = build(open_game("prisoners-dilemma"))
    returns = tree.returns.copy()
    returns[0] = [1e9, -1e9]
    assert not replace(tree, returns=returns).is_zero_sum
    rounded = np.array([[0.1 + 0.2 - 0.3, 0.0], [1.0, -1.0], [0.3, -0.3], [0.0, 0.0]])
    assert replace(tree, returns=rounded).is_zero_sum
