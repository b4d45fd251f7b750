"""The command `pokerlab strength`."""

from __future__ import annotations

import io
import sys

import pytest

from command_line import CommandLine
from naive import draws as naive
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.measures import hand_measures, preflop_strength
from pokerlab.cards.ranges import Range
from published.measures import EXAMPLE


def test_json_of_the_example(cli: CommandLine) -> None:
    result = cli(["strength", EXAMPLE["hole"], "--board", EXAMPLE["board"], "--json"]).json
    assert [result[name] for name in ("wins", "ties", "losses")] == [899, 6, 176]
    assert round(result["immediate"], 6) == EXAMPLE["immediate"]
    assert result["name"] == "a pair of tens"
    assert result["category"] == "pair"
    assert sum(result["histogram"]) == pytest.approx(1)
    measured = hand_measures(FULL_DECK.cards(EXAMPLE["hole"]), FULL_DECK.cards(EXAMPLE["board"]), lookahead=1)
    assert result["next_card"]["positive"] == measured.positive


def test_json_against_a_range(cli: CommandLine) -> None:
    words = ("7h6h", "--board", "8h5c2h Td", "--against", "TT+,AQ:0.5", "--bins", "4", "--json")
    result = cli(["strength", *words]).json
    weights = Range.parse("TT+,AQ:0.5").weights
    measured = hand_measures(FULL_DECK.cards("7h6h"), FULL_DECK.cards("8h5c2hTd"), weights=weights)
    assert result["effective"] == measured.effective
    assert result["histogram"] == measured.histogram(4).tolist()
    assert "next_card" not in result


def test_json_before_the_flop(cli: CommandLine) -> None:
    result = cli(["strength", "KhAh", "--json"]).json
    assert result["name"] == "AKs"
    assert result["rollout"] == preflop_strength().rollout[CLASS_NAMES.index("AKs")]


def test_json_before_the_flop_against_a_range(cli: CommandLine) -> None:
    result = cli(["strength", "AhKh", "--against", "2c2d", "--json"]).json
    assert result["name"] == "AKs"
    assert result["rollout"] == pytest.approx(1715189 / 3424608, abs=1e-12)  # as `pokerlab equity` has it
    assert "0.5008" in cli(["strength", "AhKh", "--against", "2c2d"]).printed


@pytest.mark.parametrize(
    ("words", "name", "number", "classes"),
    [
        (["AsKsQsJsTs"], "royal flush", 1, 7462),
        (["KsKdKc7h7d2c3s"], "full house, kings over sevens", 185, 7462),
        (["KsKd", "--board", "Kc7h7d", "--order", "high"], "full house, kings over sevens", 185, 7462),
        (["AsKsQs"], "straight flush, ace high", 1, 741),
        (["AsKsQs9s8s", "--order", "short-deck"], "flush, ace high", None, 1404),
        (["AsKsQs2d3d", "--order", "three-card"], "straight flush, ace high", 1, 741),
    ],
)
def test_whole_hands_in_any_order_of_hands(
    words: list[str], name: str, number: int | None, classes: int, cli: CommandLine
) -> None:
    result = cli(["strength", *words, "--json"]).json
    assert (result["name"], result["class_count"]) == (name, classes)
    assert number is None or result["class"] == number
    assert f": {name}, class {result['class']:,} of {classes:,}" in cli(["strength", *words]).printed


@pytest.mark.parametrize(("hand", "thrown"), [("7hKd2cKs7d", "2c"), ("8h2cKs8c8d", "2c")])
def test_five_cards_have_the_measures_of_draw_poker(hand: str, thrown: str, cli: CommandLine) -> None:
    """HS, PPOT and EHS as Ee's appendix C defines them, by looking at every opposing hand and every draw."""
    cards, discards = FULL_DECK.cards(hand), FULL_DECK.cards(thrown)
    result = cli(["strength", hand, "--json"]).json
    theirs, ours = naive.opposing_classes(cards)[0], naive.class_of(cards)
    assert (result["wins"], result["ties"]) == ((theirs > ours).sum(), (theirs == ours).sum())
    assert result["immediate"] == pytest.approx((result["wins"] + result["ties"] / 2) / 1_533_939)
    assert FULL_DECK.cards(result["discards"]) == discards
    assert result["positive"] == pytest.approx(naive.potential(cards, discards))
    assert result["effective"] == pytest.approx(result["immediate"] + (1 - result["immediate"]) * result["positive"])
    out = cli(["strength", hand]).printed
    for letters in ("HS", "PPOT", "EHS", "after the draw"):
        assert letters in out


def test_the_picture(cli: CommandLine) -> None:
    shown = cli(["strength", "TcJc", "--board", "2dTsKh"]).printed
    assert "T♣ J♣ on 2♦ T♠ K♥: a pair of tens, class" in shown
    assert "against random: beats 899, ties 6, loses to 176 of 1,081 hands" in shown
    for letters in ("IHR", "PPot", "NPot", "EHS", "7cHS", "E[HS²]", "0.8344"):
        assert letters in shown
    assert len([line for line in shown.splitlines() if "–" in line and line.strip()[0].isdigit()]) == 10


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["Ah"], "two cards, three, or five to seven, and 'Ah' has 1"),
        (["AhKhQhJh"], "and 'AhKhQhJh' has 4"),
        (["AhKhQhJhTh", "--against", "QQ+"], "leave out --against"),
        (["AhKhQhJhTh", "--order", "low"], "high, short-deck or three-card, not 'low'"),
        (["AhKhQhJh2h", "--order", "short-deck"], "2h is not in the deck of short-deck poker"),
        (["AhAh"], "the card Ah comes twice"),
        (["AhXh"], "'x' is not a rank"),
        (["AhKh", "--board", "Td7s"], "the board must have three to five cards, got 2"),
        (["AhKh", "--board", "Td7s2c3c4c5c"], "three to five cards, got 6"),
        (["AhKh", "--board", "Td7sAh"], "the card Ah comes twice"),
        (["AhKh", "--board", "Td7s2c", "--against", "ZZ"], "ZZ"),
        (["AhKh", "--board", "Td7s2c", "--against", "AhKh"], "can hold none of the hands"),
        (["AhKh", "--board", "Td7s2c", "--bins", "0"], "--bins"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], reason: str, cli: CommandLine) -> None:
    assert reason in cli(["strength", *words]).refusal


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_suits_gets_letters(
    encoding: str, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    assert cli(["strength", "AhKh", "--board", "Td7s2c"]).code == 0
    sys.stdout.flush()
    assert "Ah Kh on Td 7s 2c: ace high" in written.getvalue().decode(encoding)
