"""Any value at any place of the manifest of buckets, and any numbers in their arrays: buckets, or a sentence."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafted.edits import put_together, take_apart
from crafted.test_manifest import VALUES
from pokerlab.abstraction import bucket_file
from pokerlab.abstraction.buckets import Buckets
from pokerlab.errors import PokerlabError
from pokerlab.lab.abstraction import bucketing
from pokerlab.lab.abstraction.bucket_view import hand_buckets, round_view

RIGHT: dict[str, type] = {  # what may stand at each word; what is true or false is no number
    **dict.fromkeys(("ranks", "suits", "boards", "methods", "counts", "distortions"), list),
    **dict.fromkeys(("private", "seed"), int),
    **dict.fromkeys(("showdown", "fingerprint", "kind"), str),
    "ordered": bool,
}
NEAR = st.sampled_from(  # of the right type, and wrong
    [
        *([0, 1], [1, 0], [0, 1, 2], [0, 60], [0, 2**40], [5], [0, 0]),
        *(["lossless"] * 2, ["emd:3"] * 2, ["strength:2"] * 2, ["nested:2x2"] * 2, ["ochs:5"] * 2, ["./own.py"] * 2),
        *([1, 1], [2**31, 2**31], [3, 10**18], list("JQKA"), list("JQ"), list("JJJ"), [""], ["a"] * 3),
        *(0, 1, 2, 7, 2**63, "high", "three_card", "none", 1e300, [1e300, 0.0]),
    ]
)
DTYPES = {"F64": np.float64, "F32": np.float32, "I64": np.int64, "I32": np.int32, "U32": np.uint32, "U16": np.uint16}
DTYPES |= {"U8": np.uint8}


@pytest.fixture(scope="module", params=["whole", "lean", "perfect", "ochs", "nested"])
def sound(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("buckets") / "leduc.buckets"
    methods = {"ochs": ("strength:2", "ochs:3"), "nested": ("nested:2x2", "histogram:3")}
    plan = bucketing.planned(
        bucketing.cards_of("leduc"),
        methods.get(request.param, ("strength:2", "emd:3")),
        recall="perfect" if request.param == "perfect" else "imperfect",
    )
    bucketing.make_buckets(plan, out=path, lean=request.param != "whole")
    return path


def apart(path: Path) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """The parts of a file, without the quick sum that would tell of every change."""
    header, manifest, body = take_apart(path.read_bytes())
    return header, {word: value for word, value in manifest.items() if word != "quick"}, body


def opened(path: Path, data: bytes) -> Buckets | None:
    """Open a file and ask it for what commands show; None where it is refused."""
    path = path.with_name("crafted.buckets")
    path.write_bytes(data)
    with contextlib.suppress(PokerlabError):
        found = bucket_file.load(path)
        json.dumps(bucketing.summary(found), allow_nan=False)
        hand, *board = (found.cards.deck.name(card) for card in range(1 + max(found.cards.boards)))
        for place, count in zip(hand_buckets(found, hand, " ".join(board)), found.counts, strict=True):
            assert 0 <= place.bucket < count
        assert round_view(found, found.cards.rounds - 1) is not None
        return found
    return None


def test_a_file_put_together_again_opens(sound: Path) -> None:
    """So that what is refused below is refused for what was changed."""
    again = sound.with_name("again.buckets")
    again.write_bytes(put_together(*apart(sound)))
    found, whole = (bucket_file.load(path) for path in (again, sound))
    assert [one.bucket for one in hand_buckets(found, "Ka", "Qb")] == [
        one.bucket for one in hand_buckets(whole, "Ka", "Qb")
    ]


@pytest.mark.parametrize("word", RIGHT)
def test_a_value_of_another_kind_is_refused(sound: Path, word: str) -> None:
    header, manifest, body = apart(sound)
    for value in (None, [[1]], {"x": 1}, 1e300, -1):
        assert opened(sound, put_together(header, manifest | {word: value}, body)) is None, value


def test_a_number_that_cannot_be_is_refused(sound: Path) -> None:
    header, manifest, body = apart(sound)
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = np.frombuffer(body[begin:end], DTYPES[entry["dtype"]]).copy()
        if array.dtype.kind == "f":
            array[0] = np.nan
        elif name.startswith("table_"):
            array[0] = manifest["counts"][int(name[-1])]  # there is no such bucket
        else:
            continue
        assert opened(sound, put_together(header, manifest, body[:begin] + array.tobytes() + body[end:])) is None, name


@given(word=st.sampled_from(list(RIGHT)), value=VALUES | NEAR)
@settings(max_examples=50)
def test_any_value_in_a_manifest(sound: Path, word: str, value: Any) -> None:
    header, manifest, body = apart(sound)
    if opened(sound, put_together(header, manifest | {word: value}, body)) is not None:
        assert isinstance(value, RIGHT[word])
        assert isinstance(value, bool) == (RIGHT[word] is bool)


@given(data=st.data(), numbers=st.lists(st.floats(width=32) | st.integers(-3, 300), max_size=3))
@settings(max_examples=30)
def test_any_number_in_an_array(sound: Path, data: st.DataObject, numbers: list[float]) -> None:
    header, manifest, body = apart(sound)
    name = data.draw(st.sampled_from(sorted(header)))
    begin, end = header[name]["data_offsets"]
    array = np.frombuffer(body[begin:end], DTYPES[header[name]["dtype"]]).copy()
    with np.errstate(invalid="ignore"):
        for number in numbers:
            array[data.draw(st.integers(0, len(array) - 1))] = np.array(number).astype(array.dtype)
    opened(sound, put_together(header, manifest, body[:begin] + array.tobytes() + body[end:]))


@given(data=st.data(), shape=st.sampled_from([[], [0], [1], [2, 2], [1, 3], [3, 1], [16]]))
@settings(max_examples=30)
def test_any_shape_of_an_array(sound: Path, data: st.DataObject, shape: list[int]) -> None:
    header, manifest, body = apart(sound)
    name = data.draw(st.sampled_from(sorted(header)))
    dtype = data.draw(st.sampled_from(sorted(DTYPES)))
    length = int(np.prod(shape, dtype=int)) * np.dtype(DTYPES[dtype]).itemsize
    bodies = {one: body[entry["data_offsets"][0] : entry["data_offsets"][1]] for one, entry in header.items()}
    bodies[name] = (bodies[name] * (length + 1))[:length]
    changed, place = {}, 0
    for one, entry in header.items():
        new = {"dtype": dtype, "shape": shape} if one == name else {}
        changed[one] = entry | new | {"data_offsets": [place, place + len(bodies[one])]}
        place += len(bodies[one])
    opened(sound, put_together(changed, manifest, b"".join(bodies.values())))
