"""What long commands print: on a terminal a bar, elsewhere a line every few seconds, event or not."""

from __future__ import annotations

import io
import re
import sys
import time

import numba
import pytest
from tests.command_line import CommandLine

from pokerlab.cli import _progress
from pokerlab.cli._output import announcing_compilation, note
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


class Terminal(io.StringIO):
    """Standard error as a terminal: `shown` are its lines, after rewriting lines as the bars do."""

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> list[str]:
        lines, at = [""], 0
        for part in re.split(r"(\x1b\[[?\d;]*[A-Za-z]|\r|\n)", self.getvalue()):
            if part == "\n":
                at += 1
                lines += [""] * (at + 1 - len(lines))
            elif part.endswith("A") and part.startswith("\x1b"):
                at -= int(part[2:-1])
            elif part in ("\r", "\x1b[2K"):
                lines[at] = ""
            elif not part.startswith("\x1b"):
                lines[at] += part
        return [line.rstrip() for line in lines if line.strip()]


def compile_something() -> None:
    numba.njit(lambda number: number + 1)(1)


def test_notes_and_compilation_do_not_disturb_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with announcing_compilation():
        compile_something()
        time.sleep(0.3)
        assert "compiling kernels: 1" in terminal.getvalue()
        with ProgressBar("a spot"):
            time.sleep(0.3)
            note("the public form is used")
            compile_something()
            time.sleep(0.3)
            announced, noted, bar = terminal.shown
    assert announced.startswith("compiling kernels, once")
    assert noted == "the public form is used"
    assert bar.startswith("a spot ━")
    assert terminal.shown == [announced, noted]
