"""What is printed and drawn of trainings, evolutions, and push or fold."""

from __future__ import annotations

from io import StringIO
from types import SimpleNamespace
from typing import Any

import numpy as np
from rich.console import Console

from pokerlab.display.preflop.push_fold import show_push_fold
from pokerlab.display.solve.evolution import series_figure
from pokerlab.display.solve.solution import HEADING, ProgressPrinter
from pokerlab.lab.preflop.push_fold import push_fold, stakes
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


def test_a_curve_of_evolution_shows_its_gaps() -> None:
    """Zero has no place on a scale of powers of ten: it is drawn far below the others."""
    evolution: Any = SimpleNamespace(
        form=SimpleNamespace(name="kuhn", money="chips"),
        fitness=(),
        curve=((1, 5e-8), (10, 2e-9), (20, 0.0)),
        unit="rounds",
        method="fictitious play",
    )
    (panel,) = series_figure(evolution).panels
    (line,) = panel.lines
    shown = np.asarray(line.y).tolist()
    assert shown[:2] == [5e-8, 2e-9]
    assert 0 < shown[2] < 1e-12


def test_evs_of_push_or_fold_are_those_of_the_blinds() -> None:
    screen = Console(width=120, file=StringIO(), record=True)
    show_push_fold(screen, push_fold(stakes(stack="3")), with_ev=True)
    told = screen.export_text()
    assert "EV of each hand that the small blind pushes with" in told
    assert "EV of each hand that the big blind calls a push with" in told
