"""The command `pokerlab size`."""

from __future__ import annotations

import pytest

from command_line import CommandLine
from published import sizes as published


def test_no_limit_from_options(cli: CommandLine) -> None:
    found = cli(["size", "holdem-nolimit", "--stack", "400", "--blinds", "1,2", "--json"]).json
    assert (int(found["states_exact"]), int(found["infosets_exact"])) == published.NO_LIMIT[400, 1, 2]
    assert [int(one["betting_exact"]) for one in found["by_round"]] == list(published.NO_LIMIT_BETTING[400, 1, 2])


def test_what_people_read(cli: CommandLine) -> None:
    out = cli(["size", "holdem-limit"]).printed
    assert "316 207 058 696 146 800" in out
    assert "3.162e17" in out
    assert "13 803 249 787 132" in out
    assert "preflop" in out
    assert "5,670" in out


def test_draw_poker_is_counted(cli: CommandLine) -> None:
    found = cli(["size", "five-card-draw(menu='min')", "--json"]).json
    assert found["how"] == "counted"
    assert int(found["by_round"][0]["canonical_infosets_exact"]) == found["by_round"][0]["betting"] * 134_459
    assert "infosets up to suits" in cli(["size", "five-card-draw"]).printed


def test_large_numbers_are_rounded(cli: CommandLine) -> None:
    out = cli(["size", "holdem-limit"]).printed
    assert "3.194e14" in out  # 319,365,922,522,608
    assert "88.3 EB" in out


def test_formulas_and_walks(cli: CommandLine) -> None:
    assert (
        int(cli(["size", "goofspiel(cards=7, play_last=true)", "--json"]).json["nodes_exact"])
        == published.GOOFSPIEL_7_HISTORIES
    )
    assert cli(["size", "ace-king", "--json"]).json["how"] == "walked"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["holdem-nolimit", "--stack", "-5"], "stack"),
        (["five-card-draw(players=3)"], "nodes by random walks; its exact size is not known without walking"),
        (["phantom-tictactoe"], "more than the 1,000,000 nodes of --most-nodes"),
        (["holdem-nolimit", "--stack", "lots"], "--stack must be whole numbers"),
        (["holdem-nolimit", "--blinds", "1,,x"], "--blinds must be whole numbers"),
        (["holdem-nolimit", "--stack", "9" * 50], "--stack must be whole numbers"),
        (["leduc", "--stack", "100"], "does not take"),
        (["phantom-tictactoe", "--most-nodes", "100"], "more than the 100 nodes of --most-nodes"),
        (["holdem-nolimt"], "did you mean holdem-nolimit"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], reason: str, cli: CommandLine) -> None:
    assert reason in cli(["size", *words]).refusal
