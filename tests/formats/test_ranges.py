"""Ranges as other programs write them, both ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.combos import combo_name
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting
from pokerlab.formats.ranges import PROGRAMS, percent_text, write_range

# what PioSOLVER's show_hand_order begins with, as its users print it
PIO_ORDER = """2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d 3c2h 3c2s 3d2c 3d2d 3d2h 3d2s 3d3c 3h2c 3h2d 3h2h 3h2s 3h3c 3h3d
    3s2c 3s2d 3s2h 3s2s 3s3c 3s3d 3s3h 4c2c""".split()


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 3, 1000]), st.floats(0, 1), st.sampled_from(list(PROGRAMS)))
@settings(max_examples=60, deadline=None)
def test_what_is_written_reads_back_to_the_same_weights(seed: int, levels: int, share: float, program: str) -> None:
    rng = np.random.default_rng(seed)
    by_class = np.repeat(rng.integers(0, levels, 221), 6)
    chosen = np.where(rng.random(1326) < 0.3, rng.integers(0, levels, 1326), by_class)
    weights = rng.random(levels)[chosen] * (rng.random(1326) < share)
    weights[rng.random(1326) < 0.2] = 1.0
    held = Range(np.where(rng.random(1326) < 0.5, np.round(weights, 2), weights))
    assert Range.parse(write_range(held, program)) == held


CLASSES = st.sampled_from("AA 22+ 66-99 AKs AKo AK T8o+ A2s-A5s 65s-98s KdQh 7c2d random K2s+ QJo Ax 3xo".split())


@given(st.lists(st.tuples(CLASSES, st.floats(0, 1)), min_size=1, max_size=6), st.sampled_from(list(PROGRAMS)))
@settings(max_examples=100, deadline=None)
def test_spans_and_odd_weights_read_back(entries: list[tuple[str, float]], program: str) -> None:
    held = Range.parse(", ".join(f"{entry}:{weight!r}" for entry, weight in entries))
    assert Range.parse(write_range(held, program)) == held


@given(st.floats(0, 1))
def test_a_percentage_has_all_digits_of_its_weight(weight: float) -> None:
    assert Range.parse(f"AA:{percent_text(weight)}%").grid()[0, 0] == pytest.approx(weight, rel=1e-15)
    assert Range.parse(f"AhAs:{percent_text(weight)}%").count == weight


@pytest.mark.parametrize(
    ("text", "program", "expected"),
    [
        ("AA,AQs:0.75,AJs:0.5,ATs:0.25,AKs", "pio", "AA,AKs,AQs:0.75,AJs:0.5,ATs:0.25"),
        ("AA,AKs,AQs:0.75,AJs:0.5,ATs:0.25", "equilab", "100: AA, AKs, 75: AQs, 50: AJs, 25: ATs"),
        ("AA,AKo,ATo-AQo:0.75", "equilab", "100: AA, AKo, 75: AQo-ATo"),
        ("AA,A9s+", "equilab", "AA, A9s+"),
        ("AA:0.5,KK-JJ", "gto+", "JJ-KK,[50]AA[/50]"),
        ("AK", "gto+", "AKs,AKo"),
        ("AKs,AhKh:0", "pio", "AsKs,AdKd,AcKc"),
        ("random:0", "pio", "AA:0"),
        ("random:0", "gto+", "[0]AA[/0]"),
        ("random:0", "equilab", "0: AA"),
    ],
)
def test_what_is_written(text: str, program: str, expected: str) -> None:
    assert write_range(Range.parse(text), program) == expected
    assert write_range(Range.parse(text), program.upper()) == expected


def test_the_list_of_weights_is_in_the_order_of_pio() -> None:
    assert [combo_name(number) for number in range(len(PIO_ORDER))] == PIO_ORDER
    words = write_range(Range.parse("2h2d,3c2s:0.25,AsAh"), "vector").split()
    assert len(words) == 1326
    assert [(place, word) for place, word in enumerate(words) if word != "0"] == [(2, "1"), (9, "0.25"), (1325, "1")]


def test_an_unknown_program_is_named() -> None:
    with pytest.raises(BadSetting, match="cannot write ranges for 'pioo'; did you mean pio"):
        write_range(Range.random(), "pioo")
