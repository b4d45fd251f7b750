"""Nothing is of one system: what is written, named and asked for is what Linux, macOS and Windows have.

No Windows is at hand; tests/windows.py refuses what it refuses, and mypy checks every line for it
(`make lint-windows`).
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import windows
from command_line import CommandLine
from pokerlab import store, writing
from pokerlab.errors import BadFile
from pokerlab.lab.play.playing import seat_opponents
from pokerlab.tree.forecast import available_memory

SOURCE = Path(__file__).parents[1] / "src" / "pokerlab"


# ---- how text is read and written ------------------------------------------------------------------------------------

NOT_FILES = re.compile(r"(os|webbrowser)\.open|read_text")  # calls that open no text file


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Every call in the source that opens a text file: where it is, what it calls."""
    for path in SOURCE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "open(" in source or "_text(" in source else ():
            name = getattr(node, "func", None) and ast.unparse(node.func)  # type: ignore[attr-defined]
            if isinstance(node, ast.Call) and name and name.split(".")[-1] in ("open", "read_text", "write_text"):
                words = [word.value for word in (*node.args, *(k.value for k in node.keywords)) if _is_text(word)]
                binary = any("b" in word and set(word) <= set("rwab+") for word in words)
                shows = "app" in path.parts and name.endswith(".open")  # a dialog, a page
                if not binary and not shows and not NOT_FILES.fullmatch(name):
                    yield f"{path.name}:{node.lineno}", name, node


def _is_text(word: ast.expr) -> bool:
    return isinstance(word, ast.Constant) and isinstance(word.value, str)


def test_text_files_state_their_encoding_and_their_line_ends() -> None:
    """Neither is left to the system: a file made on one reads on another, byte for byte."""
    found = list(calls())
    assert len(found) > 10
    for where, name, call in found:
        stated = {keyword.arg for keyword in call.keywords}
        assert "encoding" in stated, f"{where}: {name} states no encoding"
        writes = name.endswith("write_text") or any(
            isinstance(word, ast.Constant) and word.value in ("w", "a", "x") for word in call.args
        )
        if writes and "os.devnull" not in ast.unparse(call):
            assert "newline" in stated, f"{where}: {name} leaves line ends to the system"


# ---- a system that refuses what Windows refuses ----------------------------------------------------------------------

like_windows = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="/proc tells what is open")
SPOT = ["--board", "Ks7h2d5c9s", "--oop", "QQ+,AKs", "--ip", "77,A5s,KQs", "--bet", "50%"]
BOARDS = ["--boards", "Ks7h2d5c9s, AsAd7h7c2d", "--iterations", "2", "--workers", "1"]
MATCH = ["match", "formula(bluff=0.2)", "rules", "--game", "leduc", "--hands", "60", "--workers", "1"]
FEW = [
    ["solve", "kuhn(players=3)", "--iterations", "20", "--out", "a.solution"],
    ["solve", "--resume", "a.solution", "--iterations", "40"],  # onto the file that it comes from
    ["verify", "a.solution"],
    [*MATCH, "--out", "m.duckdb"],
    [*MATCH, "--out", "m.duckdb", "--resume"],
    ["game", "kuhn", "--write", "k.efg"],
    ["play", "kuhn", "--hands", "1", "--seed", "1"],
]
MANY = [
    ["solve", "leduc", "--iterations", "20", "--out", "a.solution", "--plot", "a.png"],
    ["solve", "kuhn", "--iterations", "20", "--out", "a.solution"],
    ["match", "strategy:a.solution", "random", "--game", "kuhn", "--hands", "9", "--workers", "1"],
    ["spot", *SPOT, "--iterations", "4", "--out", "s.solution"],
    ["solve", "--resume", "s.solution", "--iterations", "8"],
    ["browse", "s.solution", "check", "--csv", "s.csv"],
    ["report", "s.toml", *BOARDS, "--out", "r.csv"],
    ["report", "s.toml", *BOARDS, "--out", "r.csv"],
    [*MATCH, "--game", "holdem-limit", "--out", "m.duckdb"],
    ["hands", "m.duckdb", "--export", "phh", "m.phhs"],
    ["hands", "m.duckdb", "--export", "acpc", "m.log"],
    ["game", "kuhn", "--draw", "k.svg", "--write", "k.efg"],
    ["solve", "k.efg", "--iterations", "9", "--out", "k.solution"],
    ["verify", "k.solution"],
    ["evolve", "von-neumann", "--iterations", "2", "--checkpoint", "e.solution", "--csv", "e.csv"],
    ["evolve", "von-neumann", "--iterations", "4", "--checkpoint", "e.solution", "--csv", "e.csv"],
    ["paper", "cfr-worked-example", "--out", "p"],
]


