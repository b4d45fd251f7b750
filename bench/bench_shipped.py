"""Machine code of a wheel: how fast its kernels are beside those compiled for this CPU, and the first river spot.

Kernels are compiled for the level of this CPU as `make wheel` does, and used as an installed wheel would. Two processes
take turns, one with them and one where Numba has compiled for this very CPU. Times are CPU seconds. Where memory lies
makes two processes with the same code differ by up to 4 %, so that several pairs of processes are started; the median
of their medians counts, and a ratio of 0.97 is asked for. $BENCH_KERNELS names a folder of kernels to measure instead
(out/kernels after `make wheel`).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from bench import Row
from bench.bench_startup import cpu_seconds
from pokerlab.machine_code import host_level

COMMANDS = """
examples
spot examples/river.toml --iterations 1
spot examples/turn.toml --iterations 1
strength AhKh --board Td7s2c
train leduc --iterations 2000
"""
JOBS = {"river: iterations": 400, "turn: iterations": 3, "turn: measures": 2, "Pure CFR on Leduc: iterations": 400_000}
STRENGTHS = "strengths of hands of seven cards"
PAIRS = 7  # of processes
REPEATS = 9  # of each job in a process
FIRST = 3.0  # seconds that the first river spot may take
QUICK = {"COMMANDS": "strength AhKh --board Td7s2c", "JOBS": {}, "PAIRS": 1, "REPEATS": 1, "FIRST": None}
_START = """
import sys
from pathlib import Path
from pokerlab import machine_code
machine_code.FOLDER = Path(sys.argv.pop(1))
"""
_COMMAND = _START + "from pokerlab.cli import main; main()"
_WORKER = _START + "from bench.bench_shipped import work; work(eval(sys.argv[1]))"


def measure() -> Iterator[Row]:
    """Each job with shipped kernels and with Numba's own; then a command from an empty cache."""
    level = host_level()
    assert level is not None
    with tempfile.TemporaryDirectory() as work_folder:
        folder = os.environ.get("BENCH_KERNELS", f"{work_folder}/kernels")
        if "BENCH_KERNELS" not in os.environ:
            from hatch_build import compile_kernels

            compile_kernels(Path(folder), COMMANDS, level.name)
        none = f"{work_folder}/none"
        Worker(none, f"{work_folder}/native").close()  # compiles
        times: dict[str, list[tuple[float, float]]] = {job: [] for job in (*JOBS, STRENGTHS)}
        for _ in range(PAIRS):
            ours, theirs = Worker(folder, f"{work_folder}/shipped"), Worker(none, f"{work_folder}/native")
            assert not ours.compiled, f"compiled although they are shipped: {ours.compiled}"
            for job, medians in times.items():
                medians.append(_medians([(ours.seconds(job), theirs.seconds(job)) for _ in range(REPEATS)]))
            ours.close()
            theirs.close()
        for job, medians in times.items():
            yield Row(f"{level.name}, {job}", *_medians(medians), "compiled for this CPU", "s", 0.97)
        if FIRST is not None:
            river = [sys.executable, "-c", _COMMAND, folder, "spot", "examples/river.toml"]
            took = cpu_seconds(river, f"{work_folder}/new")
            yield Row("first: spot examples/river.toml", took, FIRST, "our limit", "s", 1.0)


def _medians(times: list[tuple[float, float]]) -> tuple[float, float]:
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    return ours, theirs


class Worker:
    """A process with shipped kernels, or without, that does jobs when asked."""

    def __init__(self, folder: str, home: str) -> None:
        environment = os.environ | {"POKERLAB_HOME": home}
        command = [sys.executable, "-c", _WORKER, folder, repr(JOBS)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.compiled = self._answer()

    def seconds(self, job: str) -> float:
        """CPU seconds of a job."""
        assert self.process.stdin is not None
        print(job, file=self.process.stdin, flush=True)
        return float(self._answer())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


def work(sizes: dict[str, int]) -> None:
    """Do jobs that standard input names, and print the CPU seconds of each; first, print what had to be compiled."""
    from pokerlab.compiled import watching_compilation

    compiled: list[str] = []
    with watching_compilation(compiled.append):
        jobs = _jobs(sizes)
        for job in jobs.values():
            job()
    print(*compiled, flush=True)
    for line in sys.stdin:
        began = time.process_time()
        jobs[line.strip()]()
        print(time.process_time() - began, flush=True)


def _jobs(sizes: dict[str, int]) -> dict[str, Callable[[], object]]:
    from pokerlab.cards.strength import strengths

    cards = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (200_000, 1)), axis=1)[:, :7]
    jobs: dict[str, Callable[[], object]] = {STRENGTHS: lambda: [strengths(cards, check=False) for _ in range(10)]}
    if sizes:
        from bench.bench_spot import DEFAULT_ALGORITHM, SPOTS
        from pokerlab.abstraction.buckets import lossless
        from pokerlab.abstraction.card_rounds import CardRounds
        from pokerlab.formats.spot_file import spot_from
        from pokerlab.registry import load
        from pokerlab.solvers.cfr.public.solver import PublicSolver
        from pokerlab.tree.bucketed.form import bucketed_form
        from pokerlab.tree.public.spot import spot_tree

        schedule = load("algorithms", DEFAULT_ALGORITHM).schedule
        river, turn = (PublicSolver(spot_tree(spot_from(SPOTS[name])), schedule) for name in ("river", "turn"))
        leduc = load("games", "leduc")
        pure = load("algorithms", "pure").start(bucketed_form(leduc, lossless(CardRounds.of(leduc))))
        iterate, step, assess, sample = sizes.values()
        doings = (
            lambda: river.advance(iterate),
            lambda: turn.advance(step),
            lambda: [turn.measure() for _ in range(assess)],
            lambda: pure.advance(sample),
        )
        jobs |= dict(zip(sizes, doings, strict=True))
    return jobs
