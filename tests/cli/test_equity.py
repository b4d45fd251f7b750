"""The command `pokerlab equity`."""

from __future__ import annotations

import json
import sys

import pytest

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
