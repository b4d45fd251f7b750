"""The lines that a training prints."""

from __future__ import annotations

from io import StringIO
from types import SimpleNamespace
from typing import Any

from rich.console import Console

from pokerlab.display.solve.solution import HEADING, ProgressPrinter
from pokerlab.lab.solve.training import TrainingProgress
from pokerlab.solvers.bucketed.playing import TrainingSnapshot


def test_speed_is_that_since_the_last_line() -> None:
    screen = Console(width=120, file=StringIO(), record=True)
    form: Any = SimpleNamespace()
    printer = ProgressPrinter(screen, form)
    printer.line(TrainingProgress(6000, 3.0, 90_000, TrainingSnapshot(0.995, 0.25)))
    printer.line(TrainingProgress(7000, 7.0, 99_000, TrainingSnapshot(1.0, None, 0.5, 0.125, 0.0625)))
    heading, first, second = screen.export_text().splitlines()
    assert heading == HEADING
    assert first.split()[2:] == ["6,000", "2,000", "99.5%", "0.25"]
    words = "7,000 250 100.0% +0.5 ± 0.12 chips a hand 0.0625 left to gain inside the abstraction"
    assert " ".join(second.split()[2:]) == words
