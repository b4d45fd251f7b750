"""The tutorials and the cookbook: everything that they tell to do is done, and prints what they say."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from command_line import CommandLine
from told import Reader, blocks, typed

ROOT = Path(__file__).parents[1]
PAGES = [
    "docs/howto/abstraction.md",
    "docs/howto/blueprints.md",
    "docs/howto/cookbook.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "tutorials").glob("*.md")),
]
INSTEAD = {  # what takes long, and what is typed for it here
    "pokerlab report reraised.toml --boards flops:25 --at check --target 1% --out cbet.csv": (
        "pokerlab report reraised.toml --boards 'Kd7d5c, 9c7d6c:3' --at check --iterations 1 --out cbet.csv"
    ),
    "pokerlab match blueprint always-call --game holdem-limit --hands 200 --duplicate --seed 1": (
        "pokerlab match blueprint always-call --game holdem-limit --hands 20 --duplicate --seed 1"
    ),
    "pokerlab train leduc --iterations 200000 --out leduc.blueprint": (
        "pokerlab train leduc --iterations 20000 --out leduc.blueprint"
    ),
    "pokerlab train rhode-island --buckets ri.buckets --iterations 100000 --out ri.blueprint": (
        "pokerlab train rhode-island --buckets ri.buckets --iterations 5000 --out ri.blueprint"
    ),
    "pokerlab match ri.blueprint formula --game rhode-island --hands 400 --duplicate --seed 1": (
        "pokerlab match ri.blueprint formula --game rhode-island --hands 40 --duplicate --seed 1"
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, cli: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == "docs/howto/cookbook.md":
        shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.syspath_prepend(str(folder))
    reader = Reader(cli, instead=INSTEAD)
    reader.read((ROOT / page).read_text(encoding="utf-8"))
    assert reader.did > 6


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/howto/blueprints.md", "docs/tutorials/player.md"])
def test_what_takes_minutes_prints_what_is_told(page: str, cli: CommandLine, folder: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert any(line in text for line in INSTEAD)
    Reader(cli).read(text)


def test_what_is_typed_instead_is_on_a_page() -> None:
    told = [
        command.line
        for page in PAGES
        for block in blocks((ROOT / page).read_text("utf-8"))
        if block.language == "console"
        for command in typed(block.text)
    ]
    assert not [line for line in INSTEAD if line not in told]


def test_a_page_that_is_wrong_is_found(cli: CommandLine, folder: Path) -> None:
    def read(text: str) -> None:
        Reader(cli).read(text)

    read("```console\n$ pokerlab game kuhn\nkuhn: 2 players...\n```\n")
    with pytest.raises(AssertionError, match="and not"):
        read("```console\n$ pokerlab game kuhn\nkuhn: 3 players...\n```\n")
    with pytest.raises(AssertionError, match="exit code 2"):
        read("```console\n$ pokerlab game nothing\n```\n")
    with pytest.raises(AssertionError, match="Expected"):
        read("```python\n>>> 1 + 1\n3\n\n```\n")
    read("```console\n$ pokerlab game nothing\npokerlab: there is no game called 'nothing'...\n```\n")
    read("This is `a.txt`:\n\n```text\nx y\n```\n\n```console\n$ cat a.txt\nx y\n```\n")
    with pytest.raises(AssertionError, match="prints"):
        read("```console\n$ cat a.txt\nx z\n```\n")
