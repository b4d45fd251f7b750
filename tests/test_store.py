"""Kept files: what goes in comes out, and what is damaged or foreign is refused by name."""

from __future__ import annotations

import json
import os
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from file_size import files_up_to
from pokerlab import store
from pokerlab.errors import BadFile, Notice

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
    with pytest.raises(BadFile, match="there is no such file"):
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


def test_the_format_is_that_of_the_library(kept: Path) -> None:
    from safetensors import safe_open

    every = {f"{dtype}": np.arange(3).astype(dtype) for dtype in store._DTYPES.values()}
    store.save(kept, ARRAYS | every, kind="solution")
    with safe_open(str(kept), "np") as opened:
        for name, array in (ARRAYS | every).items():
            assert np.array_equal(opened.get_tensor(name), array)
    for array in store.load(kept).arrays.values():
        assert array.ctypes.data % array.itemsize == 0


@pytest.mark.parametrize("where", ["header", "arrays"])
def test_a_full_disk_leaves_the_old_file(kept: Path, where: str) -> None:
    before = kept.read_bytes()
    with files_up_to(40 if where == "header" else 4000), pytest.raises(BadFile, match="cannot write .* too large"):
        store.save(kept, {"much": np.zeros(10**6)}, kind="solution")
    assert kept.read_bytes() == before
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


# ---- tables --------------------------------------------------------------------------------------------------------


class Maker:
    """A table that counts how often it is made."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> dict[str, np.ndarray]:
        self.made += 1
        return ARRAYS

    def table(self, **options: Any) -> dict[str, np.ndarray]:
        return store.computed("thing", self, kind="table", **options).arrays


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Maker]:
    """A maker of tables in a home of its own; what earlier ones were told is forgotten."""
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path / "home"))
    store.notify.cache_clear()
    yield Maker()
    store.notify.cache_clear()


def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what this process has checked and made."""
    monkeypatch.setattr(store, "_tables", {})


def test_computed_once(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not store.has("thing")
    for _ in range(3):
        assert np.array_equal(maker.table()["visits"], ARRAYS["visits"])
        new_process(monkeypatch)
        assert store.has("thing")
    assert maker.made == 1
    maker.table(edition=2)
    assert maker.made == 2


@given(position=st.integers(0, 10_000), bit=st.integers(0, 7))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_table_with_one_flipped_bit_is_made_anew(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, position: int, bit: int
) -> None:
    maker.table()
    path = store.home() / "thing-1.safetensors"
    contents = bytearray(path.read_bytes())
    contents[position % len(contents)] ^= 1 << bit
    path.write_bytes(contents)
    for _ in range(2):
        new_process(monkeypatch)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Notice)
            arrays = maker.table()
        for name, array in ARRAYS.items():
            assert np.array_equal(arrays[name], array)
    made = maker.made
    new_process(monkeypatch)
    maker.table()
    assert maker.made == made


@pytest.mark.parametrize("contents", [b"", b"damage", b"\xff" * 100])
def test_a_damaged_table_is_told_of(maker: Maker, monkeypatch: pytest.MonkeyPatch, contents: bytes) -> None:
    maker.table()
    (store.home() / "thing-1.safetensors").write_bytes(contents)
    with pytest.warns(Notice, match=r"computed again: .*thing-1\.safetensors is"):
        maker.table()  # noticed even in the process that had it open
    assert maker.made == 2
    new_process(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        maker.table()
    assert maker.made == 2


def test_tables_of_earlier_versions_are_still_good(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_quick(arrays: dict[str, np.ndarray], **manifest: Any) -> dict[str, Any]:
        note = {"format": store.FORMAT, "version": "0.0", **manifest}
        return note | {"checksum": store._checksum(arrays, note)}

    with monkeypatch.context() as earlier:
        earlier.setattr(store, "_full_manifest", without_quick)
        maker.table()
    new_process(monkeypatch)
    maker.table()
    assert maker.made == 1


def test_a_table_of_another_kind_is_made_anew(maker: Maker) -> None:
    maker.table()
    store.save(store.home() / "thing-1.safetensors", ARRAYS, kind="solution")
    with pytest.warns(Notice, match="is a solution file"):
        maker.table()
    assert maker.made == 2


def test_damaged_strengths_are_noticed(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    from pokerlab.cards import strength

    strength.tables_of.cache_clear()
    classes = strength.ranking("three_card").classes
    path = store.home() / "strength-three_card-1.safetensors"
    contents = bytearray(path.read_bytes())
    contents[-20_000] ^= 64
    path.write_bytes(contents)
    new_process(monkeypatch)
    strength.tables_of.cache_clear()
    with pytest.warns(Notice, match="computed again"):
        assert np.array_equal(strength.ranking("three_card").classes, classes)
    strength.tables_of.cache_clear()


def test_a_home_that_cannot_be_written(maker: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    for home in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/none")):
        monkeypatch.setenv("POKERLAB_HOME", str(home))
        maker.made = 0
        store.notify.cache_clear()
        with warnings.catch_warnings(record=True) as told:
            for edition in (1, 2, 1, 2):
                assert np.array_equal(maker.table(edition=edition)["visits"], ARRAYS["visits"])
                assert store.has("thing", edition=edition)
        (sentence,) = (str(one.message) for one in told)
        assert f"not saved: {home} cannot be written" in sentence
        assert maker.made == 2
        with pytest.raises(ValueError, match="read-only"):
            maker.table()["visits"][0] = 1
    assert ARRAYS["visits"].flags.writeable


def test_a_journal_makes_its_folder(tmp_path: Path) -> None:
    journal = store.FolderStore(tmp_path / "one" / "other").journal("a")
    journal.append(b"line")
    assert (tmp_path / "one" / "other" / "a").read_bytes().startswith(b"line")


def test_a_full_home(maker: Maker) -> None:
    with files_up_to(100), pytest.warns(Notice, match="cannot be written .File too large"):
        assert np.array_equal(maker.table()["visits"], ARRAYS["visits"])
    assert list(store.home().iterdir()) == []


def test_leftovers_of_all_tables_are_swept(maker: Maker) -> None:
    part = store.home() / ".other-1.safetensors.abcd1234.part"
    part.parent.mkdir()
    part.write_bytes(b"half")
    os.utime(part, (1.0, 1.0))
    maker.table()
    assert not part.exists()


def test_no_home_at_all(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    def none(*_: object, **__: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setenv("POKERLAB_HOME", "~no-such-person/pokerlab")
    assert store.home() == store.NOWHERE
    monkeypatch.delenv("POKERLAB_HOME")
    monkeypatch.setattr(platformdirs, "user_cache_dir", none)
    assert store.home() == store.NOWHERE
    with pytest.warns(Notice, match="there is no home folder"):
        maker.table()


def test_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadFile, match="cannot write"):
        store.save(tmp_path / "file" / "below", ARRAYS, kind="solution")
