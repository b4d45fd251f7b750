"""Faults on a Ray cluster of several nodes: machines that are killed, late, or of another version."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pokerlab import parallel
from pokerlab.errors import Notice
from pokerlab.events import Event
from pokerlab.lab.play.playing import run_match, run_tournament
from pokerlab.lab.solve.training import abstracted, build_form
from pokerlab.lab.spots.board_list import read_boards
from pokerlab.lab.spots.boards import report
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import MatchSettings, poker_table
from pokerlab.match.run.tournament import pairings
from pokerlab.tree.resources import Resources
from ray_cluster import NODE, backend_of, require_ray, started
from untimed import untimed

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Ray's clusters run on Linux")]

SEAT = {"range": "AA,KQs,76s,JTo", "bet": "75%", "raise": "allin"}
SPOT = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 200, "out_of_position": SEAT, "in_position": SEAT}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head and a second node, with a core each; tests kill the second node and add another."""
    with started(nodes=1) as cluster:
        yield cluster


def killing(cluster: Any, *, at: int) -> tuple[Callable[[Event], None], list[float]]:
    """Kill the last node of a cluster at an event, without a word to anybody; when that was."""
    killed: list[float] = []
    seen: list[float] = []

    def watch(event: Event) -> None:
        seen.append(event.done)
        if len(seen) == at:
            node = list(cluster.worker_nodes)[-1]
            cluster.remove_node(node, allow_graceful=False)
            killed.append(event.done)

    return watch, killed


def node_of(seconds: float) -> str:
    import ray

    time.sleep(seconds)
    return str(ray.get_runtime_context().get_node_id())


def test_a_report_survives_a_killed_machine(cluster: Any, tmp_path: Path) -> None:
    boards = read_boards(", ".join(f"{rank}s7h2d5c9s" for rank in "KQJT"))
    expected = report(SPOT, boards, iterations=30)
    watch, killed = killing(cluster, at=2)
    running: dict[str, Any] = {"backend": backend_of(cluster), "workers": 100, "on_progress": watch}
    rows = report(SPOT, boards, iterations=30, out=tmp_path / "rows.csv", **running)
    assert killed
    assert [row | {"seconds": 0} for row in rows] == [row | {"seconds": 0} for row in expected]
    cluster.add_node(**NODE)


def test_a_tournament_survives_a_killed_machine(cluster: Any, tmp_path: Path) -> None:
    matches = pairings(poker_table("kuhn", None), ["random", "always-call", "always-raise"], hands=200, block=20)
    expected = run_tournament(matches, workers=1, backend="serial")
    watch, killed = killing(cluster, at=3)
    backend = backend_of(cluster, shared=str(tmp_path / "shared"))  # where workers write journals
    there = run_tournament(matches, backend=backend, out=tmp_path / "t.duckdb", on_progress=watch)
    assert len(list((tmp_path / "shared").iterdir())) == 1
    assert killed
    assert untimed(there.as_dict()) == untimed(expected.as_dict())
    cluster.add_node(**NODE)


def test_a_training_survives_a_killed_machine(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    built = build_form(abstracted("leduc", None))
    solvers = [
        built.algorithm.start(built.form, seed=3, resources=Resources(backend=backend, workers=4))
        for backend in ("serial", backend_of(cluster))
    ]
    for solver in solvers:
        solver.advance(10_000)
    node = list(cluster.worker_nodes)[-1]
    real = parallel.run

    def run(*arguments: Any, **settings: Any) -> Iterator[Any]:
        """The work of an interval, in which the machine is killed as soon as all shares are submitted."""
        results = real(*arguments, **settings)
        yield next(results)
        if settings["backend"] != "serial" and node in cluster.worker_nodes:
            cluster.remove_node(node, allow_graceful=False)
        yield from results

    monkeypatch.setattr(parallel, "run", run)
    for solver in solvers:
        solver.advance(20_000)
    assert node not in cluster.worker_nodes
    assert solvers[0].iterations == solvers[1].iterations == 30_000
    for name, array in solvers[0].arrays().items():
        assert (array == solvers[1].arrays()[name]).all(), name


def test_a_machine_that_comes_late_joins_in(cluster: Any) -> None:
    before = {node["NodeID"] for node in require_ray().nodes() if node["Alive"]}
    used = []
    for number, node in enumerate(parallel.run(node_of, [0.5] * 60, backend=backend_of(cluster))):
        if number == 0:
            cluster.add_node(**NODE)
        used.append(node)
    assert len(used) == 60
    assert set(used) - before


def test_a_machine_with_another_version_is_refused(cluster: Any, tmp_path: Path) -> None:
    package = tmp_path / "other" / "pokerlab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "version.py").write_text("__version__ = '0.0.9'\n", encoding="utf-8")
    cluster.add_node(**NODE, env_vars={"PYTHONPATH": str(package.parent)})
    with pytest.warns(Notice, match=r"has pokerlab 0\.0\.9, and this one pokerlab 0\.1.*refused") as notices:
        used = list(parallel.run(node_of, [0.3] * 60, backend=backend_of(cluster)))
    assert len(used) == 60
    assert {node["NodeID"] for node in require_ray().nodes() if node["Alive"]} - set(used)
    assert sum("refused" in str(notice.message) for notice in notices) == 1


# ---- the head --------------------------------------------------------------------------------------------------------


DRIVER = """
import json, sys
from pathlib import Path
from pokerlab.lab.play.playing import run_match
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import MatchSettings
backend, resume = sys.argv[1:]
settings = MatchSettings.of("kuhn", ["random", "always-call"], hands=30_000, block=100, seed=5)
show = lambda event: print(event.done, flush=True)
running = {"backend": backend, "out": Path("m.duckdb"), "resume": resume == "resume", "on_progress": show}
print(json.dumps(run_match(settings, **running).as_dict()))
"""


def driver(folder: Path, backend: str, *, resume: bool = False) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", DRIVER, backend, "resume" if resume else "new"]
    return subprocess.Popen(program, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_restarted_head_resumes_from_its_files(tmp_path: Path) -> None:
    require_ray().shutdown()
    with started() as cluster:
        running = driver(tmp_path, backend_of(cluster))
        assert running.stdout is not None
        done = [float(running.stdout.readline()) for _ in range(3)]
        for _, process in cluster.head_node.live_processes():
            os.kill(process.pid, signal.SIGKILL)
        out, problem = running.communicate(timeout=300)
        assert running.returncode, out + problem
    with History(tmp_path / "m.duckdb") as history:
        saved = history.ask("select count(*) from hands")[0][0]
    assert done[-1] <= saved < 30_000
    with started() as cluster:
        out, problem = driver(tmp_path, backend_of(cluster), resume=True).communicate(timeout=300)
    settings = MatchSettings.of("kuhn", ["random", "always-call"], hands=30_000, block=100, seed=5)
    expected = run_match(settings, backend="serial", workers=1)
    assert out, problem
    *lines, last = out.splitlines()
    assert float(lines[0]) <= saved
    assert untimed(json.loads(last)) == untimed(json.loads(json.dumps(expected.as_dict())))
    with History(tmp_path / "m.duckdb") as history:
        assert history.ask("select count(*), count(distinct hand) from hands") == [(30_000, 30_000)]
