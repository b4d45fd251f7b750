"""Files are written whole or not at all, whatever goes wrong, and what killed runs left is removed."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import windows
from file_size import files_up_to
from pokerlab import writing
from pokerlab.errors import BadFile
from pokerlab.writing import LEFT_OVER_SECONDS, replacing, sweep

LIMIT = 1000  # bytes that a file may have; for the test alone, since its runner may write its own output to a file


def write(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("size", [999, 1000, 1001, 100_000])
def test_what_does_not_fit_leaves_the_old_file(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a"
    write(path, "old")
    if size <= LIMIT:
        with files_up_to(LIMIT):
            write(path, "x" * size)
        assert path.stat().st_size == size
    else:
        with files_up_to(LIMIT), pytest.raises(BadFile, match=r"cannot write .*/a: File too large"):
            write(path, "x" * size)
        assert path.read_text() == "old"
    assert names(tmp_path) == {"a"}


@pytest.mark.parametrize("failing", ["fsync", "replace", "close"])
def test_whatever_step_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    path = tmp_path / "a"
    write(path, "old")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path if failing == "replace" else os, failing, fail)
    with pytest.raises(BadFile, match="No space left on device"):
        write(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert names(tmp_path) == {"a"}


def test_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    fsync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def replaced(self: Path, target: Path) -> Path:
        steps.append("name")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write(tmp_path / "a", "new")
    assert steps == ["file", "name", "folder"]


def test_file_systems_that_cannot_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", refuse)
    write(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "new"


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "file", "old")
    (tmp_path / "link").symlink_to("deep/file")
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep" / "file").read_text() == "new"
    assert names(tmp_path / "deep") == {"file"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are those of POSIX")
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    write(path, "new")
    reader.join()
    assert read == ["new"]
    assert path.is_fifo()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_device() -> None:
    with pytest.raises(BadFile, match="cannot write /dev/full: No space left"):
        write(Path("/dev/full"), "new")


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    write(tmp_path / "file", "old")
    for path, words in (
        (tmp_path, "Is a directory"),
        (tmp_path / "file" / "below", "Not a directory"),
        (tmp_path / "file" / "far" / "below", "Not a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path / "a\0b", "zero bytes"),
        (Path("/proc/none/a"), "cannot write"),
    ):
        with pytest.raises(BadFile, match=words):
            write(path, "new")
    assert names(tmp_path) == {"file"}


@pytest.mark.parametrize("name", ["x" * 250, "♠" * 80, ".", "a[b].c", "-"])
def test_names_of_every_kind(tmp_path: Path, name: str) -> None:
    if name == ".":
        with pytest.raises(BadFile, match="Is a directory"):
            write(tmp_path / name, "new")
        return
    write(tmp_path / name, "new")
    assert names(tmp_path) == {name}


# ---- what killed runs left -----------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from pokerlab.writing import replacing
with replacing(Path(sys.argv[1])) as temporary:
    temporary.write_text("half")
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    print("writing", flush=True)
    sys.stdin.read()
"""


def make_old(path: Path, seconds: float = LEFT_OVER_SECONDS + 5) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then), follow_symlinks=False)


def test_a_killed_write_is_swept_by_the_next_to_the_same_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), "killed"], check=False)
    assert done.returncode == -signal.SIGKILL
    (part,) = tmp_path.iterdir()
    process, _, host = part.name.split(".")[3].partition("-")
    elsewhere = tmp_path / part.name.replace(host, f"{int(host, 16) ^ 1:08x}")
    alive = tmp_path / part.name.replace(process, str(os.getpid()))
    for other in (elsewhere, alive):
        other.write_text("half")
    write(tmp_path / "b.solution", "another file")
    assert names(tmp_path) == {"b.solution", elsewhere.name, alive.name}
    make_old(elsewhere)
    write(tmp_path / "b.solution", "another file")
    assert elsewhere.exists()
    write(path, "new")
    assert names(tmp_path) == {"a.solution", "b.solution", alive.name}


def test_a_living_write_is_left_alone_however_old(tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    words = [sys.executable, "-c", KILLED, str(path), "living"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as slow:
        assert slow.stdout is not None
        slow.stdout.readline()
        (part,) = tmp_path.iterdir()
        make_old(part, 10**6)
        write(path, "quick")
        sweep(tmp_path)
        assert names(tmp_path) == {"a.solution", part.name}
        slow.communicate()
    assert path.read_text() == "half"  # the slow one came last
    assert names(tmp_path) == {"a.solution"}


def test_only_what_is_surely_ours_is_swept(tmp_path: Path) -> None:
    others = ["a.part", ".a.part", ".a.short.part", ".a.TOOLARGE.part", ".a.abcd1234.parts", "x.a.abcd1234.part"]
    for name in others:
        (tmp_path / name).write_text("mine")
    (tmp_path / ".a.folder00.part").mkdir()
    (tmp_path / ".a.link0000.part").symlink_to("a.part")
    (tmp_path / ".a.abcd1234.part").write_text("left over")
    (tmp_path / ".a.b.abcd1234.part").write_text("left over of another file")
    for path in tmp_path.iterdir():
        make_old(path)
    expected = {*others, ".a.folder00.part", ".a.link0000.part", ".a.b.abcd1234.part"}
    sweep(tmp_path, "a")
    assert names(tmp_path) == expected
    sweep(tmp_path)  # a folder that is all ours
    assert names(tmp_path) == expected - {".a.b.abcd1234.part"}
    sweep(tmp_path / "none")


def test_systems_without_locks_go_by_age(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    windows.behave(monkeypatch)
    (tmp_path / ".a.abcd1234.part").write_text("left over")
    write(tmp_path / "a", "new")
    assert len(names(tmp_path)) == 2
    make_old(tmp_path / ".a.abcd1234.part")
    write(tmp_path / "a", "new")
    assert names(tmp_path) == {"a"}


def test_reasons_are_words() -> None:
    assert writing.reason(OSError(errno.ENOSPC, "No space left on device")) == "No space left on device"
    assert writing.reason(OSError("odd")) == "odd"
    assert writing.reason(OSError()) == "OSError"
