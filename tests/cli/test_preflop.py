"""The command `pokerlab preflop`."""

from __future__ import annotations

import pytest

from command_line import CommandLine


def test_json_of_one_hand_against_each(cli: CommandLine) -> None:
    result = cli(["preflop", "aks", "--json"]).json
    assert result["hand"] == "AKs"
    assert result["boards"] == 1_712_304
    assert round(result["equity"][result["classes"].index("QQ")], 5) == 0.46049


def test_grid_against_random(cli: CommandLine) -> None:
    output = cli(["preflop"], width=80).printed
    assert output.splitlines()[1].startswith("AA 85 AKs67 AQs66")
    assert max(map(len, output.splitlines())) <= 80
    assert "32o 32.3032 %" in " ".join(output.split())


def test_flop_poker(cli: CommandLine) -> None:
    result = cli(["preflop", "--flop", "--json"]).json
    assert (result["board_cards"], result["boards"], result["hand"]) == (3, 17_296, None)


@pytest.mark.parametrize("word", ["AKx", "é" * 5000, "AAs", "../../etc/passwd"])
def test_bad_hands_are_refused(word: str, cli: CommandLine) -> None:
    assert "169 starting hands" in cli(["preflop", word]).refusal
