"""The vonneumann command."""

import pytest

from command_line import CommandLine


def test_json_holds_exact_fractions(cli: CommandLine):
    found = cli(["vonneumann", "--ante", "8", "--bet", "1", "--json"]).json
    assert (found["x1_exact"], found["value_exact"]) == ("8/297", "64/297")
    assert (found["x1"], found["value"]) == (8 / 297, 64 / 297)
    assert found["family"][-1]["dealer"] == "25/297-1"


def test_margins_at_any_hand(cli: CommandLine):
    """At x1 and x2 the equilibrium Player is indifferent, and between them the equilibrium Dealer is."""
    found = cli(["vonneumann", "--at", "1/9, 7/9, 1/2", "--json"]).json
    assert {one["hand_exact"]: one["value_exact"] for one in found["e1"]["at"]} == {
        "1/9": "0",
        "7/9": "0",
        "1/2": "-7/9",
    }
    assert [one["value"] for one in found["e1"]["at"]] == [0, 0, -7 / 9]
    assert {one["value"] for one in found["e2"]["at"]} == {0}
    assert cli(["vonneumann", "--at", "3/2"]).code == 2


def test_checks_and_draws(tmp_path, cli: CommandLine):
    done = cli(["vonneumann", "--bets", "0-1", "--calls", "1/9-7/9:1/3, 7/9-1", "--out", str(tmp_path / "drawn")])
    assert "an equilibrium strategy, dominated" in " ".join(done.printed.split())
    names = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert names == {"strategies.png", "strategies.svg", "margins.png", "margins.svg"}


@pytest.mark.parametrize(
    "arguments", [["--ante=-1"], ["--bet=0"], ["--bets", "5-6"], ["--calls", "\u00e4"], ["--family=1"]]
)
def test_bad_input_is_one_sentence(arguments, cli: CommandLine):
    assert cli(["vonneumann", *arguments]).refusal
