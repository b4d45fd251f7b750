"""The command `pokerlab preflop`."""

from __future__ import annotations

import json
import sys

import pytest

from pokerlab.cli import main


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pokerlab", "preflop", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_json_of_one_hand_against_each(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "aks", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["hand"] == "AKs"
    assert result["boards"] == 1_712_304
    assert round(result["equity"][result["classes"].index("QQ")], 5) == 0.46049


def test_grid_against_random(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch) == 0
    output = capsys.readouterr().out
    assert output.splitlines()[1].startswith("AA 85 AKs67 AQs66")
    assert max(map(len, output.splitlines())) <= 80
    assert "32o 32.3032 %" in " ".join(output.split())


def test_flop_poker(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "--flop", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["board_cards"], result["boards"], result["hand"]) == (3, 17_296, None)


@pytest.mark.parametrize("word", ["AKx", "é" * 5000, "AAs", "../../etc/passwd"])
def test_bad_hands_are_refused(word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, word) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "169 starting hands" in output.err