@like_windows
@pytest.mark.parametrize("lines", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])
def test_commands_where_files_in_use_stay(
    lines: list[list[str]], folder: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written twice, resumed, and kept under names that Windows takes."""
    ranges = '[out_of_position]\nrange = "QQ+"\n[in_position]\nrange = "77,A5s"\n'
    (folder / "s.toml").write_text(f'board = "Ks7h2d5c9s"\npot = 9\nstack = 9\n{ranges}', encoding="utf-8")
    for words in lines:
        with monkeypatch.context() as patch:
            windows.behave(patch)
            answer = cli(words, typed="f\nf\n")
        assert answer.code == 0, f"{words}\n{answer.error}"
        assert "cannot be written" not in answer.error
    assert not [path for path in folder.rglob("*") if windows.FORBIDDEN.search(path.name) or path.suffix == ".part"]


@like_windows
def test_the_simulation_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would go wrong if files were mapped there does."""
    path = store.save(tmp_path / "a", {"numbers": np.arange(5)}, kind="solution")
    kept = store.load(path)
    with monkeypatch.context() as patch:
        windows.behave(patch)
        with pytest.raises(BadFile, match="being used"):
            store.save(path, kept.arrays, kind="solution")
        with pytest.raises(BadFile, match="syntax is incorrect"):
            store.save(tmp_path / "a:b", {}, kind="solution")
        read = store.load(path).arrays["numbers"]
        with pytest.raises(ValueError, match="read-only"):
            read[0] = 1
        del kept
        store.save(path, {"numbers": read + 1}, kind="solution")
        assert available_memory() > 0
    assert store.load(path).arrays["numbers"].tolist() == [1, 2, 3, 4, 5]


def test_a_file_that_is_scanned_for_a_moment_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = 2
    plain = os.replace

    def replace(*paths: Path) -> None:
        nonlocal refusals
        refusals -= 1
        if refusals >= 0:
            raise PermissionError(13, "Access is denied")
        plain(*paths)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(writing, "_PAUSES", (0.0, 0.0))
    with writing.replacing(tmp_path / "a") as temporary:
        temporary.write_bytes(b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]
    refusals = 3
    with pytest.raises(BadFile, match="cannot write .*: Access is denied"), writing.replacing(tmp_path / "a"):
        pass
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_names_of_opponents_from_paths_of_windows(folder: Path) -> None:
    (folder / "my bot.py").write_text(
        (SOURCE.parents[1] / "examples" / "careful.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (folder / "C:").mkdir()
    (folder / "C:" / "bot.py").write_text((folder / "my bot.py").read_text(encoding="utf-8"), encoding="utf-8")
    against = ["./my bot.py", "C:/bot.py:Careful(dear=0.2)"]
    assert seat_opponents("kuhn(players=3)", against).names == ("my bot", "bot")


# ---- what is not there ---------------------------------------------------------------------------------------------

WITHOUT = """
import sys
import pytest, windows
from pokerlab.cli import main
from pokerlab.match.run import match
windows.behave(pytest.MonkeyPatch())
match.SECONDS_WORTH_PROCESSES = 0.0
sys.argv = ["pokerlab", *sys.argv[1:]]
main()
"""


@like_windows
@pytest.mark.slow
def test_a_match_in_processes_without_what_posix_has(tmp_path: Path) -> None:
    words = "match ./bot.py formula --game leduc --hands 60 --workers 2 --json".split()
    bot = (SOURCE.parents[1] / "examples" / "careful.py").read_text(encoding="utf-8")
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    path = os.pathsep.join([str(Path(windows.__file__).parent), str(SOURCE.parent)])
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        env=os.environ | {"PYTHONPATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert '"hands": 60' in done.stdout


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their file systems have no such names")
@pytest.mark.parametrize(
    "words",
    [
        ["solve", "FILE.py", "--out", "a.solution"],
        ["match", "FILE.py", "formula", "--game", "leduc", "--hands", "9"],
        ["game", "FILE.efg", "--write", "a.efg"],
        ["match", "formula", "rules", "--game", "leduc", "--hands", "9", "--out", "FILE.duckdb"],
        ["hands", "FILE.duckdb"],
    ],
    ids=lambda words: words[0],
)
def test_names_that_are_not_text_are_a_sentence(words: list[str], folder: Path, cli: CommandLine) -> None:
    """Bytes that are no letters come as halves of letters, which no file could tell again."""
    odd = "odd\udcff"
    for suffix in (".py", ".efg"):
        (folder / (odd + suffix)).write_text("", encoding="utf-8")
    answer = cli([word.replace("FILE", odd) for word in words])
    assert "is not text here: rename the file" in answer.refusal
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("command", ["--help", "game"])
def test_nobody_in_particular(command: str, tmp_path: Path) -> None:
    """No home folder, no locale, no terminal, a time zone that does not exist."""
    kept = ("PATH", "PYTHONPATH", "SYSTEMROOT", "NUMBA_CACHE_DIR")
    plain = {name: value for name, value in os.environ.items() if name in kept}
    plain |= {"LC_ALL": "nowhere", "TERM": "dumb", "TZ": "Nowhere/Never", "HOME": "/nowhere"}
    words = [sys.executable, "-m", "pokerlab", *([command] if command == "--help" else [command, "kuhn"])]
    done = subprocess.run(words, env=plain, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_module_that_asks_for_the_platform_is_told_of_windows() -> None:
    asking = {path for path in SOURCE.rglob("*.py") if "sys.platform" in path.read_text(encoding="utf-8")}
    assert {Path(module.__file__) for module in (*windows.ASKING, store)} == asking
