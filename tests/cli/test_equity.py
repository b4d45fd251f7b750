"""The command `pokerlab equity`."""

from __future__ import annotations

import signal

import pytest

from command_line import CommandLine
from pokerlab.cli._progress import ProgressBar
from pokerlab.events import Event


def test_json_is_one_object(cli: CommandLine) -> None:
    result = cli(["equity", "AhKh", "2c2d", "--json"]).json
    first, second = result["ranges"]
    assert (first["range"], first["wins"], first["ties"], first["losses"]) == ("AhKh", 852_207, 10_775, 849_322)
    assert first["equity_exact"] == "1715189/3424608"
    assert second["wins"] == first["losses"]
    assert (result["exact"], result["deals"], result["seed"]) == (True, 1_712_304, None)


def test_json_of_random_deals(cli: CommandLine) -> None:
    outputs = []
    for _ in range(2):
        words = [
            "AKs,QQ+",
            "random",
            "--board",
            "Td7s2c",
            "--dead",
            "As",
            "--samples",
            "50000",
            "--seed",
            "9",
            "--json",
        ]
        outputs.append(cli(["equity", *words]).json)
    assert outputs[0]["ranges"] == outputs[1]["ranges"]
    assert outputs[0]["seed"] == 9
    assert outputs[0]["ranges"][0]["standard_error"] > 0
    assert outputs[0]["ranges"][0]["equity_exact"] is None


def test_the_table_says_how_and_why(cli: CommandLine) -> None:
    output = cli(["equity", "AsAc", "2d3d", "--board", "4d5dKs"]).printed
    assert "50.6061 %" in output
    assert "board 4d5dKs" in output
    assert "exact: every board counted (990 deals)" in " ".join(output.split())
    output = " ".join(cli(["equity", "AA", "random", "--samples", "1000"]).printed.split())
    assert "sampled" in output
    assert "±" in output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["AhKh"], "at least two"),
        (["AhKh", "AhQh"], "Ah is in both"),
        (["AA", ""], "empty"),
        (["AA", "♠" * 10_000], "not a rank"),
        (["AA", "../../etc/passwd"], "not a rank"),
        (["AA", "KK", "--board", "9x"], "not a suit"),
        (["AA", "KK", "--samples", "-5"], "samples"),
        (["AA", "KK", "--samples", "many"], "valid int"),
        (["AA", "KK", "--exact", "--seconds", "1"], "leave out"),
    ],
)
def test_bad_input_is_refused(words: list[str], reason: str, cli: CommandLine) -> None:
    assert reason in " ".join(cli(["equity", *words]).refusal.split())


def test_ctrl_c_reports_what_was_dealt(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(bar: ProgressBar, event: Event) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ProgressBar, "__call__", interrupt)
    found = cli(["equity", "AA", "KK", "random", "--samples", "100000000", "--json"]).json
    assert found["interrupted"] is True
    assert found["deals"] == 32_768
    assert 0 < found["ranges"][0]["standard_error"] < 0.01
    assert "interrupted: sampled" in cli(["equity", "AA", "KK", "random", "--samples", "100000000"]).printed


def test_sentences_in_good_grammar(cli: CommandLine) -> None:
    assert "(1 deal);" in " ".join(cli(["equity", "AhKh", "2c2d", "--board", "Td7s2h3c4d"]).printed.split())
    out = " ".join(cli(["equity", "AhKh", "random", "--board", "Td7s2c", "--seconds", "0.0001"]).printed.split())
    assert "would take less than 0.1 s, more than the 0.0001 s allowed" in out
    assert "'x' is not a suit (cdhs)" in cli(["equity", "2c2x", "3h3d"]).refusal


def test_counted_deals_are_whole_numbers(cli: CommandLine) -> None:
    assert isinstance(cli(["equity", "AhKh", "2c2d", "--board", "Td7s2h", "--json"]).json["deals"], int)
