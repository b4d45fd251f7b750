"""A Ray cluster of two nodes on this machine: what a task costs, what a second node gains, and training together.

The nodes are processes that share this machine's cores, so a gain from the second one needs two idle cores. What a
cluster of many machines adds is the network between them.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench import Row
from pokerlab import parallel
from pokerlab.lab.solve.training import abstracted, build_form
from pokerlab.tree.resources import Resources

_TASKS, _REPEATS = 300, 5
_WORK_SECONDS, _WORK_TASKS = 0.2, 40  # CPU seconds of a piece of work
_SHARED = 100_000_000  # bytes
_GAME, _ITERATIONS, _SHARES = "rhode-island", 20_000_000, 4
QUICK = {"_TASKS": 8, "_REPEATS": 1, "_WORK_TASKS": 4, "_SHARED": 1_000_000, "_GAME": "leduc", "_ITERATIONS": 20_000}
_LOOPBACK = "127.0.0.1"
_NODE = {"num_cpus": 1, "node_ip_address": _LOOPBACK, "object_store_memory": 500_000_000}


def spin(seconds: float) -> float:
    """Work for some seconds of CPU time."""
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass
    return seconds


def process_of(seconds: float) -> int:
    """The process that does some work."""
    spin(seconds)
    return os.getpid()


def length(task: tuple[parallel.Shared[np.ndarray], int]) -> int:
    """Fetch a shared value."""
    return len(task[0].value) + task[1]


def seconds_of(work: Callable[[], Any]) -> float:
    """The median time of some work."""
    times = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def measure() -> Iterator[Row]:
    """The cluster, then training, whose CPU time needs none."""
    yield from _cluster()
    yield from _training()


def _cluster() -> Iterator[Row]:
    # before Ray is imported: on the loopback address, reporting to nobody
    os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args=_NODE | {"include_dashboard": False})
    backend = f"ray(address='{cluster.address}')"

    def run(function: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        return list(parallel.run(function, items, backend=backend))

    try:
        began = time.perf_counter()
        run(abs, [1])
        yield Row("first task", time.perf_counter() - began, unit="s", note="connect, start a process, import pokerlab")
        began = time.process_time()
        each = seconds_of(lambda: run(abs, [1] * _TASKS)) / _TASKS
        here = (time.process_time() - began) / _TASKS / _REPEATS
        yield Row("a task", 1000 * each, unit="ms", note=f"overhead of each, {_TASKS} tasks that do nothing")
        yield Row("a task, CPU here", 1000 * here, unit="ms", note="of the process that gives out the tasks")
        value = parallel.Shared(np.zeros(_SHARED, np.uint8))
        run(length, [(parallel.Shared(np.zeros(1, np.uint8)), 0)])
        began = time.perf_counter()
        run(length, [(value, 0)])
        rate = _SHARED / 1e6 / (time.perf_counter() - began)
        yield Row("a shared value", rate, unit="MB/s", note=f"{_SHARED:,} bytes stored, and fetched by a task")
        one = seconds_of(lambda: run(spin, [_WORK_SECONDS] * _WORK_TASKS))
        here = seconds_of(lambda: list(parallel.run(spin, [_WORK_SECONDS] * _WORK_TASKS, backend="serial")))
        cluster.add_node(**_NODE)
        while len(set(run(process_of, [0.05] * 16))) < 2:  # until its process has started
            pass
        two = seconds_of(lambda: run(spin, [_WORK_SECONDS] * _WORK_TASKS))
        load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        note = f"{_WORK_TASKS} pieces of {_WORK_SECONDS:g} s of CPU time; {load}"
        yield Row("one node", _WORK_TASKS / one, _WORK_TASKS / here, "this process", note=note)
        yield Row("two nodes", _WORK_TASKS / two, _WORK_TASKS / one, "one node", note=note)
    finally:
        ray.shutdown()
        cluster.shutdown()


def _training() -> Iterator[Row]:
    """Exact exploitability after as many iterations, with CPU seconds, in one process: shares do the same anywhere."""
    built = build_form(abstracted(_GAME, None))
    built.algorithm.rehearse(built.form)

    def spent_by(*solvers: Any) -> float:
        """The CPU time that solvers take to share the iterations."""
        began = time.process_time()
        for solver in solvers:
            solver.advance(_ITERATIONS // len(solvers))
        return time.process_time() - began

    def started(seed: int, **settings: Any) -> Any:
        return built.algorithm.start(built.form, seed=seed, resources=Resources(**settings))

    single = started(0)
    spent = spent_by(single)
    gap = single.measure().exploitability
    yield Row("one machine", gap, unit="chips", note=f"{_GAME}, {_ITERATIONS:,} iterations, {spent:.0f} CPU s")
    together = started(0, backend="serial", workers=_SHARES)
    spent = spent_by(together)
    other = together.measure().exploitability
    note = f"{other / gap:.2f} times that of one machine, {spent:.0f} CPU s"
    yield Row(f"{_SHARES} shares that exchange", other, unit="chips", note=note)
    alone = [started(seed) for seed in range(_SHARES)]
    spent = spent_by(*alone)
    average = sum(one.average.astype(float) for one in alone)  # weights of realization plans, which add up
    other = built.form.measure(built.form.unpack({"average": average})).exploitability
    note = f"{other / gap:.2f} times that of one machine, {spent:.0f} CPU s"
    yield Row(f"{_SHARES} independent runs, averaged", other, unit="chips", note=note)
