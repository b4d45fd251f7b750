"""Spots on a graphics card: an iteration, the bytes it must move against the card's bandwidth, and time to a target.
Training over buckets: seconds until exact best responses win little, against Pure CFR on all threads of the CPU.

Without a card there is one row that says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

from bench import Row
from bench.bench_spot import RIVER, SPOTS
from pokerlab import registry
from pokerlab.formats.spot_file import spot_from
from pokerlab.parallel import core_count
from pokerlab.solvers.cfr.public.cuda.solver import CudaPublicSolver
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.form import kind_of
from pokerlab.tree.machines import card, card_or_reason
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.resources import CUDA, Resources

ALGORITHM = kind_of("public").default_algorithm
THREE_SIZES = {"range": "random", "bet": "33%,75%,125%", "raise": "75%"}
LARGE = {"board": "Ks7h2d", "pot": 100, "stack": 1000, "out_of_position": THREE_SIZES, "in_position": THREE_SIZES}
CHOSEN: dict[str, dict[str, Any]] = SPOTS | {"large flop": LARGE}
TARGETS = {"flop": 0.1, "large flop": 0.5}  # percent of the pot
ON_16_THREADS = {"flop": 0.139}  # seconds of an iteration on the CPU of the same machine
WARM, TIMED, MEASURED_EVERY = 4, 30, 10
COPIED = 2**30  # numbers
GAME, WINS, SECONDS = (
    "rhode-island",
    1.0,
    40.0,
)  # chips that a best response to what is trained may win, and the most time
QUICK = {"CHOSEN": {"river": RIVER}, "TARGETS": {"river": 5.0}, "TIMED": 2, "COPIED": 2**10}


def measure() -> Iterator[Row]:
    """Rows of the table."""
    if reason := card_or_reason():
        yield Row("spots on a card", 0.0, unit="", note=f"left out: {reason}")
        return
    bandwidth = _bandwidth()
    yield Row("copying on the card, read and written", bandwidth / 1e9, unit="GB/s")
    for name, settings in CHOSEN.items():
        for storage in ("float32", "int16") if name == "flop" else ("float32",):
            yield from _spot(name, settings, storage, bandwidth)
    yield from _training()


def _training() -> Iterator[Row]:
    """Every hand its own bucket, so that both come as near as they have time."""
    schedule, threads = "schedule='linear-cfr'", core_count()
    form = bucketed_form(registry.load("games", GAME))
    spent, left = {}, {}
    for name, resources in (("public-chance", Resources(device=CUDA)), ("pure", Resources(threads))):
        algorithm = registry.load("algorithms", f"{name}({schedule})")
        algorithm.rehearse(form, resources=resources)
        solver, portion = algorithm.start(form, resources=resources), 1
        solver.advance(1)
        solver.measure()
        spent[name], left[name] = 0.0, math.inf
        while left[name] > WINS and spent[name] < SECONDS:
            began = time.perf_counter()
            solver.advance(portion)
            took = time.perf_counter() - began
            spent[name] += took
            portion *= 1 if took > 2.0 else 2
            left[name] = solver.measure().exploitability
    note = f"left to win: {left['public-chance']:.2f} and {left['pure']:.2f} chips"
    ours, theirs = spent["public-chance"], spent["pure"]
    yield Row(f"{GAME} trained to {WINS} chips", ours, theirs, f"pure on {threads} threads", "s", note=note)


def _spot(name: str, settings: dict[str, Any], storage: str, bandwidth: float) -> Iterator[Row]:
    schedule = registry.load("algorithms", ALGORITHM).schedule
    began = time.perf_counter()
    tree = spot_tree(spot_from(settings))
    solver = CudaPublicSolver(tree, schedule, machine=card(), storage=storage)
    for _ in range(2):  # the launches of an iteration are recorded in the second call
        solver.advance(WARM)
    ready = time.perf_counter()
    solver.advance(TIMED)
    each = (time.perf_counter() - ready) / TIMED
    moved = 5 * tree.slots * (4 if storage == "float32" else 2)
    title = f"{name}, {storage}"
    stated = ON_16_THREADS.get(name) if storage == "float32" else None
    yield Row(f"{title}: iteration", each, stated, "16 CPU threads (stated)" if stated else "", "s")
    share = moved / each / bandwidth
    yield Row(f"{title}: bytes that must move", moved / each / 1e9, unit="GB/s", note=f"{share:.0%} of copying")
    if name in TARGETS and storage == "float32":
        percent = 100.0
        while percent > TARGETS[name]:
            solver.advance(MEASURED_EVERY)
            percent = 100 * solver.measure().exploitability / tree.pot
        note = f"with set-up; iteration {solver.iterations}, measured every {MEASURED_EVERY}"
        yield Row(f"{title}: to {TARGETS[name]} % of the pot", time.perf_counter() - began, unit="s", note=note)


def _bandwidth() -> float:
    machine = card()
    source, target = machine.zeros(COPIED, "float32"), machine.zeros(COPIED, "float32")
    times = []
    for _ in range(5):
        began = time.perf_counter()
        target[:] = source
        machine.wait()
        times.append(time.perf_counter() - began)
    return 8 * COPIED / min(times)
