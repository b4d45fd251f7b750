"""Bet menus: text both ways, and what sizes come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as given_

from pokerlab.errors import BadSetting
from pokerlab.games.poker.menu import (
    BetSize,
    Situation,
    doubtful_sizes,
    menu_text,
    menu_words,
    read_menu,
    total,
    totals,
)

OPENING = Situation(pot=100, mine=0, faced=0, most=1300, least=1, streets=3)
FACING = Situation(pot=150, mine=0, faced=50, most=300, least=100)

SIZES = given_.one_of(
    given_.builds(BetSize, given_.just("pot"), given_.integers(1, 500).map(lambda n: n / 100)),
    given_.builds(BetSize, given_.just("multiple"), given_.integers(11, 90).map(lambda n: n / 10)),
    given_.builds(BetSize, given_.just("chips"), given_.integers(1, 500).map(float)),
    given_.builds(BetSize, given_.just("geometric"), given_.integers(0, 4).map(float)),
    given_.just(BetSize("allin")),
)


@given(given_.lists(SIZES, max_size=8))
def test_menus_are_read_back(sizes: list[BetSize]) -> None:
    again = read_menu(menu_text(sizes), raises=True)
    assert [(size.unit, pytest.approx(size.number)) for size in again] == [(s.unit, s.number) for s in sizes]


@pytest.mark.parametrize(
    ("text", "situation", "expected"),
    [
        ("75%", OPENING, 75),
        ("40", OPENING, 40),
        ("allin", OPENING, 1300),
        ("e", OPENING, 100),  # 27 pots in three streets: each street triples
        ("1e", OPENING, 1300),
        ("100%", FACING, 250),  # the pot after the call is 200, on top of the 50
        ("2.5x", FACING, 125),
    ],
)
def test_what_a_size_comes_to(text: str, situation: Situation, expected: float) -> None:
    assert total(read_menu(text, raises=True)[0], situation) == pytest.approx(expected)


@given(given_.lists(SIZES, max_size=8), given_.floats(0.5, 1), given_.floats(0, 0.5))
def test_totals_are_legal_and_rising(sizes: list[BetSize], all_in_from: float, merge: float) -> None:
    found = totals(sizes, FACING, chip=1, all_in_from=all_in_from, merge=merge)
    assert found == sorted(set(found))
    assert all(FACING.least <= amount <= FACING.most for amount in found)
    assert bool(found) == bool(sizes)


def test_near_sizes_are_merged_and_large_ones_are_all_in() -> None:
    menu = read_menu("50%,52%,90%")
    assert totals(menu, OPENING, chip=1, merge=0.1) == [52, 90]
    short = Situation(pot=100, mine=0, faced=0, most=100, least=1)
    assert totals(menu, short, chip=1, all_in_from=0.85) == [50, 52, 100]


@pytest.mark.parametrize("text", ["abc", "-5%", "0%", "50%%", "1x", "9e", "%", "50%,,x", "💥", "1" * 500 + "q"])
def test_mistakes_name_the_offending_text(text: str) -> None:
    with pytest.raises(BadSetting) as problem:
        read_menu(text, raises=True)
    assert len(str(problem.value)) < 400


@pytest.mark.parametrize(
    ("text", "pot", "expected"),
    [
        ("0.75,50%,40", 100, [0.75]),
        ("0.5, 2, 3", 55, [0.5, 2, 3]),  # 2 and 3 chips into 55
        ("1,2,3", 5.5, []),  # pots in big blinds: a bet of one is one
        ("0.75", 5.5, [0.75]),
        ("0.75,0.5", 1, []),  # where the pot is one, chips and parts are the same
        (".33;allin", 20, [0.33]),
        ("0.75 chips, 2c, 0.5%, 2.5x, e, 75", 100, []),
        ("none", 100, []),
    ],
)
def test_numbers_that_were_most_likely_meant_otherwise(text: str, pot: float, expected: list[float]) -> None:
    assert doubtful_sizes(text, pot) == expected


def test_chips_may_be_called_so() -> None:
    assert read_menu("40 chips, 1 chip,75%") == read_menu("40,1,75%") == read_menu("40 1c 75%")


@given(given_.lists(SIZES, min_size=1, max_size=8), given_.booleans())
def test_words_name_every_size_with_its_unit(sizes: list[BetSize], raises: bool) -> None:
    words = menu_words(sizes, raises=raises)
    for size in sizes:
        shown = {
            "pot": f"{100 * size.number:.10g} % of the pot",
            "chips": f"{size.number:.10g} chip",
            "allin": "all-in",
        }
        assert shown.get(size.unit, "") in words
    assert words.count("times the bet") == sum(size.unit == "multiple" for size in sizes)
