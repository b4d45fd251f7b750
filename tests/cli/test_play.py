"""A person at the terminal, by script: the hand is played, kept, and can be left at any time."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from pokerlab.cli import main


def play(words: list[str], typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr(sys, "argv", ["pokerlab", "play", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    return capsys.readouterr().out


def test_a_hand_is_played_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "hands.log"
    words = ["holdem-nolimit", "--against", "always-call", "--seed", "3", "--log", str(log)]
    out = play(words, "r 3bb\nc\npot\nc\n" + "c\n" * 20 + "q\n", monkeypatch, capsys)
    assert "you raise to 300" in out
    assert "always-call calls 200" in out
    assert "you bet 600" in out
    assert "hand 2" in out
    lines = log.read_text().splitlines()
    assert lines[0].startswith("STATE:0:cr300c/cc/r900c/")
    assert lines[0].endswith(":you|always-call")


def test_leaving_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "hands.log"
    for typed in ("q\n", ""):
        out = play(["leduc", "--against", "random", "--seed", "3", "--log", str(log)], typed, monkeypatch, capsys)
        assert "no hand was finished" in out
        assert not log.exists()


def test_json_and_a_number_of_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["kuhn", "--against", "random", "--seed", "3", "--hands", "4", "--json", "--log", str(tmp_path / "log")]
    result = json.loads(play(words, "c\n" * 30, monkeypatch, capsys))
    assert result["hands"] == 4
    assert (tmp_path / "log").read_text().count("STATE:") == 4


def test_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "five-card-draw",
        "--against",
        "always-call",
        "--seed",
        "5",
        "--hands",
        "1",
        "--log",
        str(tmp_path / "log"),
    ]
    out = play(words, "c\npat\nc\nc\npat\nc\nc\n", monkeypatch, capsys)
    assert "you stand pat" in out
    assert "hands are kept in" in out
