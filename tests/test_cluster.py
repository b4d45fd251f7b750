"""The back end `ray`, on a cluster of this machine: the results of one process, with the user's files."""

from __future__ import annotations

import ast
import socket
import sys
from functools import partial
from pathlib import Path

import pytest

import pokerlab
from pokerlab import parallel
from pokerlab.errors import BadSetting, Notice
from pokerlab.events import Cancelled, CancelToken
from pokerlab.lab.play.playing import match
from ray_cluster import require_ray
from untimed import untimed

LOCAL = "ray(address=local)"
BOT = """
from my_rules import wants_to_call
from pokerlab.games.poker.action import CALL, FOLD

class Bot:
    def act(self, view, rng):
        return CALL if wants_to_call(rng) or not view.legal.fold else FOLD
"""


def wait_long(seconds: float) -> float:
    import time

    time.sleep(seconds)
    return seconds


def fail(number: int) -> int:
    raise BadSetting(f"no {number}")


@pytest.mark.skipif(sys.platform != "linux", reason="Ray's clusters are supported on Linux")
def test_a_cluster_gives_the_results_of_one_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = require_ray()
    monkeypatch.setattr(ray, "init", partial(ray.init, num_cpus=1, include_dashboard=False))  # fewer processes
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    (folder / "my_rules.py").write_text("def wants_to_call(rng):\n    return rng.random() < 0.7\n", encoding="utf-8")
    pokerlab.solve("kuhn", iterations=20).save("kuhn.solution")
    players, how = ["./bot.py", "strategy:kuhn.solution"], {"game": "kuhn", "hands": 60, "block": 10, "seed": 7}
    here = match(players, **how, backend="serial", out="here.duckdb")  # type: ignore[arg-type]
    try:
        with pytest.warns(Notice, match="working on a Ray cluster of 1 machine"):
            parallel.check_usable(LOCAL)
        there = match(players, **how, backend=LOCAL, out="there.duckdb")  # type: ignore[arg-type]
        assert untimed(there.as_dict()) == untimed(here.as_dict())
        assert not (folder / "there.duckdb.journal").exists()
        with pytest.raises(BadSetting, match=r"^no 3$"):
            list(parallel.run(fail, [3], backend=LOCAL))
        shared = parallel.Shared(list(range(1000)))
        assert list(parallel.run(_number_of, [(shared, 3), (shared, 999)], backend=LOCAL)) == [3, 999]
        token = CancelToken()
        results = parallel.run(wait_long, [0.0, 600.0, 600.0], backend=LOCAL, cancel=token)
        next(results)
        token.cancel()
        with pytest.raises(Cancelled):
            next(results)
    finally:
        ray.shutdown()


def _number_of(task: tuple[parallel.Shared[list[int]], int]) -> int:
    shared, number = task
    return shared.value[number]


def test_a_cluster_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    require_ray()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(BadSetting, match=f"no Ray cluster at {address} .*ray start --head"):
            parallel.check_usable(f"ray(address='{address}')")


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadSetting, match=r"pip install 'pokerlab\[cluster\]'"):
        parallel.check_usable("ray")


def test_only_the_back_end_imports_ray() -> None:
    package = Path(pokerlab.__file__).parent
    importing = set()
    for path in package.rglob("*.py"):
        if "ray" not in (text := path.read_text("utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            if any(name.split(".")[0] == "ray" for name in names):
                importing.add(path.relative_to(package).as_posix())
    assert importing == {"backends/ray.py"}
