"""The run loop: it stops for the reason asked for, measures on a fixed grid, and is interrupted in good order."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.events import Event
from pokerlab.formats.opening import open_game
from pokerlab.solvers.core.run import Run, Stop, next_measure, run
from pokerlab.tree.history.layout import build
from pokerlab.tree.measure import Measure


def kuhn(algorithm: str = "dcfr") -> Any:
    return registry.load("algorithms", algorithm).start(build(open_game("kuhn")))


def test_stops_at_iterations_target_or_seconds() -> None:
    assert run(kuhn(), Stop(iterations=17)).last.iterations == 17
    done = run(kuhn(), Stop(target=1e-3, iterations=10**7))
    assert done.stopped == "target"
    assert done.last.measure.exploitability <= 1e-3
    assert run(kuhn(), Stop(seconds=0.05)).stopped == "seconds"
    assert run(kuhn("lp"), Stop(iterations=10**6)).stopped == "solved"


def test_curve_is_of_the_measurements() -> None:
    done = run(kuhn(), Stop(iterations=100), measure_every=30)
    assert [point[0] for point in done.curve] == [30, 60, 90, 100]
    assert done.curve[-1][2] == done.last.measure.exploitability
    assert [point[3] for point in done.curve] == [2 * 55 * at for at in (30, 60, 90, 100)]


def test_the_stopping_iteration_does_not_depend_on_where_a_run_was_cut() -> None:
    whole = run(kuhn(), Stop(target=1e-4))
    for cut in (1, 37, 90):
        solver = kuhn()
        run(solver, Stop(iterations=cut))
        assert run(solver, Stop(target=1e-4)).last.iterations == whole.last.iterations


def test_iterations_that_are_computed_together_are_not_divided() -> None:
    """But for a stop and a measurement."""
    solver, advanced = kuhn(), list[int]()
    advance, solver.together = solver.advance, 7
    solver.advance = lambda count: advanced.append(count) or advance(count)
    assert run(solver, Stop(iterations=150), measure_every=100).last.iterations == 150
    parts = [sum(advanced[: place + 1]) for place in range(len(advanced))]
    assert {100, 150} <= set(parts)
    within = [count for count, part in zip(advanced, parts, strict=True) if part not in (100, 150)]
    assert within
    assert not [count for count in within if count % 7]


def test_a_run_whose_work_is_done_does_no_more() -> None:
    done = run(kuhn(), Stop(iterations=30)).last
    again = kuhn()
    again.advance(30)
    found = run(again, Stop(iterations=30)).last
    assert (again.iterations, found.iterations, done.iterations) == (30, 30, 30)
    assert found.measure.exploitability == done.measure.exploitability


def test_grid_is_absolute() -> None:
    grid = [1]
    while grid[-1] < 3000:
        grid.append(next_measure(grid[-1], None))
    for iterations in range(1, 2000, 7):
        assert next_measure(iterations, None) == min(at for at in grid if at > iterations)


def test_an_interrupt_ends_the_run_with_whole_iterations() -> None:
    solver, events = kuhn(), []

    def interrupt(event: Event) -> None:
        events.append(event)
        if len(events) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    saved: list[int] = []
    done = run(
        solver,
        Stop(iterations=10**9),
        on_progress=interrupt,
        checkpoint=lambda state: saved.append(state.last.iterations),
    )
    assert done.stopped == "interrupted"
    assert done.last.fresh
    assert saved == [solver.iterations]
    twin = kuhn()
    twin.advance(solver.iterations)
    assert np.array_equal(twin.profile(), solver.profile())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("algorithm", ["dcfr", "external", "fictitious-play"])
def test_a_checkpoint_states_what_the_solver_is_at_that_moment(algorithm: str) -> None:
    """Measures fall on iterations 20, 40 ...; checkpoints, here after every advance, fall in between too."""
    solver, states = kuhn(algorithm), []

    def keep(state: Run) -> None:
        assert state.last.measure == solver.measure()
        assert state.last.measured_at == state.last.iterations == solver.iterations
        states.append(state)

    done = run(solver, Stop(iterations=47), measure_every=20, checkpoint=keep, checkpoint_seconds=0.0)
    assert [point[0] for point in done.curve] == [20, 40, 47]
    assert any(state.last.iterations not in (20, 40, 47) for state in states)
    assert {state.stopped for state in states[:-1]} == {"running"}
    assert states[-1].stopped == "iterations"
    for state in states:
        assert state.curve == [point for point in done.curve if point[0] <= state.last.iterations]
    plain = run(kuhn(algorithm), Stop(iterations=47), measure_every=20)
    assert plain.last.measure == done.last.measure


def test_ignored_interrupts_stay_ignored() -> None:
    """A job in the background is not ended by a Ctrl-C that was meant for another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    done = run(kuhn(), Stop(iterations=40), on_progress=lambda _: os.kill(os.getpid(), signal.SIGINT))
    assert (done.stopped, done.last.iterations) == ("iterations", 40)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.parametrize("settings", [{}, {"target": -1.0}, {"iterations": 0}, {"seconds": float("nan")}])
def test_bad_stops_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(BadSetting):
        Stop(**settings)


def test_a_state_that_is_no_number_any_more_is_not_told_as_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, kept = kuhn(), []
    sound = solver.measure

    def measure() -> Measure:
        return sound() if solver.iterations < 20 else Measure((np.nan, 0.0), (0.0, 0.0))

    monkeypatch.setattr(solver, "measure", measure)
    with pytest.raises(PokerlabError, match="became NaN after"):
        run(solver, Stop(iterations=100), measure_every=5, checkpoint=kept.append, checkpoint_seconds=0)
    assert kept
    assert all(np.isfinite(state.last.measure.exploitability) for state in kept)
