"""The command `pokerlab range`."""

from __future__ import annotations

import pytest

from command_line import CommandLine


def test_json_says_what_a_range_holds(cli: CommandLine) -> None:
    result = cli(["range", "22+, A2s+, KdQh:0.5", "--board", "Td7s2c", "--json"]).json
    assert result["range"] == "22+,A2s+,KdQh:0.5"
    assert result["combos"] == 10 * 6 + 3 * 3 + 12 * 4 - 3 + 0.5
    assert result["possible"] == 49 * 48 // 2
    assert result["grid"][0][0] == 1
    assert result["grid"][12][12] == 1  # of the deuces that are left
    assert result["grid"][2][1] == 0.5 / 12


def test_the_grid_is_printed(cli: CommandLine) -> None:
    lines = cli(["range", "QQ+,AKs:0.5"]).printed.splitlines()
    assert lines[1].startswith("AA █ AKs▅ ·")
    assert "20 of 1,326 hands, 1.51 %" in lines[-2]
    assert lines[-1] == "QQ+,AKs:0.5"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["AAs"], "neither suited nor offsuit"),
        ([""], "empty"),
        (["é" * 10_000], "not a rank"),
        (["AA", "--board", "Zz"], "not a rank"),
        (["AA", "--board", "2c3c4c5c6c7c"], "at most five"),
    ],
)
def test_bad_input_is_refused(words: list[str], reason: str, cli: CommandLine) -> None:
    error = cli(["range", *words]).refusal
    assert reason in error
    assert len(error) < 500


@pytest.mark.parametrize("program", ["pio", "gto+", "equilab", "vector"])
def test_a_range_is_printed_for_other_programs_and_read_back(program: str, cli: CommandLine) -> None:
    held = "top 12.5%, [35]76s,K♦Q♥[/35]"
    written = cli(["range", held, "--as", program], width=60).printed
    assert written.count("\n") == 1
    expected = cli(["range", held, "--json"]).json
    assert cli(["range", written, "--json"]).json == expected
    told = cli(["range", held, "--as", program, "--json"]).json
    assert (told["as"], told["written"]) == (program, written.strip())


def test_another_program_is_refused(cli: CommandLine) -> None:
    assert "cannot write ranges for 'excel'" in cli(["range", "AA", "--as", "excel"]).refusal
