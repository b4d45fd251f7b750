"""Long jobs that another thread cancels: they stop promptly, save, and resume to the result of one long run."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab
from pokerlab.agents.library.always_call import AlwaysCall
from pokerlab.errors import BadFile
from pokerlab.events import Cancelled, CancelToken, Event, Watch
from pokerlab.lab.play.playing import run_match
from pokerlab.lab.solve import training
from pokerlab.lab.spots.board_list import read_boards
from pokerlab.lab.spots.boards import read_table, report
from pokerlab.lab.tournament.endgame import read_setting
from pokerlab.lab.tournament.endgame_three import Plan, solve_three
from pokerlab.match.run.match import MatchSettings
from pokerlab.papers import _sampling_runs, goykhman
from pokerlab.papers._goykhman import runs
from pokerlab.strategy.files.solution_file import load

PROMPT = 5.0  # seconds, on a machine that does other things as well
ENDLESS = 10**12


@contextmanager
def cancelled_after(seconds: float = 0.0, *, seen: Callable[[Event], bool] | None = None) -> Iterator[dict[str, Any]]:
    """Options of a job that a second thread cancels: some seconds after its start or an event, or at once at an event,
    which then waits for it."""
    token, ready, asked = CancelToken(), threading.Event(), []

    def report(event: Event) -> None:
        if seen is not None and seen(event) and not token.cancelled:
            ready.set()
            while not seconds and not token.cancelled:
                time.sleep(0.001)

    def cancel() -> None:
        if seen is not None:
            ready.wait(60)
        time.sleep(seconds)
        asked.append(time.perf_counter())
        token.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    yield {"on_progress": report, "cancel": token}
    thread.join()
    assert time.perf_counter() - asked[0] < PROMPT


def running(event: Event) -> bool:
    """Whether a run has begun, and nothing is compiled any more."""
    return event.unit == "iterations" and event.done > 10


def assert_same_state(one: Any, other: Any) -> None:
    assert one.iterations == other.iterations
    assert one.measure == other.measure
    assert one.state.keys() == other.state.keys()
    for name, array in one.state.items():
        assert np.array_equal(array, other.state[name]), name


@pytest.mark.parametrize("algorithm", ["dcfr", "external"])
def test_solve(algorithm: str, tmp_path: Path) -> None:
    file = tmp_path / "a.solution"
    with cancelled_after(0.3, seen=running) as options:
        found = pokerlab.solve("kuhn", algorithm=algorithm, iterations=ENDLESS, save=file, **options)
    assert found.stopped == "interrupted"
    assert load(file).iterations == found.iterations
    more = found.iterations + 50
    assert_same_state(
        pokerlab.resume(file, iterations=more), pokerlab.solve("kuhn", algorithm=algorithm, iterations=more)
    )


def test_resume_and_solve_before_they_begin(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):  # while the form is built: there is nothing to save
        pokerlab.solve("kuhn", iterations=50, cancel=token, save=tmp_path / "a.solution")
    with pytest.raises(BadFile):
        load(tmp_path / "a.solution")
    pokerlab.solve("kuhn", iterations=5, save=tmp_path / "a.solution")
    assert pokerlab.resume(tmp_path / "a.solution", iterations=50, cancel=token).stopped == "interrupted"
    assert_same_state(pokerlab.resume(tmp_path / "a.solution", iterations=50), pokerlab.solve("kuhn", iterations=50))


def test_ctrl_c_sets_the_token_of_a_run() -> None:
    token = CancelToken()

    def press(event: Event) -> None:
        if (event.job, event.done) == ("solve", 5):
            signal.raise_signal(signal.SIGINT)

    assert pokerlab.solve("kuhn", iterations=ENDLESS, on_progress=press, cancel=token).stopped == "interrupted"
    assert token.cancelled


def test_train(tmp_path: Path) -> None:
    file = tmp_path / "a.blueprint"
    with cancelled_after(0.2, seen=running) as options:
        found = training.train("kuhn", iterations=ENDLESS, save=file, seed=3, **options)
    assert found.stopped == "interrupted"
    more = found.iterations + 1000
    assert_same_state(pokerlab.resume(file, iterations=more), training.train("kuhn", iterations=more, seed=3))


def test_compare() -> None:
    with cancelled_after(seen=lambda event: event.message.startswith("dcfr") and event.done >= 3) as options:
        found = pokerlab.compare("kuhn", ["cfr", "dcfr", "pcfr+"], iterations=40, **options)
    assert (list(found.solutions), found.not_run) == (["cfr", "dcfr"], ("pcfr+",))
    assert found.interrupted


def test_exploit_returns_the_points_so_far() -> None:
    started: list[int] = []

    def seen(event: Event) -> bool:  # the first iteration of the fifth restricted game
        started.extend([1] if event.done == 1 else [])
        return len(started) == 5

    points = [0.1, 0.3, 0.5, 0.7]
    with cancelled_after(seen=seen) as options:
        found = pokerlab.exploit("kuhn", "random", p=0.1, points=points, algorithm="dcfr", iterations=300, **options)
    assert found.interrupted
    whole = pokerlab.exploit("kuhn", "random", p=0.1, points=points, algorithm="dcfr", iterations=300)
    assert 0 < len(found.curve) < len(whole.curve)
    for one, other in zip(found.curve, whole.curve, strict=False):
        assert (one.p, one.wins, one.loses) == (other.p, other.wins, other.loses)


def test_match(tmp_path: Path) -> None:
    settings = MatchSettings.of("leduc", ["formula", "random"], hands=400, duplicate=True, seed=9, block=20)
    with cancelled_after(seen=lambda event: event.done >= 80) as options, pytest.raises(Cancelled):
        run_match(settings, workers=1, out=tmp_path / "m.duckdb", **options)
    resumed: list[Event] = []
    again = run_match(settings, workers=1, out=tmp_path / "m.duckdb", resume=True, on_progress=resumed.append)
    whole = run_match(settings, workers=1)
    assert [event.done for event in resumed][-1] == 400
    assert (again.summaries, again.positions) == (whole.summaries, whole.positions)


class Sleeper(AlwaysCall):
    """Calls, slowly."""

    def act(self, view: Any, rng: np.random.Generator) -> Any:
        time.sleep(0.02)
        return super().act(view, rng)


def test_match_stops_between_two_hands() -> None:
    settings = MatchSettings.of("kuhn", [Sleeper(), Sleeper()], hands=10_000, block=10_000)
    with cancelled_after(0.3) as options, pytest.raises(Cancelled):
        run_match(settings, workers=1, **options)


SEAT = {"range": "22+,A2s+,K9s+,QTs+,ATo+", "bet": "50%,allin", "raise": "allin"}
SPOT: dict[str, Any] = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 200, "out_of_position": SEAT, "in_position": SEAT}
BOARDS = read_boards("Ks7h2d5c9s:3, Qs7h2d5c9s, AsKhQdJcTs")


def test_report_over_boards(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    with cancelled_after(seen=lambda event: event.done == 1) as options, pytest.raises(Cancelled):
        report(SPOT, BOARDS, out=out, iterations=20, **options)
    assert [row["board"] for row in read_table(out)] == [BOARDS[0].board]
    again, whole = report(SPOT, BOARDS, out=out, iterations=20), report(SPOT, BOARDS, iterations=20)
    for row, other in zip(again, whole, strict=True):
        assert {**row, "seconds": 0.0} == {**other, "seconds": 0.0}


@pytest.mark.parametrize("workers", [1, 2])
def test_report_in_the_middle_of_a_board(workers: int, tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    with cancelled_after(1.0) as options, pytest.raises(Cancelled):
        report(SPOT, BOARDS, out=out, iterations=ENDLESS, workers=workers, **options)
    assert not out.exists()


def test_three_players_end_with_the_last_whole_round(tmp_path: Path) -> None:
    setting = read_setting(chips=1200, blinds="300,600", payouts="50,30,20")
    plan, kept = Plan(iterations=4, rounds=2, target_percent=0.0), tmp_path / "a.endgame"
    with cancelled_after(seen=lambda event: event.message.startswith("round 2")) as options:
        found = solve_three(setting, plan, save=kept, **options)
    assert found.interrupted
    assert len(found.rounds) == 1
    resumed = solve_three(setting, Plan(iterations=4, rounds=1, target_percent=0.0), save=kept, resume=kept)
    whole = solve_three(setting, plan)
    assert np.array_equal(resumed.profile, whole.profile)
    assert np.array_equal(resumed.values, whole.values)


def test_a_paper_stops() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goykhman, "QUICK", runs.SMALL)  # minutes
        with cancelled_after(1.0) as options, pytest.raises(Cancelled):
            goykhman.paper(quick=True, seed=7, **options)


def test_a_paper_resumes_with_its_finished_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    settings: dict[str, Any] = {"seeds": [1, 2], "budget": 20_000.0, "keep": True}
    with cancelled_after(seen=lambda event: event.done > 0) as options, pytest.raises(Cancelled):
        _sampling_runs.compare("kuhn", **settings, watch=Watch("paper", **options))
    finished = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.safetensors")}
    assert finished
    again = _sampling_runs.compare("kuhn", **settings, watch=Watch())
    assert all(path.stat().st_mtime_ns == before for path, before in finished.items())
    whole = _sampling_runs.compare("kuhn", **settings | {"keep": False}, watch=Watch())
    for one, other in zip(again.curves, whole.curves, strict=True):
        assert np.array_equal(one.nodes, other.nodes)
        assert np.array_equal(one.exploitability, other.exploitability)
