"""The independent chip model: against its definition, its laws, and published values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import tournament as naive
from pokerlab.errors import BadSetting
from pokerlab.games.prizes.icm import exact_place_chances, exact_values, place_chances, values
from pokerlab.games.prizes.payouts import check_payouts, check_stacks, chip_chop, read_numbers, shared_pool
from pokerlab.games.prizes.pressure import bounty_values, pressure
from published import tournaments as published

STACKS = st.lists(st.integers(1, 10**6), min_size=2, max_size=5)
PRIZES = st.lists(st.integers(0, 1000), min_size=1, max_size=7).filter(any).map(lambda all: sorted(all, reverse=True))


@given(STACKS, PRIZES)
def test_values_are_those_of_the_definition(stacks: list[int], prizes: list[int]) -> None:
    exact = naive.values([Fraction(stack) for stack in stacks], [Fraction(prize) for prize in prizes])
    assert exact_values([Fraction(stack) for stack in stacks], [Fraction(prize) for prize in prizes]) == exact
    assert values(stacks, prizes) == pytest.approx([float(one) for one in exact], abs=1e-11 * sum(prizes))


@given(STACKS)
def test_places_are_those_of_the_definition(stacks: list[int]) -> None:
    exact = np.array(exact_place_chances([Fraction(stack) for stack in stacks]), float)
    assert place_chances(stacks) == pytest.approx(exact, abs=1e-11)


@given(st.lists(st.floats(0.1, 1e7), min_size=2, max_size=60), st.data())
def test_laws_of_larger_fields(stacks: list[float], data: st.DataObject) -> None:
    """Values sum to the prizes, follow the order of stacks, and grow with the own stack."""
    count = len(stacks)
    drawn = data.draw(st.lists(st.floats(0, 1), min_size=1, max_size=count).filter(lambda all: max(all) > 0.01))
    prizes = np.sort(drawn)[::-1]
    found = values(stacks, prizes)
    assert found.sum() == pytest.approx(prizes.sum(), abs=1e-9)
    order = np.argsort(stacks)
    assert (np.diff(found[order]) >= -1e-11).all()
    more = np.array(stacks)
    player = data.draw(st.integers(0, count - 1))
    more[player] *= 1.5
    assert values(more, prizes)[player] >= found[player] - 1e-11
    shuffled = data.draw(st.permutations(range(count)))
    assert values(np.array(stacks)[shuffled], prizes) == pytest.approx(found[shuffled], abs=1e-11)
    assert values(np.array(stacks) * 1024, prizes) == pytest.approx(found, abs=1e-11)


def test_a_dozen_players_by_all_sets() -> None:
    rng = np.random.default_rng(5)
    for count in (11, 12):
        stacks = rng.lognormal(0, 2, count)
        prizes = np.sort(rng.random(count - 4))[::-1]
        assert values(stacks, prizes) == pytest.approx(naive.subset_values(stacks, prizes), abs=1e-12)


def test_hundreds_of_players() -> None:
    """Values agree with places, whose kernel is another; equal stacks have equal values."""
    rng = np.random.default_rng(6)
    stacks = rng.lognormal(0, 1.5, 400)
    stacks[100:110] = stacks[7]
    prizes = np.sort(rng.random(60))[::-1]
    prizes /= prizes.sum()
    places = place_chances(stacks)
    found = values(stacks, prizes)
    assert places.sum(0) == pytest.approx(np.ones(400), abs=1e-9)
    assert places.sum(1) == pytest.approx(np.ones(400), abs=1e-9)
    assert places[:, :60] @ prizes == pytest.approx(found, abs=1e-11)
    assert places[:, 0] == pytest.approx(stacks / stacks.sum(), abs=1e-11)
    assert np.ptp(found[[7, *range(100, 110)]]) < 1e-14
    assert values(np.full(300, 7.0), [1.0]) == pytest.approx(np.full(300, 1 / 300), abs=1e-13)


def test_published_values() -> None:
    for stacks, (printed, exact) in published.TABLE_6_1.items():
        found = exact_values([Fraction(stack) for stack in stacks], [Fraction("0.6"), Fraction("0.4")])
        assert tuple(found) == exact
        assert all(abs(one - told) <= Fraction(1, 200) for one, told in zip(found, printed, strict=True))
    for prizes, told in published.OTHER_PRIZES.items():
        assert values([10, 1, 289], [float(prize) for prize in prizes]) == pytest.approx(told, abs=5e-6)


def test_players_who_are_out_share_the_last_places() -> None:
    found = values([0, 5, 0, 5], [50, 30, 15, 5])
    assert found == pytest.approx([10, 40, 10, 40])
    assert np.array(exact_place_chances([Fraction(0), Fraction(5), Fraction(0), Fraction(5)]), float) == pytest.approx(
        place_chances([0, 5, 0, 5])
    )
    assert values([0, 7], [3]) == pytest.approx([0, 3])


# ------------------------------------------------------------------------------------------------- bounties, deals


@given(st.lists(st.integers(1, 10**5), min_size=2, max_size=5), st.data())
def test_bounties_are_those_of_the_definition(stacks: list[int], data: st.DataObject) -> None:
    heads = data.draw(st.lists(st.integers(0, 50), min_size=len(stacks), max_size=len(stacks)))
    exact = naive.bounty_values([Fraction(one) for one in stacks], [Fraction(one) for one in heads])
    assert bounty_values(stacks, heads) == pytest.approx([float(one) for one in exact], abs=1e-9 * (1 + sum(heads)))


def test_bounties_are_given_out_whole() -> None:
    rng = np.random.default_rng(7)
    stacks, heads = rng.lognormal(0, 1.5, 40), rng.random(40)
    stacks[3] = heads[3] = 0
    found = bounty_values(stacks, heads)
    assert found.sum() == pytest.approx(heads.sum(), abs=1e-9)
    assert found[3] == 0
    with pytest.raises(BadSetting, match="one for each of the 2 players"):
        bounty_values([1, 2], [1, 2, 3])


def test_chip_chop_gives_the_lowest_prize_and_the_rest_by_chips() -> None:
    stacks, prizes = [Fraction(90), Fraction(0), Fraction(10)], [Fraction(50), Fraction(30), Fraction(20)]
    assert chip_chop(stacks, prizes) == [56, 20, 24]
    assert sum(chip_chop(stacks[:2], prizes)) == 80


# ------------------------------------------------------------------------------------------------- pressure


def test_bubble_factors_by_hand() -> None:
    """Two equal short stacks against a big one at 50/50: whoever is out first wins nothing."""
    found = pressure(np.array([1.0, 1.0, 2.0]), np.array([50.0, 50.0]))
    now, lost = values([1, 1, 2], [50, 50])[0], 0.0
    won = 50.0  # the other short stack would be out
    assert found.bubble_factor[0, 1] == pytest.approx((now - lost) / (won - now))
    assert found.needed_equity[0, 1] == pytest.approx(now / won)
    assert found.risk_premium[0, 1] == pytest.approx(now / won - 0.5)
    assert np.isnan(found.bubble_factor.diagonal()).all()


@given(st.lists(st.integers(1, 500), min_size=3, max_size=5))
def test_nobody_gains_by_a_fair_all_in(stacks: list[int]) -> None:
    """A fair bet between two lowers their values (G. T. Gilbert 2009), so that no bubble factor is below one."""
    chips = np.array(stacks, float)
    found = pressure(chips, np.array([50.0, 30.0, 20.0]))
    off = ~np.eye(len(chips), dtype=bool)
    assert (found.bubble_factor[off] >= 1 - 1e-6).all()
    winner = pressure(chips, np.array([10.0]))
    assert winner.bubble_factor[off] == pytest.approx(np.ones(off.sum()), abs=1e-6)


def test_where_nothing_is_at_stake_there_is_no_factor() -> None:
    """Both who have chips are paid the same, and who is out already stays behind them."""
    assert np.isnan(pressure(np.array([3.0, 2.0, 0.0]), np.array([10.0, 10.0, 0.0])).bubble_factor).all()
    some = pressure(np.array([3.0, 0.0, 2.0, 4.0]), np.array([9.0, 9.0, 1.0])).bubble_factor
    assert np.isnan(some).sum() == 4 + 6
    assert (some[~np.isnan(some)] > 1).all()


def test_a_bounty_lowers_what_an_all_in_needs() -> None:
    chips, prizes = np.array([50.0, 30.0, 20.0, 10.0]), np.array([50.0, 30.0, 20.0])
    plain = pressure(chips, prizes)
    hunted = pressure(chips, prizes, np.full(4, 8.0))
    assert hunted.needed_equity[0, 3] < plain.needed_equity[0, 3]
    assert hunted.needed_equity[1, 3] < 0.5 < plain.needed_equity[1, 3]


# ------------------------------------------------------------------------------------------------- as people write it


def test_lists_of_numbers() -> None:
    assert read_numbers(" 10, 2.5 *2,.5", "stacks") == (10, Fraction(5, 2), Fraction(5, 2), Fraction(1, 2))
    assert len(read_numbers("1500x180", "stacks")) == 180


@pytest.mark.parametrize("text", ["", "1,", "1;2", "-1,2", "1e5", "nan", "2*", "9" * 30, "1*9999", "1," * 20_000])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="stacks must"):
        read_numbers(text, "stacks")


@pytest.mark.parametrize(
    ("check", "numbers", "words"),
    [
        (check_stacks, [0, 0], "at least one player must have chips"),
        (check_stacks, [1], "2 to 1,000 players"),
        (check_stacks, [1, -1], "from 0 to"),
        (check_payouts, [], "a prize for the first place"),
        (check_payouts, [0, 0], "one prize must be above 0"),
        (check_payouts, [30, 50], "place 2 pays 50 and place 1 30"),
    ],
)
def test_what_cannot_be_is_a_sentence(check: Any, numbers: list[int], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        check([Fraction(number) for number in numbers])


def test_shares_of_a_prize_pool() -> None:
    assert shared_pool(read_numbers("0.5,0.3,0.2", "payouts"), Fraction(90)) == (45, 27, 18)
    assert shared_pool(read_numbers("60,40", "payouts"), Fraction(1)) == (Fraction(3, 5), Fraction(2, 5))
    with pytest.raises(BadSetting, match="a prize pool is more than 0"):
        shared_pool(read_numbers("60,40", "payouts"), Fraction(0))
    with pytest.raises(BadSetting, match="must sum to 100; these sum to 90"):
        shared_pool(read_numbers("60,30", "payouts"), Fraction(1000))
