"""The memory that a training takes: regrets and averages, what is measured beside them, and the program itself.

What does not fit in memory is not measured, and a Notice says so: it never costs the training. Neither is the
exploitability of a game whose histories take longer to build than a short run lasts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop
from pokerlab.store import notify
from pokerlab.tree.bucketed.form import BYTES, BucketedForm
from pokerlab.tree.bucketed.pairs import plan_bytes
from pokerlab.tree.bucketed.real_game import measuring_cost
from pokerlab.tree.forecast import available_memory, bytes_text, count_text
from pokerlab.tree.form import SHARE_OF_MEMORY
from pokerlab.tree.measure import Measure

PROGRAM = 2.2e8  # bytes: the interpreter, its libraries and the compiled kernels
SLOW = 10.0  # seconds: a measurement that takes longer is only for long runs
SHOWN_FROM = 0.1  # of the total: the betting is small in most games
SHARE_OF_RUN = 0.25  # of the seconds of a run: the most that a slow measurement may take


@dataclass(frozen=True)
class TrainingMemory:
    """Bytes that a training takes at its peak, and what is left out of it."""

    training: float  # regrets, averages and tables of buckets
    comparing: float  # the averages at the last checkpoint; 0 if they are not stored
    measuring: float  # the exploitability in the real game; 0 if it is not measured
    measures: bool = True
    left_out: tuple[str, ...] = ()  # sentences
    betting: float = 0.0  # the nodes of the betting, in the form and in the solver

    @property
    def total(self) -> float:
        """The whole process."""
        return PROGRAM + self.betting + self.training + self.comparing + self.measuring

    def text(self) -> str:
        """As text: "about 742 MB of memory, 440 MB of it for regrets, averages and buckets"."""
        parts = f"{bytes_text(self.training)} of it for regrets, averages and buckets"
        if self.betting > SHOWN_FROM * self.total:
            parts += f", and {bytes_text(self.betting)} for the betting"
        return f"about {bytes_text(self.total)} of memory, {parts}"


def training_memory(
    form: BucketedForm, stop: Stop, *, started: bool = False, algorithm: Algorithm | None = None
) -> TrainingMemory:
    """What training takes, and what is measured in the memory there is; `started`: its arrays are allocated already."""
    training, betting = form.size.bytes, float(form.betting.bytes)
    if algorithm is not None and algorithm.general is not None and form.kind not in algorithm.engines:
        training += plan_bytes(form)
    free_bytes = SHARE_OF_MEMORY * available_memory() - (0.0 if started else training + betting)
    left_out, cost = [], measuring_cost(form)
    measuring = 0.0 if cost is None else cost.bytes
    if cost is not None and cost.bytes > free_bytes:
        left_out.append(
            f"the exploitability of {form.name} is not measured while training: that takes {bytes_text(cost.bytes)} of "
            f"memory, more than the {bytes_text(max(free_bytes, 0.0))} available"
        )
        measuring = 0.0
    elif cost is not None and cost.seconds > max(SLOW, SHARE_OF_RUN * (stop.seconds or 0.0)):
        histories = count_text(cost.histories)
        left_out.append(
            f"the exploitability of {form.name} is not measured in so short a run: its {histories} histories take "
            f"about {cost.seconds:.0f} s; `pokerlab verify` measures a saved blueprint"
        )
        measuring = 0.0
    measures = not left_out
    comparing = form.numbers * BYTES / 2
    if comparing > free_bytes - measuring:
        left_out.append(
            f"progress lines do not compare {form.name} with the strategy before: that takes {bytes_text(comparing)} "
            f"of memory, more than the {bytes_text(max(free_bytes - measuring, 0.0))} available"
        )
        comparing = 0.0
    return TrainingMemory(training, comparing, measuring, measures, tuple(left_out), betting)


def measuring_within(solver: Any, memory: TrainingMemory) -> Callable[[], Measure]:
    """The solver's measure if it fits in memory; otherwise a Notice and an unknown measure, so that nothing is lost."""
    form = solver.form
    unknown = Measure.unknown(form.players)

    def measured() -> Measure:
        if not memory.measures:
            return unknown
        if memory.measuring > available_memory():
            notify(
                f"the exploitability of {form.name} is not measured now: that takes {bytes_text(memory.measuring)} of "
                "memory, and there is less; training continues"
            )
            return unknown
        try:
            measure: Measure = solver.measure()
        except MemoryError:
            notify(f"not enough memory to measure the exploitability of {form.name}; training continues")
            return unknown
        return measure

    return measured
