"""The listing of kept matches at the width of a terminal: every name whole, every number with its unit."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from command_line import CommandLine
from pokerlab.agents.opening import open_agent
from pokerlab.display.play.hands import hand_scenes
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL
from pokerlab.games.poker.engine import PokerGame

MATCHES = (
    ["formula", "rules", "--game", "leduc"],
    ["formula(bluff=0.25, pot_fraction=0.75)", "always-raise", "--game", "holdem-nolimit"],
    ["always-call", "always-raise", "--from", "examples/river.toml"],
)
NAME = open_agent("formula(bluff=0.25, pot_fraction=0.75)").name
ROOT = Path(__file__).parents[2]


@pytest.fixture
def kept(tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(ROOT)
    for words in MATCHES:
        words = ["match", *words, "--hands", "8", "--workers", "1", "--out", str(tmp_path / "m.duckdb")]
        assert cli(words).code == 0
    return tmp_path / "m.duckdb"


def test_matches_are_listed(kept: Path, cli: CommandLine) -> None:
    for width in (80, 120):
        out = cli(["hands", str(kept)], width=width).printed
        lines = [line.rstrip() for line in out.splitlines()]
        assert [line for line in lines if line.startswith("match")] == [
            "match 1  leduc  8 hands",
            "match 2  holdem-nolimit  8 hands",
            "match 3  river.toml  8 hands",
        ]
        assert any(line.split("  +")[0].split("  -")[0].strip() == NAME for line in lines)
        assert sum("mbb/hand" in line for line in lines) == 2
        assert sum("bb/100" in line for line in lines) == 2
        assert sum("chips/hand" in line for line in lines) == 2
        assert all(len(line) <= width for line in lines)


def test_any_question_is_answered_in_eighty_columns(kept: Path, cli: CommandLine) -> None:
    for table in ("matches", "hands", "players"):
        out = cli(["hands", str(kept), f"select * from {table}", "--rows", "2"], width=80).printed
        assert all(len(line.rstrip()) <= 80 for line in out.splitlines())
        assert "betting" in out or table != "hands"  # a heading is never cut
        assert "duplicate" in out or table != "matches"


def test_a_board_of_the_lowest_card_is_shown() -> None:
    game = open_game("leduc")
    assert isinstance(game, PokerGame)
    end = game.start((2, 4, 0))
    for action in (CALL, CALL, CALL, CALL):
        end = game.child(end, action)
    hand: Any = SimpleNamespace(
        names=lambda _: ("Ann", "Bob"),
        game=lambda _: game,
        steps=lambda _: ([], end),
        cards=f"{game.text((2,))}|{game.text((4,))}/{game.text((0,))}",
        payoffs=(-1.0, 1.0),
    )
    match: Any = None
    (told,) = hand_scenes(match, hand)
    assert told.splitlines() == [
        f"  board {game.text((0,))}",
        f"  Ann: -1  {game.text((2,))}",
        f"  Bob: +1  {game.text((4,))}",
    ]
