"""Monte-Carlo CFR on several machines, which exchange what they learned at fixed iterations.

An interval of iterations is divided into shares. Each share starts from the same regrets and averages, deals its own
cards, and returns by how much it changed them. Averages grow by the sum of the changes, and regrets by their mean:
every share corrects the same regrets, so that the sum would correct them as many times too much, and does not converge
unless intervals are very short. Regrets are then those of a run as long as one share, with less noise. The next
interval starts from the result.

A share that is lost with its machine is repeated from the same numbers, so that the result does not depend on faults;
with as many shares the same seed gives the same result. One share is the run of one machine, up to the rounding of
floats. Intervals are short at first, when everything is new, and grow with the run.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pokerlab import parallel
from pokerlab.parallel import Shared
from pokerlab.solvers.bucketed.sampled import BucketedSampled
from pokerlab.solvers.bucketed.walks import PureWalks
from pokerlab.solvers.cfr.sampled.sampler import Sampler
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.bucketed.form import AT_A_TIME, BucketedForm
from pokerlab.tree.resources import Resources

LEAST_INTERVAL = 10_000  # iterations
NUMBERS_AN_ITERATION = 4  # of the shortest interval: to exchange that many costs less than the walks of an iteration
INTERVALS = 32  # the longest interval, in the shortest
GROWTH = 10  # an interval is a tenth of the run so far, until it has its full length


@dataclass(frozen=True)
class Share:
    """A share of an interval."""

    key: str  # of the training
    form: Shared[BucketedForm]
    sampler: Sampler
    schedule: Schedule
    seed: int
    threads: int
    state: Shared[dict[str, np.ndarray]]  # of the solver
    first: int
    last: int  # exclusive


@dataclass(frozen=True, eq=False)
class Change:
    """What a share learned."""

    regret: np.ndarray  # [number]
    average: np.ndarray  # [number]
    nodes_touched: int


class TrainingTogether(BucketedSampled):
    """A solver whose iterations run on a back end; on top of the same state, so that files are the same."""

    runs_on_machines = True

    def __init__(
        self, form: BucketedForm, sampler: Sampler, schedule: Schedule, *, seed: int, resources: Resources
    ) -> None:
        super().__init__(form, sampler, schedule, seed=seed)
        self._resources = resources
        shortest = max(LEAST_INTERVAL, form.numbers // NUMBERS_AN_ITERATION)
        longest = max(LEAST_INTERVAL, resources.interval or INTERVALS * shortest)
        self._pace = min(shortest, longest), longest
        self._share = uuid.uuid4().hex, Shared(form), sampler, schedule, seed, resources.threads

    def advance(self, iterations: int) -> None:
        """Run these iterations, and those up to the next exchange, which must not depend on where a run is divided."""
        super().advance(next_exchange(self.iterations + iterations - 1, *self._pace) - self.iterations)

    def _walk(self, last: int) -> None:
        while self.iterations < last:
            self._run_interval(min(last, next_exchange(self.iterations, *self._pace)))

    def _run_interval(self, last: int) -> None:
        state = self.arrays()
        regret, average = state["regret"], state["average"]
        count = self._resources.workers or parallel.cores_of(self._resources.backend) // self._resources.threads
        shared = Shared({name: array.copy() for name, array in state.items()})
        shares = [
            Share(*self._share, shared, start, end) for start, end in divided(self.iterations, last, max(1, count))
        ]
        sums = np.zeros(len(regret))
        for change in parallel.run(run_share, shares, backend=self._resources.backend, workers=len(shares)):
            sums += change.regret
            average += change.average
            self.nodes_touched += change.nodes_touched
        sums /= len(shares)
        regret += (np.rint(sums) if isinstance(self._walks, PureWalks) else sums).astype(regret.dtype)
        self.iterations = last


def next_exchange(iterations: int, shortest: int, longest: int) -> int:
    """The iteration of the first exchange after `iterations`; these do not depend on where a run was divided.

    >>> [next_exchange(done, 10_000, 50_000) for done in (0, 9_999, 100_000, 490_000, 10_000_000)]
    [10000, 10000, 110000, 505437, 10005437]
    """
    due = 0
    while due <= iterations:
        step = max(shortest, due // GROWTH)
        if step >= longest:
            return due + ((iterations - due) // longest + 1) * longest
        due += step
    return due


def divided(first: int, last: int, count: int) -> list[tuple[int, int]]:
    """Consecutive parts of some iterations, at most `count`, divided between the batches in which cards are dealt.

    >>> divided(100, 3000, 3)
    [(100, 1024), (1024, 2048), (2048, 3000)]
    """
    ends = {first + (last - first) * number // count for number in range(1, count)}
    inner = {round(end / AT_A_TIME) * AT_A_TIME for end in ends}
    bounds = [first, *sorted(end for end in inner if first < end < last), last]
    return list(pairwise(bounds))


# ---- on the machine of a worker --------------------------------------------------------------------------------------


def run_share(share: Share) -> Change:
    """Run the iterations of a share from its state; what they changed."""
    if share.key not in _solvers:
        _solvers.clear()  # of an earlier training
        _solvers[share.key] = BucketedSampled(
            share.form.value, share.sampler, share.schedule, seed=share.seed, threads=share.threads
        )
    solver, before = _solvers[share.key], share.state.value
    solver.restore(before)
    touched = solver.nodes_touched
    solver.walk_from(share.first, share.last)
    after = solver.arrays()
    regret, average = after["regret"] - before["regret"], after["average"] - before["average"]
    return Change(regret, average, solver.nodes_touched - touched)


_solvers: dict[str, BucketedSampled] = {}  # that of the current training of this process
