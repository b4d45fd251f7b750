"""The memory of a training: no more than it states, and what does not fit is left out without losing anything."""

from __future__ import annotations

import gc
import math
import tracemalloc
import weakref
from pathlib import Path
from typing import Any

import pytest

from pokerlab import store
from pokerlab.errors import Notice
from pokerlab.events import Event
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve import solving, training, training_memory
from pokerlab.solvers.core.run import Stop
from pokerlab.strategy.files.solution_file import load

STATED = 1.3  # the peak may be this many times what is stated


@pytest.fixture(autouse=True)
def _notices_are_given_again() -> None:
    store.notify.cache_clear()


def test_training_checkpoints_and_measuring_together_take_what_is_stated(tmp_path: Path) -> None:
    training.train("leduc", iterations=2_000, save=tmp_path / "a")  # so that the program itself is loaded
    built = training.build_form(training.abstracted("rhode-island(ranks=9)", None))
    stop, events = Stop(iterations=2_000), list[Event]()
    stated = training_memory.training_memory(built.form, stop)  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        running = training.start(built)
        training.run(running, stop, save=tmp_path / "a", on_progress=events.append, checkpoint_seconds=0.1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    checkpoints = [event for event in events if isinstance(event.payload, training.TrainingProgress)]
    assert len(checkpoints) >= 2
    assert stated.training < peak < STATED * (stated.total - training_memory.PROGRAM)


def test_a_measure_that_does_not_fit_is_left_out_and_the_training_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_memory, "available_memory", lambda: 1e4)
    with pytest.warns(Notice) as notices:
        found = training.train("leduc", iterations=2_000, seed=1, save=tmp_path / "a.blueprint")
    sentences = [str(one.message) for one in notices]
    assert any("the exploitability of leduc is not measured while training" in one for one in sentences), sentences
    assert any("do not compare leduc with the strategy before" in one for one in sentences), sentences
    assert math.isnan(found.exploitability)
    assert load(tmp_path / "a.blueprint").iterations == 2_000
    monkeypatch.undo()
    verified = verify(tmp_path / "a.blueprint")  # measures it, and finds no contradiction
    assert verified.matches
    assert verified.measure.is_known
    whole = training.train("leduc", iterations=2_000, seed=1)  # the strategy is the same
    assert (whole.strategy.numbers[1] == found.strategy.numbers[1]).all()


def test_memory_that_runs_out_while_measuring_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = training.start(training.build_form(training.abstracted("leduc", None)))

    def refuse() -> None:
        raise MemoryError

    monkeypatch.setattr(running.solver, "measure", refuse)
    with pytest.warns(Notice, match="not enough memory to measure the exploitability of leduc"):
        training.run(running, Stop(iterations=3_000), save=tmp_path / "a.blueprint")
    assert load(tmp_path / "a.blueprint").iterations == 3_000


def test_a_resumed_training_does_not_hold_the_arrays_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be gigabytes, and the solver has its own."""
    training.train("leduc", iterations=2_000, save=tmp_path / "a.blueprint")
    states = []

    def remembering(*args: Any, **more: Any) -> Any:
        solution = load(*args, **more)
        states.extend(weakref.ref(array) for array in solution.state.values())
        return solution

    monkeypatch.setattr(solving, "load", remembering)
    running = solving.reopened(tmp_path / "a.blueprint")
    gc.collect()
    assert len(states) > 1
    assert [state() for state in states] == [None] * len(states)
    assert running.solver.iterations == running.earlier.iterations == 2_000


def test_a_short_run_does_not_wait_for_a_slow_measure() -> None:
    """Building the 3.5 million histories of this game takes most of a minute."""
    built = training.build_form(training.abstracted("small-draw", None))
    with pytest.warns(Notice, match=r"small-draw is not measured in so short a run: its 3\.54 million histories"):
        found = training.run(training.start(built), Stop(iterations=50))
    assert math.isnan(found.exploitability)
    assert found.seconds < training_memory.SLOW
    by_seconds = {
        seconds: training_memory.training_memory(built.form, Stop(seconds=seconds)).measures  # type: ignore[arg-type]
        for seconds in (60, 600)  # a measure must not take most of the time that was given for training
    }
    assert by_seconds == {60: False, 600: True}
