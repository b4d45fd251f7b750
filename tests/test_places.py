"""Files, tables and journals in a shared place: a memory of fsspec, and a real S3 server on this machine."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import pokerlab
from command_line import CommandLine
from pokerlab import places
from pokerlab.errors import BadFile, BadSetting
from pokerlab.lab.play.playing import run_match
from pokerlab.match.run.match import MatchSettings
from pokerlab.shared_store import UrlStore, shared_store
from pokerlab.store import FolderStore
from pokerlab.writing import replacing
from untimed import untimed


@pytest.fixture(params=["memory", pytest.param("s3", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty shared place."""
    fsspec = pytest.importorskip("fsspec", reason="shared places need fsspec, which is not installed")
    if request.param == "memory":
        fsspec.filesystem("memory").store.clear()
        yield "memory://lab"
        return
    pytest.importorskip("s3fs", reason="S3 needs s3fs, which is not installed")
    server = pytest.importorskip("moto.server", reason="the S3 server of these tests is moto, which is not installed")
    serving = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    serving.start()
    host, port = serving.get_host_and_port()
    for name, value in {
        "ENDPOINT_URL": f"http://{host}:{port}",
        "ACCESS_KEY_ID": "a",
        "SECRET_ACCESS_KEY": "b",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    bucket = f"lab-{uuid.uuid4().hex}"  # servers of a process share their buckets
    fsspec.filesystem("s3", skip_instance_cache=True).mkdir(bucket)
    try:
        yield f"s3://{bucket}"
    finally:
        fsspec.get_filesystem_class("s3").clear_instance_cache()
        serving.stop()


def test_a_solution_lives_there(place: str, cli: CommandLine, folder: Path) -> None:
    """Commands write it, read it, resume it, and refuse to overwrite it with something else."""
    out = f"{place}/runs/kuhn.solution"
    assert cli(["solve", "kuhn", "--iterations", "20", "--out", out]).code == 0
    assert "kuhn" in cli(["show", out]).printed
    assert cli(["solve", "--resume", out, "--iterations", "40"]).code == 0
    assert pokerlab.load(out).iterations == 40
    words = ["match", out, "random", "--game", "kuhn", "--hands", "40", "--workers", "1", "--json"]
    assert cli(words).json["hands"] == 40
    assert not list(folder.iterdir())


def test_training_reads_its_buckets_there(place: str, cli: CommandLine, folder: Path) -> None:
    buckets, blueprint = f"{place}/leduc.buckets", f"{place}/leduc.blueprint"
    assert cli(["abstract", "leduc", "--methods", "lossless,strength:3", "--out", buckets]).code == 0
    assert cli(["train", "leduc", "--buckets", buckets, "--iterations", "500", "--out", blueprint]).code == 0
    words = ["match", blueprint, "random", "--game", "leduc", "--hands", "40", "--workers", "1", "--json"]
    assert cli(words).json["hands"] == 40
    assert not list(folder.iterdir())


def test_writing_is_all_or_nothing(place: str) -> None:
    target = Path(f"{place}/table.csv")
    with replacing(target) as temporary:
        temporary.write_text("old")
    broken = replacing(target)
    broken.__enter__().write_text("half of the n")
    with pytest.raises(ZeroDivisionError):
        broken.gen.throw(ZeroDivisionError())  # type: ignore[attr-defined]
    assert places.here(target).read_text() == "old"
    with replacing(target) as temporary:
        temporary.write_text("new")
        assert places.here(target).read_text() == "old"
    assert places.here(target).read_text() == "new"
    places.remove(target)
    places.remove(target)
    assert not places.exists(target)
    with pytest.raises(BadFile, match=r"there is no such file"):
        pokerlab.load(f"{place}/table.csv")


@pytest.mark.parametrize("in_folder", [False, True])
def test_a_store_has_contents_and_journals(place: str, in_folder: bool, tmp_path: Path) -> None:
    store = shared_store(str(tmp_path) if in_folder else place, "m.journal")
    assert isinstance(store, FolderStore if in_folder else UrlStore)
    assert store.names() == []
    store.put("a", b"one")
    store.put("a", b"two")
    journal = store.journal("b")
    journal.append(b"first\n")
    journal.append(b"second\n")
    journal.close()
    assert (store.names(), store.get("a"), store.get("b")) == (["a", "b"], b"two", b"first\nsecond\n")
    again = store.journal("b")
    assert list(again.lines) == [b"first\n", b"second\n"]
    again.append(b"third\n")
    again.close()
    assert store.get("b") == b"first\nsecond\nthird\n"
    for _ in range(2):
        store.remove("b")
    assert store.names() == ["a"]
    with pytest.raises(BadFile, match="there is no such file"):
        store.get("b")


def test_a_match_keeps_its_journals_there(place: str, folder: Path) -> None:
    """A back end of the user's own, whose workers share no folder with the caller."""
    (folder / "apart.py").write_text(
        "from pokerlab.shared_store import shared_store\n"
        "class Apart:\n"
        "    def run(self, function, items, *, workers, cancel=None):\n"
        "        return map(function, items)\n"
        "    def store(self, folder):\n"
        f"        return shared_store({place!r}, folder.name)\n",
        encoding="utf-8",
    )
    settings = MatchSettings.of("kuhn", ["random", "always-call"], hands=60, block=20, seed=2)
    here = run_match(settings, backend="serial", out=folder / "here.duckdb")
    there = run_match(settings, backend="./apart.py:Apart", workers=2, out=folder / "there.duckdb")
    assert untimed(there.as_dict()) == untimed(here.as_dict())
    assert shared_store(place, "there.duckdb.journal").names() == []


def test_hands_need_a_disk(place: str, cli: CommandLine) -> None:
    words = ["match", "random", "random", "--game", "kuhn", "--hands", "20", "--out", f"{place}/m.duckdb"]
    assert "in a shared place, and hands are saved in a database, which needs a disk" in cli(words).refusal


def test_urls_are_told_from_paths() -> None:
    assert [places.is_url(text) for text in ("s3://a/b", "strategy:/a/b", "C:/a", "./a", "s3:/a")] == [True] + [
        False
    ] * 4
    assert places.url_of(Path("s3://bucket/a b/c.solution")) == "s3://bucket/a b/c.solution"


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(BadSetting, match=r"needs fsspec: pip install 'pokerlab\[cluster\]'"):
        pokerlab.load("s3://bucket/my.solution")
