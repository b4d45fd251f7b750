"""What the back end `ray` asks of Ray, told by a stand-in that does all work in this process."""

from __future__ import annotations

import importlib
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pokerlab import own_code, parallel
from pokerlab.backends import ray as backend
from pokerlab.errors import BadSetting, Notice
from pokerlab.shared_store import shared_store

LOCAL = "ray(address=local)"


class TaskError(Exception):
    """RayTaskError: what a task raised."""

    cause: Exception


class Lost(Exception):
    """RayError: a machine was lost."""


class StandIn(types.ModuleType):
    """A module `ray` of a cluster whose machines are given; one called "old" has another version."""

    def __init__(self, machines: dict[str, dict[str, int]], dashboard: str) -> None:
        super().__init__("ray")
        self.machines, self.dashboard = machines, dashboard
        self.connected: list[dict[str, Any]] = []
        self.stored: list[Any] = []
        self.options: list[dict[str, Any]] = []
        self.exceptions = types.SimpleNamespace(RayTaskError=TaskError, RayError=Lost)
        self.node = ""

    def is_initialized(self) -> bool:
        return bool(self.connected)

    def init(self, **settings: Any) -> Any:
        self.connected.append(settings)
        return types.SimpleNamespace(dashboard_url=self.dashboard)

    def nodes(self) -> list[dict[str, Any]]:
        return [
            {"NodeID": name, "Alive": name != "lost", "Resources": resources}
            for name, resources in self.machines.items()
        ]

    def cluster_resources(self) -> dict[str, int]:
        cores = [node["Resources"]["CPU"] for node in self.nodes() if node["Alive"] and node["Resources"]]
        return {"CPU": sum(cores)} if cores else {}

    def get_runtime_context(self) -> Any:
        return types.SimpleNamespace(get_node_id=lambda: self.node)

    def put(self, value: Any) -> int:
        self.stored.append(value)
        return len(self.stored) - 1

    def get(self, reference: Any) -> Any:
        return self.stored[reference] if isinstance(reference, int) else reference()

    def wait(self, references: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        return references, []

    def cancel(self, reference: Any, *, force: bool) -> None:
        pass

    def remote(self, function: Callable[..., Any]) -> Any:
        return types.SimpleNamespace(options=lambda **options: self.task_of(function, options))

    def task_of(self, function: Callable[..., Any], options: dict[str, Any]) -> Any:
        """A task for the first machine that its label allows."""
        self.options.append(options)
        assert len(self.options) < 100, "work is sent again and again"
        refused = options.get("label_selector", {}).get("ray.io/node-id", "!in()")[4:-1].split(",")
        node = next(one["NodeID"] for one in self.nodes() if one["Alive"] and one["NodeID"] not in refused)

        def submit(wanted: str, *arguments: Any) -> Callable[[], Any]:
            def work() -> Any:
                self.node = node
                return function("another" if node == "old" else wanted, *arguments)

            return work

        return types.SimpleNamespace(remote=submit)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., StandIn]]:
    """Makes the stand-in for a cluster of machines, each with so many cores."""

    def make(machines: dict[str, int], dashboard: str = "") -> StandIn:
        ray = StandIn({name: {"CPU": cores} if cores else {} for name, cores in machines.items()}, dashboard)
        pickling = types.ModuleType("ray.cloudpickle")
        pickling.CloudPickler = pickle.Pickler  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "ray", ray)
        monkeypatch.setitem(sys.modules, "ray.cloudpickle", pickling)
        return ray

    monkeypatch.setattr(backend, "_prepare", lambda: None)  # it silences notices
    monkeypatch.setattr(backend, "_at_hand", {})
    backend._pickler.cache_clear()
    yield make
    backend._pickler.cache_clear()


def sum_of(task: tuple[Any, ...]) -> int:
    return sum(sum(part.value) if isinstance(part, parallel.Shared) else part for part in task)


