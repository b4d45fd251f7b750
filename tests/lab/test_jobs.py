"""Jobs: paused, resumed to the same result, interrupted and listed again; owners apart; names of the library alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.formats.spot_file import read_file
from pokerlab.lab.jobs.kinds import SOLUTION, checked_spot, opened_agent
from pokerlab.lab.jobs.names import NEVER, checked_name, library_names
from pokerlab.lab.jobs.queue import MOST_EXTRA, MOST_WAITING, JobQueue
from pokerlab.lab.jobs.record import FAILED, FINISHED, INTERRUPTED, PAUSED, RUNNING, JobFolder, JobShelf
from pokerlab.lab.jobs.worker import run_job
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.files.solution_file import load

ROOT = Path(__file__).parents[2]


def until(shelf: JobShelf, job_id: str, *, seconds: float = 60.0) -> Any:
    """Wait until a job is no longer active."""
    end = time.monotonic() + seconds
    while shelf.get(job_id).is_active and time.monotonic() < end:
        time.sleep(0.03)
    return shelf.get(job_id)


def test_a_paused_job_resumes_to_the_result_of_one_run(tmp_path: Path) -> None:
    shelf, queue = JobShelf(tmp_path), JobQueue(slots=1)
    settings = {"spot": read_file(ROOT / "examples" / "river.toml"), "target": "0.0001%", "iterations": None}
    job = queue.submit(shelf, "spot", "river", settings)
    while shelf.get(job.id).state != RUNNING or not shelf.folder(job.id).progress()[0]:
        time.sleep(0.02)
    queue.end(shelf, job.id, state=PAUSED)
    paused = until(shelf, job.id)
    assert paused.state == PAUSED
    reached = paused.summary["iterations"]
    queue.resume(shelf, job.id, target=None, iterations=reached + 40)
    done = until(shelf, job.id)
    assert (done.state, done.summary["iterations"]) == (FINISHED, reached + 40)
    direct = solve(settings["spot"], iterations=reached + 40)
    resumed = load(shelf.folder(job.id).file(SOLUTION))
    assert resumed.measure == direct.measure
    points = [line["point"][0] for line in shelf.folder(job.id).progress()[0] if "point" in line]
    assert points[-1] == reached + 40
    assert shelf.folder(job.id).result()["curve"][-1][0] == reached + 40


def test_jobs_of_an_ended_process_are_interrupted_and_owners_are_apart(tmp_path: Path) -> None:
    mine, theirs = JobShelf(tmp_path / "mine"), JobShelf(tmp_path / "theirs")
    job = mine.add("spot", "left over", {})
    mine.update(job.id, state=RUNNING)
    queue = JobQueue(slots=1)
    assert [one.state for one in queue.jobs(mine)] == [INTERRUPTED]
    assert queue.jobs(theirs) == []
    for wrong in (job.id, "../mine/" + job.id, "", "x" * 12, "0" * 13):
        with pytest.raises(PokerlabError):
            theirs.get(wrong)
    (mine.folder(job.id).path / "job.json").write_text("{")
    assert mine.jobs() == []
    waiting = JobQueue(slots=0)
    for _ in range(MOST_WAITING):
        waiting.submit(theirs, "solve", "kuhn", {"game": "kuhn"})
    with pytest.raises(BadSetting, match="20 jobs are waiting"):
        waiting.submit(theirs, "solve", "kuhn", {"game": "kuhn"})
    waiting.end(theirs, theirs.jobs()[0].id)
    waiting.submit(theirs, "solve", "kuhn", {"game": "kuhn"})
    waiting.close()
    assert INTERRUPTED in {one.state for one in theirs.jobs()}


def test_nobodys_long_job_stops_anothers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JobQueue, "_run", lambda *_: None)  # a job that never ends
    queue, owners = JobQueue(slots=1), [JobShelf(tmp_path / name) for name in "abcdef"]
    for owner in owners:
        for _ in range(2):
            queue.submit(owner, "solve", "kuhn", {"game": "kuhn"})
    running = [one.shelf.path for one in queue._running.values()]
    assert running == [owner.path for owner in owners[: 1 + MOST_EXTRA]]


def test_the_latest_event_is_read_from_the_end(tmp_path: Path) -> None:
    folder = JobFolder(tmp_path)
    assert folder.latest() == {}
    for number in range(3000):
        folder.add_progress({"done": number, "message": "x" * 50})
    assert folder.latest()["done"] == 2999
    with folder.file("progress.jsonl").open("a") as file:
        file.write('{"done": 30')  # being written
    assert folder.latest()["done"] == 2999


@pytest.mark.parametrize(
    ("kind", "settings", "key"),
    [
        ("solve", {"game": "kuhn", "algorithm": "cfr+", "iterations": 20}, "curve"),
        ("compare", {"game": "kuhn", "algorithms": ["cfr", "dcfr"], "iterations": 10}, "results"),
        ("match", {"game": "kuhn", "agents": ["formula", "random"], "hands": 40, "duplicate": True}, "agents"),
        ("tournament", {"game": "kuhn", "agents": ["formula", "random", "always-call"], "hands": 20}, "bankroll"),
    ],
)
def test_kinds_leave_their_results(kind: str, settings: dict[str, Any], key: str, tmp_path: Path) -> None:
    shelf = JobShelf(tmp_path)
    job = shelf.add(kind, kind, settings)
    changes = run_job(str(shelf.folder(job.id).path), False)
    assert (changes["state"], changes["problem"]) == (FINISHED, "")
    assert shelf.folder(job.id).result()[key]


RIVER = {
    "board": "Ks7h2d5c9s",
    "pot": 10,
    "stack": 10,
    **{seat: {"range": hands, "bet": "50%"} for seat, hands in (("out_of_position", "AA"), ("in_position", "KQs"))},
}


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("match", {"game": "kuhn", "agents": ["formula", "random"], "hands": 40}),
        ("tournament", {"game": "kuhn", "agents": ["formula", "random"], "hands": 20}),
        ("report", {"spot": RIVER, "boards": "Ks7h2d5c9s", "target": "50%"}),
        ("paper", {"paper": "abstractions"}),
    ],
)
def test_work_is_divided_on_a_back_end(kind: str, settings: dict[str, Any], tmp_path: Path) -> None:
    shelf = JobShelf(tmp_path)
    for backend, problem in (("threads", ""), ("nowhere", "nowhere")):
        job = shelf.add(kind, kind, settings)
        if kind != "paper" or problem:
            changes = run_job(str(shelf.folder(job.id).path), False, backend)
            assert changes["state"] == (FAILED if problem else FINISHED), changes
            assert problem in changes["problem"]


@pytest.mark.parametrize("group", sorted(NEVER))
def test_only_the_library_can_be_named(group: str) -> None:
    for name in library_names(group):
        assert checked_name(group, name) == name
    wrong = [
        "./mine.py",
        "file(path='/etc/passwd')",
        "strategy:/etc/passwd",
        "strategy(file=x.y)",
        "os:system",
        "",
        "x" * 400,
    ]
    known = library_names(group)[0]
    wrong += [
        *NEVER[group],
        f"{known}(file='/etc/passwd')",
        f"{known}(a='../b')",
        f"{known}(a=['~/x'])",
        f"{known}(file=cases)",
        f"{known}(algorithm='os:system')",
        f"{known}(a=Strategy)",
        f"{known}(a='strategy(file=x)')",
        f"{known}(a=[human])",
        f"{known}(a=b'x')",
    ]
    for name in wrong:
        with pytest.raises(BadSetting, match="not in the library"):
            checked_name(group, name)


def test_agents_and_locks_of_a_job_name_no_files(tmp_path: Path) -> None:
    for name in ("job:../../x", "job:", "job:000000000000", "strategy:x"):
        with pytest.raises(BadSetting):
            opened_agent(name, tmp_path)
    with pytest.raises(BadSetting, match="frequencies"):
        checked_spot({"lock": [{"at": "", "as": "strategy:/etc/passwd"}]})
