"""Kept files: what goes in comes out, and what is damaged or foreign is refused by name."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab import store
from pokerlab.errors import BadFile

ARRAYS = {"regret": np.arange(12.0).reshape(3, 4), "visits": np.array([1, 2, 3], np.int64), "none": np.zeros((0, 3))}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return store.save(tmp_path / "deep" / "a.safetensors", ARRAYS, kind="solution", game="leduc", seed=7)


def test_round_trip(kept: Path) -> None:
    opened = store.load(kept, kind="solution")
    assert opened.manifest["game"] == "leduc"
    assert opened.manifest["seed"] == 7
    assert store.manifest_of(kept)["kind"] == "solution"
    for name, array in ARRAYS.items():
        assert np.array_equal(opened.arrays[name], array)
        assert opened.arrays[name].dtype == array.dtype
    with pytest.raises(ValueError, match="read-only"):
        opened.arrays["regret"][0, 0] = 1.0


def test_other_kind_is_refused(kept: Path) -> None:
    with pytest.raises(BadFile, match="is a solution file, and a bucket file is needed"):
        store.load(kept, kind="bucket")


def test_missing_file() -> None:
    with pytest.raises(BadFile, match="there is no file"):
        store.load("/nowhere/at/all")


def test_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot read"):
        store.load(tmp_path)


@given(position=st.integers(0, 10_000), flip=st.integers(1, 255))
@settings(max_examples=200)
def test_any_flipped_byte_is_noticed(tmp_path_factory: pytest.TempPathFactory, position: int, flip: int) -> None:
    path = tmp_path_factory.mktemp("flip") / "a"
    store.save(path, ARRAYS, kind="solution", game="leduc")
    contents = bytearray(path.read_bytes())
    contents[position % len(contents)] ^= flip
    path.write_bytes(contents)
    try:
        opened = store.load(path, kind="solution")
    except BadFile:
        return
    # what a flip in the spelling of the header may leave is the very same file
    assert opened.manifest["game"] == "leduc"
    for name, array in ARRAYS.items():
        assert np.array_equal(opened.arrays[name], array)


@pytest.mark.parametrize("length", [0, 4, 8, 40, 300])
def test_cut_files_are_refused(kept: Path, length: int) -> None:
    kept.write_bytes(kept.read_bytes()[:length])
    with pytest.raises(BadFile):
        store.load(kept)


def test_other_peoples_files_are_refused(tmp_path: Path) -> None:
    header = json.dumps({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    path = tmp_path / "foreign"
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0\0\0\0")
    with pytest.raises(BadFile, match="was not written by pokerlab"):
        store.load(path)


def test_a_failed_write_leaves_the_old_file(kept: Path) -> None:
    before = kept.read_bytes()

    def fail() -> None:
        with store.replacing(kept) as temporary:
            temporary.write_bytes(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert kept.read_bytes() == before
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_computed_once_and_again_when_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    calls = []

    def make() -> dict[str, np.ndarray]:
        calls.append(1)
        return ARRAYS

    for _ in range(3):
        assert np.array_equal(store.computed("thing", make, kind="table").arrays["visits"], ARRAYS["visits"])
    assert len(calls) == 1
    (tmp_path / "thing-1.safetensors").write_bytes(b"damage")
    store.computed("thing", make, kind="table")
    assert len(calls) == 2
    store.computed("thing", make, kind="table", edition=2)
    assert len(calls) == 3


def test_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadFile, match="cannot write"):
        store.save(tmp_path / "file" / "below", ARRAYS, kind="solution")
