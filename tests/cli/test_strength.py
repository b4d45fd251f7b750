"""The command `pokerlab strength`."""

from __future__ import annotations

import json
import sys

import pytest

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.measures import hand_measures, preflop_strength
from pokerlab.cards.ranges import CLASS_NAMES, Range
from pokerlab.cli import main
from published.measures import EXAMPLE


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pokerlab", *words])
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_json_of_the_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "strength", EXAMPLE["hole"], "--board", EXAMPLE["board"], "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert [result[name] for name in ("wins", "ties", "losses")] == [899, 6, 176]
    assert round(result["immediate"], 6) == EXAMPLE["immediate"]
    assert result["name"] == "a pair of tens"
    assert result["category"] == "pair"
    assert sum(result["histogram"]) == pytest.approx(1)
    measured = hand_measures(FULL_DECK.cards(EXAMPLE["hole"]), FULL_DECK.cards(EXAMPLE["board"]), lookahead=1)
    assert result["next_card"]["positive"] == measured.positive


def test_json_against_a_range(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("7h6h", "--board", "8h5c2h Td", "--against", "TT+,AQ:0.5", "--bins", "4", "--json")
    assert run(monkeypatch, "strength", *words) == 0
    result = json.loads(capsys.readouterr().out)
    weights = Range.parse("TT+,AQ:0.5").weights
    measured = hand_measures(FULL_DECK.cards("7h6h"), FULL_DECK.cards("8h5c2hTd"), weights=weights)
    assert result["effective"] == measured.effective
    assert result["histogram"] == measured.histogram(4).tolist()
    assert "next_card" not in result


def test_json_before_the_flop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "strength", "KhAh", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["name"] == "AKs"
    assert result["rollout"] == preflop_strength().rollout[CLASS_NAMES.index("AKs")]


def test_the_picture(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "strength", "TcJc", "--board", "2dTsKh") == 0
    shown = capsys.readouterr().out
    assert "T♣ J♣ on 2♦ T♠ K♥: a pair of tens, class" in shown
    assert "against random: beats 899, ties 6, loses to 176 of 1,081 hands" in shown
    for letters in ("IHR", "PPot", "NPot", "EHS", "7cHS", "E[HS²]", "0.8344"):
        assert letters in shown
    assert len([line for line in shown.splitlines() if "–" in line and line.strip()[0].isdigit()]) == 10


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["Ah"], "a hand has two cards, and 'Ah' has 1"),
        (["AhKhQh"], "a hand has two cards"),
        (["AhAh"], "the card Ah comes twice"),
        (["AhXh"], "'x' is not a rank"),
        (["AhKh", "--board", "Td7s"], "the board must have three to five cards, and here there are 2"),
        (["AhKh", "--board", "Td7s2c3c4c5c"], "three to five cards, and here there are 6"),
        (["AhKh", "--board", "Td7sAh"], "the card Ah comes twice"),
        (["AhKh", "--board", "Td7s2c", "--against", "ZZ"], "ZZ"),
        (["AhKh", "--board", "Td7s2c", "--against", "AhKh"], "can hold none of the hands"),
        (["AhKh", "--against", "QQ+"], "pokerlab equity"),
        (["AhKh", "--board", "Td7s2c", "--bins", "0"], "--bins"),
    ],
)
def test_bad_input_gets_a_sentence(
    words: list[str], reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "strength", *words) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert reason in error
    assert "Traceback" not in error
