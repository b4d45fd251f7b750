"""Every algorithm that can solve Leduc, to an exploitability of 0.001: seconds, as a ratio against plain CFR (ours).

One thread, processor time, kernels compiled before, measuring included; quick ones are timed three times in turns, and
those that do not come so far in a minute say how far they came. OpenSpiel's time is its measured time an iteration
times the iterations that the same algorithm needs here: the iterates are the same (the tests say so). LiteEFG runs to
the target itself, its set-up and measuring left out: the same algorithms, and the first-order method that it has.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench import Row, interleaved, seconds
from bench.bench_solve import Lite, form_of, has_lite, spiel_game
from pokerlab import registry
from pokerlab.solvers.core.run import Run, Stop, run
from pokerlab.tree.sequence import SequenceForm

TARGET = 1e-3
MOST_SECONDS = 60.0
SHORT = 2.0  # seconds: what takes longer is timed once
QUICK = {"TARGET": 1.0, "MOST_SECONDS": 0.5, "SHORT": 0.0}
REFERENCE = "cfr"
VARIANTS = (  # beside each algorithm with the settings that are its own
    "cfr+(pruning=True)",
    "egt(prox=euclidean)",
    "egt(prox=euclidean, restarts=True)",
    "egt(aggressive=False, balancing=False)",
    "mirror-prox(prox=entropy, power=0)",
    "lp(method=ipm)",
    "double-oracle(over=strategies)",
)
LITE = {  # what LiteEFG sets beside an algorithm of ours, and its iterate that comes nearest
    "cfr+": ("CFRplus", "linear-avg-iterate"),
    "pcfr+": ("PCFR", "linear-avg-iterate"),
    "mirror-prox": ("DOMD", "linear-avg-iterate"),
}
BETWEEN = 100  # iterations of LiteEFG before it is measured again


@dataclass
class Contender:
    """An algorithm on Leduc, and what its last run did."""

    spec: str
    form: SequenceForm
    done: Run | None = None

    def __call__(self) -> None:
        """Run to the target, from the start."""
        solver = registry.load("algorithms", self.spec).start(self.form, seed=1)
        self.done = run(solver, Stop(target=TARGET, seconds=MOST_SECONDS))

    def row(self, took: float, reference: float) -> Row:
        """How it went; a ratio where it came to the target."""
        assert self.done is not None
        assert self.done.last.measure is not None
        last, gap = self.done.last, self.done.last.measure.exploitability
        note = f"{last.iterations:,} iterations, {last.nodes_touched / self.form.tree.nodes:,.0f} passes"
        if gap > TARGET:
            return Row(self.spec, took, unit="s", note=f"{note}; only {gap:.2g} in that time")
        return Row(self.spec, took, reference, REFERENCE, "s", note=note)


def specs() -> list[str]:
    """The algorithms of the library that run on the sequence form, and some variants."""
    found = [entry.name for entry in registry.available("algorithms")]
    return [name for name in found if "sequence" in registry.load("algorithms", name).forms] + list(VARIANTS)


def openspiel(iterations: int) -> float | None:
    """Seconds that so many iterations of OpenSpiel's CFR take; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    solver: Any = pyspiel.CFRSolver(spiel_game("leduc_poker"))
    solver.evaluate_and_update_policy()
    five = seconds(lambda: [solver.evaluate_and_update_policy() for _ in range(5)], time.process_time)
    return five / 5 * iterations


def lite(spec: str, ours: float) -> Row:
    """Our time beside that of LiteEFG's algorithm."""
    algorithm, iterate = LITE[spec]
    solver, took, done, gap = Lite("leduc_poker", algorithm, iterate), 0.0, 0, 1.0
    while gap > TARGET and took < MOST_SECONDS:
        took += seconds(lambda: solver.iterate(BETWEEN), time.process_time)
        done, gap = done + BETWEEN, solver.nash_conv() / 2
    note = f"{done:,} iterations" + (f", only {gap:.2g} in that time" if gap > TARGET else "")
    return Row(spec, ours, took, f"LiteEFG's {algorithm}", "s", note=note)


def measure() -> Iterator[Row]:
    """A row for each algorithm, the quickest first."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before LiteEFG is imported
    form = form_of("leduc")
    contenders = {spec: Contender(spec, form) for spec in specs()}
    times = {}
    for spec, contender in contenders.items():
        registry.load("algorithms", spec).rehearse(form)
        times[spec] = seconds(contender, time.process_time)
    quick = {spec: contenders[spec] for spec, took in times.items() if took < SHORT or spec == REFERENCE}
    times |= interleaved(dict(quick), repeats=3, clock=time.process_time)
    for spec in sorted(times, key=times.__getitem__):
        yield contenders[spec].row(times[spec], times[REFERENCE])
    done = contenders[REFERENCE].done
    assert done is not None
    theirs = openspiel(done.last.iterations)
    yield Row(REFERENCE, times[REFERENCE], theirs, "OpenSpiel C++" if theirs else "", "s", note="as many iterations")
    for spec in LITE if has_lite() else ():
        yield lite(spec, times[spec])
    if not has_lite():
        yield Row("against LiteEFG", 0.0, note="not installed: pip install LiteEFG")
