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
from pokerlab.errors import PokerlabError
from pokerlab.lab import bucketing
from pokerlab.lab.bucket_view import hand_buckets, round_view

WORDS = (
    *("ranks", "suits", "private", "boards", "showdown", "ordered", "methods", "counts"),
    *("distortions", "seed", "fingerprint", "kind"),
)
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


def opened(path: Path, data: bytes) -> None:
    """Open a file and ask it for what commands show."""
    path = path.with_name("crafted.buckets")
    path.write_bytes(data)
    with contextlib.suppress(PokerlabError):
        found = bucket_file.load(path)
        json.dumps(bucketing.summary(found), allow_nan=False)
        hand, *board = (found.cards.deck.name(card) for card in range(1 + max(found.cards.boards)))
        json.dumps([place.bucket for place in hand_buckets(found, hand, " ".join(board))])
        round_view(found, found.cards.rounds - 1)


def test_a_file_put_together_again_opens(sound: Path) -> None:
    """So that what is refused below is refused for what was changed."""
    again = sound.with_name("again.buckets")
    again.write_bytes(put_together(*apart(sound)))
    assert hand_buckets(bucket_file.load(again), "Ka", "Qb") is not None


@given(word=st.sampled_from(WORDS), value=VALUES | NEAR)
@settings(max_examples=50)
def test_any_value_in_a_manifest(sound: Path, word: str, value: Any) -> None:
    header, manifest, body = apart(sound)
    opened(sound, put_together(header, manifest | {word: value}, body))


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