def test_work_goes_past_a_machine_of_another_version(cluster: Callable[..., StandIn]) -> None:
    ray = cluster({"old": 2, "lost": 8, "new": 3}, "127.0.0.1:8265")
    one, other = parallel.Shared([1, 2]), parallel.Shared([10, 20])
    with pytest.warns(Notice) as notices:
        found = list(parallel.run(sum_of, [(one, other, 100), (other, 200), (300,)], backend=LOCAL, workers=2))
    assert found == [133, 230, 300]
    said = [str(notice.message) for notice in notices]
    assert said[0] == "working on a Ray cluster of 2 machines with 5 cores; dashboard: http://127.0.0.1:8265"
    assert len(said) == 2
    assert "is refused" in said[1]
    assert ray.connected == [
        {"address": "local", "log_to_driver": False, "logging_level": 40, "namespace": "pokerlab"}
        | {"_node_ip_address": "127.0.0.1"}
    ]
    assert [type(value).__name__ for value in ray.stored] == ["JobFiles", "list", "list"]  # each once
    # two tasks are sent at a time: both to the old machine at first, then both and the third to the other
    assert ["label_selector" in options for options in ray.options] == [False, False, True, True, True]


@pytest.mark.filterwarnings("ignore:working on a Ray cluster")
@pytest.mark.parametrize("others", [{}, {"lost": 4}, {"head": 0}])
def test_work_ends_if_every_machine_with_cores_is_refused(
    cluster: Callable[..., StandIn], others: dict[str, int]
) -> None:
    cluster({"old": 1} | others)
    with pytest.raises(BadSetting, match="no other machine is left"):
        list(parallel.run(sum_of, [(1,)], backend=LOCAL))


def test_a_cluster_that_has_no_cores_yet(cluster: Callable[..., StandIn]) -> None:
    ray = cluster({"head": 0})
    with pytest.warns(Notice, match="of 1 machine with 0 cores; its dashboard does not run"):
        parallel.check_usable(LOCAL)
    assert backend.backend(address="local").core_count() == 0
    assert len(ray.connected) == 1


def test_where_a_cluster_is_looked_for(
    cluster: Callable[..., StandIn], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ray's own record of the cluster of this machine; where there is none, Ray looks for itself."""
    ray = cluster({"head": 1})
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    asked = list[tuple[str, int]]()

    def refuse(place: tuple[str, int], timeout: float) -> None:
        asked.append(place)
        raise ConnectionRefusedError("nobody listens")

    monkeypatch.setattr(backend.socket, "create_connection", refuse)

    def fail(**_: Any) -> None:
        raise ConnectionError("Ray says no\nand more")

    monkeypatch.setattr(ray, "init", fail)
    with pytest.raises(BadSetting, match=r"belongs to no running Ray cluster \(Ray says no\): start"):
        parallel.check_usable("ray")
    assert not asked
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text("10.1.2.3:6379\n", encoding="utf-8")
    with pytest.raises(BadSetting, match=r"10\.1\.2\.3:6379 does not answer: nobody listens"):
        parallel.check_usable("ray")
    with pytest.raises(BadSetting, match=r"no Ray cluster at ray://head "):
        parallel.check_usable("ray(address='ray://head')")
    assert asked == [("10.1.2.3", 6379), ("head", 10001)]


def test_journals_are_written_where_the_back_end_says(tmp_path: Path) -> None:
    place = backend.backend(shared=str(tmp_path / "shared"))
    assert place.store(tmp_path / "m.journal") == shared_store(str(tmp_path / "shared"), "m.journal")
    assert backend.backend().store(tmp_path / "m.journal") == backend.ReturnedStore(tmp_path / "m.journal")


def test_own_modules_go_with_the_work_under_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what was loaded under another name than its file has, such as a plugin."""
    files = {"kit_of_mine/__init__.py": "A = 1\n", "kit_of_mine/part.py": "B = 2\n", "rule_of_mine.py": "C = 3\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    for name in ("kit_of_mine.part", "rule_of_mine"):
        importlib.import_module(name)
    sys.modules["plugin"] = sys.modules["rule_of_mine"]
    found = own_code.sources_of_modules()
    assert {name: text.decode() for name, text in found.items() if "of_mine" in name or "plugin" in name} == files
