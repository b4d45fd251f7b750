"""Streams that lack letters: nothing fails, and nothing that is told is lost."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.cli._streams import PLAINER, open_streams

ROOT = Path(__file__).parents[2]
RIVER = ["--board", "Ks7h2d5c9s", "--oop", "QQ+,AKs", "--ip", "77,A5s,KQs", "--bet", "50%"]
COMMANDS = [
    ["range", "22+,A2s+:0.3,KQo:0.5"],
    ["strength", "AhKh", "--board", "Td7s2c5c"],
    ["solve", "kuhn", "--iterations", "20", "--out", "kuhn.solution"],
    ["browse", "kuhn.solution", "r"],
    ["match", "formula", "rules", "--game", "leduc", "--hands", "40", "--workers", "1"],
    ["solve", "--help"],
    ["kuhn\udcff♠"],
    [],
]
MORE = [
    ["equity", "AhKh", "QQ+", "--board", "Td7s2c", "--samples", "200"],
    ["solve", "kuhn", "--iterations", "20", "--out", "kuhn.solution"],
    ["show", "kuhn.solution"],
    ["verify", "kuhn.solution"],
    ["game", "leduc"],
    ["size", "leduc"],
    ["spot", *RIVER, "--iterations", "4", "--out", "river.solution"],
    ["browse", "river.solution", "check"],
    ["vonneumann", "--ante", "1", "--bet", "2"],
    ["icm", "--stacks", "10,1,289", "--payouts", "60,40", "--bounties", "3"],
    ["evolve", "von-neumann", "--iterations", "2"],
    ["match", "formula", "rules", "--game", "leduc", "--hands", "40", "--workers", "1", "--out", "m.duckdb"],
    ["hands", "m.duckdb"],
    ["tournament", "formula", "rules", "--game", "leduc", "--hands", "20", "--workers", "1"],
    ["play", "holdem-nolimit", "--hands", "1", "--seed", "1", "--log", "log"],
    ["paper", "cfr-worked-example"],
    ["examples"],
]


@cache
def letters_of_source() -> str:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    return "".join(sorted({letter for text in texts for letter in text if not letter.isascii()} - set("☃⅔ö")))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437", "cp850", "cp932", "mac_roman", "koi8-r"])
def test_every_letter_that_we_write_has_one_that_is_near(encoding: str) -> None:
    open_streams()
    letters = letters_of_source()
    assert "±" in letters
    assert b"?" not in letters.encode(encoding, PLAINER)


def test_any_text_can_be_written() -> None:
    open_streams()
    assert "Zoë 5♣ \udc80 日本 ¼".encode("ascii", PLAINER) == b"Zoe 5c ? ?? 1/4"
    assert "日本 \udc80".encode("utf-8", PLAINER).decode() == "日本 ?"


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("streams")


@pytest.mark.parametrize(
    "words",
    [*COMMANDS, *(pytest.param(words, marks=pytest.mark.slow) for words in MORE)],
    ids=lambda words: " ".join(words)[:24],
)
def test_commands_on_a_stream_of_ascii(words: list[str], shared_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shared_folder)
    monkeypatch.setattr(sys, "argv", ["pokerlab", *words])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xe9\x81\nf\n"), encoding="cp1252"))
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    with pytest.raises(SystemExit) as left:
        main()
    for stream in streams:
        stream.flush()
    out, error = (stream.buffer.getvalue().decode("ascii") for stream in streams)  # type: ignore[attr-defined]
    assert left.value.code == (2 if words and "♠" in words[0] else 0), error
    if left.value.code:
        assert "kuhn\\udcffs" in error
    elif words[:1] not in ([], ["play"]):  # which ask
        assert "?" not in out


@pytest.mark.parametrize("encoding", ["cp1252", "ascii:strict"])
def test_a_process_in_a_place_without_unicode(encoding: str) -> None:
    plain = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    words = [sys.executable, "-m", "pokerlab", "range", "AA,KQs:0.5"]
    done = subprocess.run(words, env=os.environ | plain, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"AA #" in done.stdout
