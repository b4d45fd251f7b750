"""What CONTRIBUTING.md says to a stranger: its bot and its game, put into an empty folder, play and are solved there.

The commands are those of the page, run as programs in that folder, so that nothing of this repository is beside them.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pokerlab
from pokerlab.lab.play.playing import open_poker
from pokerlab.lab.play.serving import play_at_dealer, serve_match
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.files.solution_file import load

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SHOWN = re.compile(r"^### Your own (\w+): (\S+\.py)\n\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILES = {kind: (name, text) for kind, name, text in SHOWN.findall(PAGE)}
LINES = [line.strip() for line in PAGE.splitlines() if line.startswith("    pokerlab ")]


def started(words: list[str], folder: Path) -> subprocess.Popen[str]:
    """A command of this package, in a folder; the test waits for it."""
    environment = os.environ | {"PYTHONPATH": str(Path(pokerlab.__file__).parents[1]), "COLUMNS": "100"}
    command = [sys.executable, "-m", "pokerlab", *words]
    return subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def answer(running: subprocess.Popen[str]) -> str:
    """What a command says, once it has ended well."""
    said, trouble = running.communicate(timeout=120)
    assert running.returncode == 0, trouble
    return said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.values():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_the_page_shows_a_bot_and_a_game() -> None:
    assert list(FILES) == ["bot", "game"]
    assert len(FILES["bot"][1].splitlines()) < 30
    for line in (
        "pokerlab match ./mybot.py formula --hands 2000",
        "pokerlab client --agent ./mybot.py localhost 18792",
    ):
        assert line in LINES
    for words in (
        ["format", "--check", "--line-length", "120"],
        ["check", "--select", "E,F,I", "--line-length", "120"],
    ):
        for name, text in FILES.values():
            ruff = [sys.executable, "-m", "ruff", *words, "--no-cache", "--isolated", "--stdin-filename", name, "-"]
            done = subprocess.run(ruff, input=text, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr


def test_the_bot_plays_from_its_folder_and_sees_its_interval(folder: Path) -> None:
    told = answer(started(["match", "./mybot.py", "formula", "--hands", "300", "--seed", "3"], folder))
    assert re.search(r"\./mybot\.py *│ *[+-][\d,]+ ± [\d,]+", told), told
    assert "not allowed" not in told


def test_the_bot_plays_over_the_protocol_and_sees_its_interval(folder: Path) -> None:
    game, ports = open_poker("holdem-limit", ""), queue.Queue[int]()
    with ThreadPoolExecutor(2) as others:
        serving = others.submit(
            serve_match,
            game,
            hands=60,
            log=folder / "match.log",
            on_progress=lambda event: [ports.put(port) for port in event.payload.ports] if event.payload else None,
        )
        other = others.submit(play_at_dealer, game, "formula", "localhost", ports.get(timeout=60), seed=1)
        words = ["client", "--agent", "./mybot.py", "localhost", str(ports.get(timeout=60)), "--json"]
        mine = json.loads(answer(started(words, folder)))
        formula, served = other.result(timeout=60).as_dict(), serving.result(timeout=60)
    found, low, high = (mine["chips"][end] for end in ("mean", "low", "high"))
    assert mine["agent"] == "./mybot.py"
    assert mine["hands"] == served.hands == 60
    assert found == pytest.approx(mine["won"] / 60)
    assert low < found < high
    assert mine["won"] == -formula["won"] == pytest.approx(served.scores["player2"])
    assert [low, high] == pytest.approx([-formula["chips"]["high"], -formula["chips"]["low"]])
    assert not mine["faults"]


def test_the_game_is_solved_kept_and_written_from_its_folder(folder: Path) -> None:
    told = answer(started(["solve", "./mygame.py(stake=3)", "--out", "claim.solution", "--json"], folder))
    kept = load(folder / "claim.solution")
    names: dict[str, object] = {}
    exec(compile(FILES["game"][1], "mygame.py", "exec"), names)
    claim = names["Claim"]
    assert callable(claim)
    for stake in (1, 3, 0.5):
        assert solve(claim(stake=stake), algorithm="lp").value == pytest.approx(stake / (2 + stake), abs=1e-9)
    assert json.loads(told)["value"] == pytest.approx(3 / 5, abs=1e-2)
    assert kept.open_game().players == 2
    assert solve(claim, iterations=9).value == solve(claim(1), iterations=9).value
    answer(started(["game", "./mygame.py", "--write", "claim.efg"], folder))
    assert solve(folder / "claim.efg", algorithm="lp").value == pytest.approx(1 / 3, abs=1e-9)
