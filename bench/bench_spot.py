"""Postflop spots: time an iteration and to a target, beside stated times of postflop-solver (Rust).

The spots are those of tests/published/spots.py: every hand in both ranges, pot 100; and the example of a flop, whose
two ranges differ. Times are CPU seconds where one thread runs, wall seconds where two do.

The reference is a program in Rust that cannot be installed here, so its column is *stated*: what it took on one quiet
machine of two cores, in turns with ours, equal node counts and values. The ratio that was measured then, ours and
theirs in one run, stands in the note; the ratio in the table also has the hour's load in it, and nothing is asked of
it. Bytes moved are regret read twice and written once, and the average read and
written once, each iteration, against the bandwidth of copying measured here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench import Row
from pokerlab import registry
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import read_file, spot_from
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.form import kind_of
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.spot import spot_tree

DEFAULT_ALGORITHM = kind_of("public").default_algorithm
MEASURE_EVERY = kind_of("public").pace.measure_every
MENU = {"range": "random", "bet": "50%,100%,allin", "raise": "100%,allin"}
ONE_SIZE = {"range": "random", "bet": "66%", "raise": "100%"}
RIVER = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 300, "out_of_position": MENU, "in_position": MENU}
SPOTS: dict[str, dict[str, Any]] = {
    "river": RIVER,
    "turn": RIVER | {"board": "Ks7h2d5c"},
    "flop": {"board": "Ks7h2d", "pot": 100, "stack": 500, "out_of_position": ONE_SIZE, "in_position": ONE_SIZE},
}
PEER = "reference (stated)"
STATED: dict[str, tuple[float, float | None]] = {  # an iteration on one thread and on two
    "river": (0.228e-3, None),
    "turn": (50.9e-3, 25.7e-3),
    "flop": (2.33, 1.18),
}
SIDE_BY_SIDE = {"river": "1.7 to 1.9", "turn": "2.2 to 2.5", "flop": "2.5 to 2.6"}  # times faster, in turns in one run
STATED_TARGETS = {("river", 0.1): 0.0515, ("turn", 0.1): 17.8, ("flop", 0.5): 272.0}
STATED_PROCESS = 0.02  # a whole process on the river
REPEATS = {"river": (200, 9), "turn": (3, 9), "flop": (1, 3)}  # iterations at a time, and how often
CHOSEN = os.environ.get("BENCH_SPOT", "river,turn,flop").split(",")
TARGETS = {"river": (0.5, 0.1), "turn": (0.5, 0.1), "flop": (0.5,)}  # percent of the pot
UNEVEN, RHODE_ISLAND = "flop.toml", "rhode-island"
COPIED = 50_000_000  # numbers
QUICK = {
    "SPOTS": {"river": RIVER, "turn": RIVER | {"board": "Ks7h2d5c", "out_of_position": MENU | {"range": "AA,76s"}}},
    "REPEATS": {"river": (1, 1), "turn": (1, 1), "flop": (1, 1)},
    "CHOSEN": ["river", "turn"],
    "TARGETS": {"river": (5.0,), "turn": ()},
    "UNEVEN": "turn.toml",
    "RHODE_ISLAND": "leduc",
    "COPIED": 1000,
}


def measure() -> Iterator[Row]:
    """Rows of the table; $BENCH_SPOT names the spots to run, as "river,turn"."""
    bandwidth = _copy_bandwidth()
    yield Row("copying memory, read and written", bandwidth / 1e9, unit="GB/s")
    for name in CHOSEN:
        yield from _spot(name, bandwidth)
    yield from _uneven()
    yield from _rhode_island()


def _uneven() -> Iterator[Row]:
    """An iteration of the example of a flop: two ranges of different sizes, three streets."""
    spot = spot_from(read_file(Path(__file__).parents[1] / "examples" / UNEVEN))
    schedule = registry.load("algorithms", DEFAULT_ALGORITHM).schedule
    tree = spot_tree(spot)
    hands = " and ".join(str(int((weights > 0).sum())) for weights in tree.weights)
    for threads in (1, 2):
        solver = PublicSolver(tree, schedule, threads=threads)
        took = _iteration(solver, "flop", time.thread_time if threads == 1 else time.perf_counter)
        yield Row(f"examples/{UNEVEN}: iteration, {threads} thread(s)", took, unit="s", note=f"{hands} hands")


def _spot(name: str, bandwidth: float) -> Iterator[Row]:
    spot = spot_from(SPOTS[name])
    schedule = registry.load("algorithms", DEFAULT_ALGORITHM).schedule
    solver = PublicSolver(spot_tree(spot), schedule)
    one = _iteration(solver, name, time.thread_time)
    told = f"side by side {SIDE_BY_SIDE[name]}x"
    yield Row(f"{name}: iteration, 1 thread", one, STATED[name][0], PEER, "s", note=f"CPU; {told}")
    moved = 5 * 4 * solver.tree.slots
    share = moved / one / bandwidth
    yield Row(
        f"{name}: bytes moved", moved / one / 1e9, unit="GB/s", note=f"{moved / 1e6:,.0f} MB, {share:.0%} of copying"
    )
    each, slots = one / solver.tree.slots, solver.tree.slots
    yield Row(f"{name}: time a stored action of a hand", 1e9 * each, unit="ns", note=f"{slots:,} of them: growth")
    if name != "river":
        two = PublicSolver(solver.tree, schedule, threads=2)
        two.restore(solver.arrays())
        both = _iteration(two, name, time.perf_counter)
        alone = _iteration(solver, name, time.perf_counter)
        yield Row(f"{name}: iteration, 2 threads", both, STATED[name][1], PEER, "s", note="wall")
        yield Row(f"{name}: 2 threads over 1", both, alone, "1 thread", "s", asked=1.7, note="wall")
        del two
    if name == "river":
        yield from _start()
        yield from _int16(solver.tree, spot.pot)
    for percent in TARGETS[name]:
        fresh = PublicSolver(solver.tree, schedule)
        began = time.process_time()
        done = run(fresh, Stop(target=percent * spot.pot / 100), measure_every=MEASURE_EVERY)
        took = time.process_time() - began
        note = f"iteration {done.last.iterations}, measured every {MEASURE_EVERY}, CPU"
        stated = STATED_TARGETS.get((name, percent))
        yield Row(f"{name}: to {percent} % of the pot", took, stated, PEER if stated else "", "s", note=note)
        del fresh


def _start() -> Iterator[Row]:
    """A process from its start to the end of the first iteration on the river, kernels kept."""
    words = ["spot", "--board", RIVER["board"], "--bet", MENU["bet"], "--iterations", "1", "--json"]
    times = []
    for _ in range(4):  # the first one may compile
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "pokerlab", *words], check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    what, took, note = "river: a process to its first iteration", min(times[1:]), "wall, kernels kept"
    yield Row(what, took, STATED_PROCESS, PEER, "s", note=f"{note}; start-up is what is lost")
    yield Row(what, took, 2.0, "asked for", "s", asked=1.0, note=note)


def _int16(tree: PublicTree, pot: float) -> Iterator[Row]:
    """What half the memory costs: exploitability after the same iterations."""
    schedule = registry.load("algorithms", DEFAULT_ALGORITHM).schedule
    for iterations in (100, 1000):
        gaps = []
        for storage in ("int16", "float32"):
            solver = PublicSolver(tree, schedule, storage=storage)
            solver.advance(iterations)
            gaps.append(100 * solver.measure().exploitability / pot)
        what = f"river: int16 after {iterations} iterations"
        yield Row(what, gaps[0], gaps[1], "float32", "% of the pot", note="exploitability, half the memory")


def _iteration(solver: PublicSolver, name: str, clock: Callable[[], float]) -> float:
    """Seconds of an iteration, the median of some repeats after a few that settle the strategies."""
    count, repeats = REPEATS[name]
    if solver.iterations == 0:
        solver.advance(20 if name != "flop" else 2)
    times = []
    for _ in range(repeats):
        began = clock()
        solver.advance(count)
        times.append((clock() - began) / count)
    return float(np.median(times))


def _rhode_island() -> Iterator[Row]:
    """Full Rhode Island hold'em to 0.05 % of the pot (a thousandth of the ante), its value bracketed."""
    tree = public_tree(open_game(RHODE_ISLAND))
    solver = PublicSolver(tree, registry.load("algorithms", DEFAULT_ALGORITHM).schedule, threads=2)
    began = time.perf_counter()
    done = run(solver, Stop(target=0.001 * 5), measure_every=20)
    assert done.last.measure is not None
    low, high = done.last.measure.bounds
    note = f"{done.last.iterations} iterations, 2 threads; value to the first player {low:.4f} to {high:.4f}, ante 5"
    yield Row(f"{RHODE_ISLAND} to 0.05 % of the pot", time.perf_counter() - began, unit="s", note=note)


def _copy_bandwidth() -> float:
    source, target = np.ones(COPIED, np.float32), np.zeros(COPIED, np.float32)
    times = []
    for _ in range(5):
        began = time.thread_time()
        np.copyto(target, source)
        times.append(time.thread_time() - began)
    return 2 * source.nbytes / float(np.median(times))
