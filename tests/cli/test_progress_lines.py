"""What long commands print where standard error is no terminal: a line every few seconds, event or not."""

from __future__ import annotations

import re
import time

import pytest
from tests.command_line import CommandLine

from pokerlab.cli import _progress
from pokerlab.cli._progress import ProgressBar
from pokerlab.events import Event


@pytest.fixture(autouse=True)
def _lines_come_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "BETWEEN_LINES", 0.01)


def test_lines_are_printed_without_any_event_and_with_the_latest_one(capsys: pytest.CaptureFixture[str]) -> None:
    def printed() -> list[str]:
        time.sleep(0.2)
        return capsys.readouterr().err.splitlines()

    with ProgressBar("a large [spot]") as bar:
        lines = printed()
        assert len(lines) > 1  # one iteration may take minutes
        assert all(re.fullmatch(r"a large \[spot\]: \d+ s", line) for line in lines), lines
        bar(Event("solve", 20, 80, 30.0, "boards", "turn"))
        assert re.fullmatch(r"a large \[spot\]: \d+ s  20/80 boards  turn", printed()[-1])
    capsys.readouterr()
    assert printed() == []  # the thread has ended


def test_measuring_says_what_it_is_doing(cli: CommandLine) -> None:
    answer = cli(["measure", "leduc(ranks=6)", "formula", "--json"])
    assert answer.json["game"] == "leduc(ranks=6)"  # standard output has the result alone
    stages = {line.partition(":")[0] for line in answer.error.splitlines()}
    assert any(stage.startswith("looking up the strategy at each of") for stage in stages), stages
    assert not any("0 nodes" in line for line in answer.error.splitlines())
