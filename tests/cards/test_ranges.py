"""Ranges and their text."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import (
    CLASS_NAMES,
    CLASS_SIZES,
    COMBO_CLASS,
    COMBOS,
    combo_index,
    combo_indices,
    combo_name,
)
from pokerlab.cards.preflop import preflop_table
from pokerlab.cards.range_text import BEST_FIRST
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadRange, Notice


def names(text: str) -> set[str]:
    """The classes that a text gives any weight."""
    return {CLASS_NAMES[number] for number in COMBO_CLASS[Range.parse(text).combos]}


def test_combo_order_is_colexicographic() -> None:
    assert COMBOS.shape == (1326, 2)
    for index, (low, high) in enumerate(COMBOS):
        assert low < high
        assert combo_index(int(low), int(high)) == combo_index(int(high), int(low)) == index
        assert index == int(high) * (int(high) - 1) // 2 + int(low)
    assert (combo_indices(COMBOS[:, ::-1]) == np.arange(1326)).all()
    with pytest.raises(BadCards):
        combo_index(3, 3)
    with pytest.raises(BadCards):
        combo_indices(np.array([[0, 52]]))


def test_classes_lie_on_the_grid() -> None:
    assert len(set(CLASS_NAMES)) == 169
    assert CLASS_NAMES[0] == "AA"
    assert CLASS_NAMES[1] == "AKs"
    assert CLASS_NAMES[13] == "AKo"
    assert CLASS_NAMES[168] == "22"
    assert sorted(np.unique(CLASS_SIZES, return_counts=True)[1].tolist()) == [13, 78, 78]
    assert CLASS_SIZES.sum() == 1326
    for index in range(1326):
        high, low = combo_name(index)[:2], combo_name(index)[2:]
        mark = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
        assert CLASS_NAMES[COMBO_CLASS[index]] == high[0] + low[0] + mark


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AA", "AA"),
        ("AKs", "AKs"),
        ("KAs", "AKs"),
        ("AK", "AKs AKo"),
        ("QQ+", "QQ KK AA"),
        ("A9s+", "A9s ATs AJs AQs AKs"),
        ("K9+", "K9s KTs KJs KQs K9o KTo KJo KQo"),
        ("T9s+", "T9s JTs QJs KQs AKs"),
        ("KQo+", "KQo AKo"),
        ("T8s+", "T8s T9s"),
        ("66-99", "66 77 88 99"),
        ("99-66", "66 77 88 99"),
        ("A2s-A5s", "A2s A3s A4s A5s"),
        ("a5S - a2S", "A2s A3s A4s A5s"),
        ("65s-98s", "65s 76s 87s 98s"),
        ("T8o-86o", "86o 97o T8o"),
        ("109s", "T9s"),
        ("AA KK\n,\tQQ", "AA KK QQ"),
        ("Ax", "A2s A3s A4s A5s A6s A7s A8s A9s ATs AJs AQs AKs A2o A3o A4o A5o A6o A7o A8o A9o ATo AJo AQo AKo"),
        ("JXS", "J2s J3s J4s J5s J6s J7s J8s J9s JTs QJs KJs AJs"),
        ("3xo", "32o 43o 53o 63o 73o 83o 93o T3o J3o Q3o K3o A3o"),
        ("22-44, A5s-A3s, JTs-98s, AQo+", "22 33 44 A3s A4s A5s JTs T9s 98s AQo AKo"),
        ("[50]AA, QQ-TT[/50][25.0]K9s,KTs[/25], 33", "AA QQ JJ TT K9s KTs 33"),
        ("100: AA, AKs, 75: 66, 77, 25: ATs", "AA AKs 66 77 ATs"),
        ("top 1%", "AA KK QQ"),
    ],
)
def test_what_text_means(text: str, expected: str) -> None:
    assert names(text) == set(expected.split())


def test_weights_as_other_programs_write_them() -> None:
    expected = Range.parse("AA,QQ:0.5,JJ:0.5,AKs:0.25,AhKh:0.3,76s:0.075")
    for text in (
        "AA:1.0,QQ:50%,JJ:50 %,AKs:0.25,AhKh:30%,76s:7.5%",
        "[100]AA[/100],[50]QQ,JJ[/50],[25.00]AKs[/25],[30%]AhKh[/30%],[7.5]7s6s,7h6h 7d6d,7c6c[/7.5]",
        "100: AA, 50: QQ, JJ, 25: AKs, 30: AhKh, 7.5: 76s",
        "AsAh: 1,AsAd: 1,AsAc: 1,AhAd: 1,AhAc: 1,AdAc: 1,QQ: .5,JJ:.5,AKs: 0.25,AhKh: 0.3,76s: 0.075",
        " ".join(map(repr, expected.weights.tolist())),
        ",".join(map(repr, expected.weights.tolist())),
    ):
        assert Range.parse(text) == expected, text


@pytest.mark.parametrize("text", ["0.5:JJ", "AA, 1: JJ, KK"])
def test_a_small_weight_before_hands_is_doubted(text: str) -> None:
    """It is in percent, as Equilab writes it, where most people mean a part."""
    with pytest.warns(Notice, match=r"gives JJ a weight of .* %: .* write JJ:(0\.5|1) for a weight from 0 to 1"):
        assert 0 < Range.parse(text).weights[combo_index(36, 37)] <= 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sure in ("0.5%:JJ", "50: JJ", "JJ:0.5", "[0.5]JJ[/0.5]", "0: JJ", "0.5: JJ, 100: AA"):
            Range.parse(sure)


def test_a_class_of_two_numbers_is_no_weight_of_what_follows() -> None:
    assert Range.parse("75:50%, 22:0.5").text() == "22:0.5,75:0.5"
    assert Range.parse("75: AQs").text() == Range.parse("75:AQs").text() == "AQs:0.75"
    assert Range.parse("99:2.5e-16, 88:2e-3").text() == "99:2.5e-16,88:0.002"
    assert Range.parse("75: 66, 22").text() == "66:0.75,22:0.75"
    assert Range.parse("22 33 44 55 " * 30).text() == "22-55"  # many numbers, and still hands


@given(st.integers(0, 10_000))
def test_the_top_holds_as_many_hands_as_it_says_and_grows(tenths: int) -> None:
    text = f"top {tenths / 100!r}%"
    held = Range.parse(text)
    assert held.count == pytest.approx(13.26 * tenths / 100, abs=1e-6)
    more = Range.parse(f"TOP{min(100, tenths / 100 + 1)!r} %")
    assert (more.weights >= held.weights).all()


def test_the_order_of_hands_is_that_of_the_exact_table() -> None:
    win, tie = preflop_table().against_random()
    exact = [CLASS_NAMES[number] for number in np.argsort(-(win + tie / 2), kind="stable")]
    assert exact == list(BEST_FIRST)


def test_counts() -> None:
    assert Range.parse("random").count == 1326
    assert Range.parse("22+").count == 78
    assert Range.parse("AK").count == 16
    assert Range.parse("22+,A2s+,KdQh:0.5").count == 78 + 48 + 0.5
    assert Range.parse("K♦Q♥").weights[combo_index(*FULL_DECK.cards("KdQh"))] == 1


def test_a_later_entry_overrides_an_earlier_one() -> None:
    aces = Range.parse("AA,AsAh:0")
    assert aces.count == 5
    assert Range.parse("AsAh:0,AA").count == 6
    assert Range.parse("random,72o:0.25").grid()[12, 7] == 0.25


def test_without_cards() -> None:
    board = FULL_DECK.cards("As Kd 2c")
    held = Range.parse("AA,AK,72o").without(board)
    assert held.count == 3 + 9 + 9
    assert Range.parse("random").without(board).count == 49 * 48 / 2
    grid = held.grid(board)
    assert grid[0, 0] == grid[0, 1] == grid[1, 0] == 1
    assert held.grid()[0, 0] == 0.5
    assert Range.parse("AsKs").grid(FULL_DECK.cards("AsAhAcAd")).sum() == 0


def test_grid_round_trip() -> None:
    values = np.arange(169).reshape(13, 13) / 168
    assert np.allclose(Range(values.reshape(-1)[COMBO_CLASS]).grid(), values, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    "text",
    ["random", "random:0", "random:0.1", "22+", "QQ+,AKs,KQo:0.25", "A2+", "66-99", "A2s-A5s", "KdQh:0.35", "KJs+"],
)
def test_compact_text_is_kept(text: str) -> None:
    assert Range.parse(text).text() == text


def test_text_of_a_range_with_a_hole_is_short() -> None:
    assert Range.parse("AKo,AcKd:0.5").text() == "AKo,AcKd:0.5"
    assert Range.parse("KdAc,KhAh").text() == "AhKh,AcKd"


ENTRIES = st.sampled_from("AA 22+ 66-99 AKs AKo AK T9s+ T8o+ A2s-A5s 65s-98s KdQh 7c2d random K2s+ QJo AsAh".split())
WEIGHTS = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


@given(st.lists(st.tuples(ENTRIES, WEIGHTS), min_size=1, max_size=8))
@settings(max_examples=150, deadline=None)
def test_text_round_trips(entries: list[tuple[str, float]]) -> None:
    held = Range.parse(", ".join(f"{entry}:{weight!r}" for entry, weight in entries))
    assert Range.parse(held.text()) == held
    assert Range.parse(held.text()).text() == held.text()
    assert Range.parse(held.text().swapcase().replace(",", " ,\n ")) == held


@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 3, 5, 1000]), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_random_weights_round_trip(seed: int, levels: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.random(levels)[rng.integers(0, levels, 1326)] * (rng.random(1326) < share)
    weights = np.where(rng.random(1326) < 0.5, np.round(weights, 2), weights)
    held = Range(weights)
    again = Range.parse(held.text())
    assert np.array_equal(again.weights, held.weights)


BAD = [
    ("", 0, "empty"),
    (" \n ", 0, "empty"),
    ("AA,,KK", 3, "comma"),
    (",AA", 0, "comma"),
    ("AA, KK ,", 7, "comma"),
    ("AZ", 1, "'Z' is not a rank"),
    ("XA", 0, "'X' is not a rank"),
    ("Ax+", 2, "not expected"),
    ("Axz", 2, "not expected"),
    ("AA:50", 3, "write 50% if it is in percent"),
    ("AA:150%", 3, "150 % is more than 100 %"),
    ("AA:5%%", 5, "not expected"),
    ("AA:5%KK", 5, "not expected"),
    ("99:55", 3, "write 55% if it is in percent"),
    ("KK, 20%", 4, "write top 20%"),
    ("KK,22%", 3, "'22%' is not a hand"),
    ("top", 0, "after top comes a percentage"),
    ("top 20", 0, "after top comes a percentage"),
    ("AA,top 120%", 7, "more than 100 %"),
    ("[50]AA", 0, "[50] is never closed; write [/50]"),
    ("KK,[50]AA,QQ", 3, "never closed"),
    ("[50]AA[/40]", 6, "[50] is closed by [/50]"),
    ("AA[/50]", 2, "no block is open"),
    ("[/50]AA", 0, "closes nothing"),
    ("[50]AA,[/50]", 7, "leave the comma out"),
    ("[50][20]AA[/20][/50]", 4, "inside [50]"),
    ("[50]AA,[20]KK[/20][/50]", 7, "inside [50]"),
    ("[150]AA[/150]", 0, "more than 100 %"),
    ("[50]AA:0.5[/50]", 6, "no weight of its own"),
    ("[half]AA[/half]", 0, "a bracket holds a weight in percent"),
    ("50: AA:0.5", 6, "no weight of its own"),
    ("AA]", 2, "not expected"),
    ("0.5 " * 500, 0, "has 1,326 of them, got 500"),
    ("0 1 2 " + "0 " * 1323, 4, "the weight '2' of 2h2d is above 1"),
    ("1AA", 0, "not a rank"),
    ("AhK", 3, "suit"),
    ("AKd", 2, "no suit"),
    ("As", 0, "one card"),
    ("KK,AhAh", 3, "twice"),
    ("AAs", 0, "neither suited nor offsuit"),
    ("A2s-A5o", 4, "both ends"),
    ("A2s-K5s", 4, "same higher card"),
    ("66-AK", 3, "same"),
    ("66-", 3, "ends where a rank"),
    ("-66", 0, "not a rank"),
    ("66-77-88", 5, "not expected"),
    ("AA:1.5", 3, "'1.5' is not a number from 0 to 1"),
    ("AA:-0.5", 3, "from 0 to 1"),
    ("AA:nan", 3, "'nan'"),
    ("AA:inf", 3, "'inf'"),
    ("AA:", 3, "missing after the colon"),
    ("AA:0.5:0.5", 3, "from 0 to 1"),
    ("AA:0,5", 6, "ends where a rank"),
    ("AA:٠", 3, "from 0 to 1"),
    ("AA;KK", 2, "not expected"),
    ("AKsx", 3, "not expected"),
    ("randomly", 6, "not expected"),
    ("ÄK", 0, "not a rank"),
    ("AA,İİ", 3, "not a rank"),
    ("../../etc/passwd", 0, "not a rank"),
    ("AA:" + "9" * 10_000, 3, "from 0 to 1"),
]


@pytest.mark.parametrize(("text", "position", "reason"), BAD, ids=[repr(case[0][:20]) for case in BAD])
def test_bad_text_gets_a_sentence_and_a_position(text: str, position: int, reason: str) -> None:
    with pytest.raises(BadRange, match=re.escape(reason)) as caught:
        Range.parse(text)
    assert caught.value.position == position
    lines = str(caught.value).split("\n")
    if text.strip():
        assert len(lines) == 3
        assert max(map(len, lines[1:])) < 90
        caret = lines[2].index("^")
        pointed = lines[1].ljust(caret + 1)[caret]
        assert pointed == (text[position] if position < len(text) else " ")


@given(st.text(max_size=40) | st.text("AKQJT98765432shdcox+-:,. 01%[]/", max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    position = 0
    try:
        held = Range.parse(text)
    except BadRange as problem:
        position = problem.position
    else:
        assert Range.parse(held.text()) == held
    assert 0 <= position <= len(text)


def test_long_garbage_is_refused_at_once() -> None:
    for text in ("A" * 10_001, "AA," * 10_000, "x" * 10_000, "AKs," * 10_000 + "Z"):
        with pytest.raises(BadRange) as caught:
            Range.parse(text)
        assert len(str(caught.value)) < 400


def test_weights_are_checked() -> None:
    for bad in (np.full(1326, np.nan), np.full(1326, 1.01), np.full(1326, -0.1), np.zeros(1325)):
        with pytest.raises(BadRange):
            Range(bad)
    weights = np.zeros(1326)
    held = Range(weights)
    weights[0] = 1
    assert held.count == 0
    with pytest.raises(ValueError):
        held.weights[0] = 1
