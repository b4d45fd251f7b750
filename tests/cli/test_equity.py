"""The command `pokerlab equity`."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager

import pytest

from pokerlab.cli import equity as command
from pokerlab.cli import main


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pokerlab", "equity", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_json_is_one_object(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "AhKh", "2c2d", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    first, second = result["players"]
    assert (first["range"], first["wins"], first["ties"], first["losses"]) == ("AhKh", 852_207, 10_775, 849_322)
    assert first["fraction"] == "1715189/3424608"
    assert second["wins"] == first["losses"]
    assert (result["exact"], result["deals"], result["seed"]) == (True, 1_712_304, None)


def test_json_of_random_deals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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
        assert run(monkeypatch, *words) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0]["players"] == outputs[1]["players"]
    assert outputs[0]["seed"] == 9
    assert outputs[0]["players"][0]["standard_error"] > 0
    assert outputs[0]["players"][0]["fraction"] is None


def test_the_table_says_how_and_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "AsAc", "2d3d", "--board", "4d5dKs") == 0
    output = capsys.readouterr().out
    assert "50.6061 %" in output
    assert "board 4d5dKs" in output
    assert "exact: every board counted (990 deals)" in " ".join(output.split())
    assert run(monkeypatch, "AA", "random", "--samples", "1000") == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "by chance" in output
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
def test_bad_input_is_refused(
    words: list[str], reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert reason in " ".join(output.err.split())
    assert "Traceback" not in output.err


def test_ctrl_c_reports_what_was_dealt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    @contextmanager
    def impatient():
        def interrupt(share: float) -> None:
            raise KeyboardInterrupt

        yield interrupt

    monkeypatch.setattr(command, "_progress", impatient)
    assert run(monkeypatch, "AA", "KK", "random", "--samples", "100000000", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["interrupted"] is True
    assert found["deals"] == 32_768
    assert 0 < found["players"][0]["standard_error"] < 0.01
    assert run(monkeypatch, "AA", "KK", "random", "--samples", "100000000") == 0
    assert "interrupted: by chance" in capsys.readouterr().out


def test_sentences_in_good_grammar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "AhKh", "2c2d", "--board", "Td7s2h3c4d") == 0
    assert "(1 deal);" in " ".join(capsys.readouterr().out.split())
    assert run(monkeypatch, "AhKh", "random", "--board", "Td7s2c", "--seconds", "0.0001") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "would take less than 0.1 s, more than the 0.0001 s allowed" in out
    assert run(monkeypatch, "2c2x", "3h3d") == 2
    assert "'x' is not a suit (cdhs)" in capsys.readouterr().err


def test_counted_deals_are_whole_numbers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "AhKh", "2c2d", "--board", "Td7s2h", "--json") == 0
    assert isinstance(json.loads(capsys.readouterr().out)["deals"], int)
