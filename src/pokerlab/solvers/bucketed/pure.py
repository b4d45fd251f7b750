"""Pure CFR on the bucketed form: regrets and averages as four-byte integers.

Regrets are in units of the payoffs (betting_units.py) and are clamped at +-2 ** 30 units: regret matching bounds
positive regret by the square root of the number of visits times the largest payoff, which is far smaller. Averages
count how often an action was sampled; at fixed iterations, long before overflow, those of infosets with a count above 2
** 31 are halved.

Discounts (schedule linear-cfr or dcfr) are applied once per period of many iterations, which is one step of the
schedule, since each touches every number.

Threads share the numbers without locks, and concurrent updates may be lost: a run with several threads is not
reproducible. With one thread it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.parallel import ThreadTeam
from pokerlab.solvers.bucketed.averages import AverageSolver
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.subtrees import subtrees_of
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.bucketed.betting import LINE
from pokerlab.tree.bucketed.form import BucketedForm

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.fast import FastBuffers, Subtrees
    from pokerlab.solvers.bucketed._kernels.pure import PureBuffers
    from pokerlab.solvers.bucketed._kernels.tables import Tables
    from pokerlab.tree.bucketed._kernels.deals import DealBuffers

ROOM_FOR = 2**30  # headroom: counts below 2 ** 31 can be incremented this often by each of the others
LEAST_PERIOD = 1000  # iterations
NUMBERS_A_PERIOD = 20  # numbers per iteration of a period: discounting then costs about 1 %


class BucketedPure(AverageSolver):
    """Pure CFR. An iteration is one deal and one walk per player."""

    def __init__(
        self,
        form: BucketedForm,
        schedule: Schedule,
        *,
        seed: int,
        threads: int = 1,
        period: int = 0,
        plain: bool = False,
    ) -> None:
        from pokerlab.solvers.bucketed._kernels.tables import Sums

        check_schedule(schedule)
        self.form, self.schedule = form, schedule
        self.period = period or max(LEAST_PERIOD, form.numbers // NUMBERS_A_PERIOD)
        self.iterations = 0
        self.nodes_touched = 0
        self._discounts = schedule.step(2) != Step()
        self._make_room_every = ROOM_FOR // form.players
        self._seed = seed_word(seed)
        self._tables, self.unit = tables_of(form)
        self._trees = None if plain else subtrees_of(form, self._tables)
        self._sums = Sums(aligned(form.numbers, np.int32), aligned(form.numbers, np.uint32))
        self._team = ThreadTeam(threads)
        self._rooms = [self._room() for _ in range(threads)]

    def _room(self) -> tuple[DealBuffers, PureBuffers | FastBuffers]:
        """The buffers of one thread: its deals, its walks."""
        room = (
            _plain_room(self._tables, self.form.players)
            if self._trees is None
            else _fast_room(self._trees, len(self._tables.nodes))
        )
        return self.form.deal_buffers(), room

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        last = self.iterations + iterations
        pauses = [self._make_room_every, self.period] if self._discounts else [self._make_room_every]
        while self.iterations < last:
            if self.iterations:
                self._pause()
            self._walk(min(last, *((self.iterations // every + 1) * every for every in pauses)))

    def _pause(self) -> None:
        """Maintenance due before the next iteration, at fixed ones: halving counts, and the schedule's next step."""
        from pokerlab.solvers.bucketed._kernels.tables import discount, make_room

        tables, average = self._tables, self._sums.average
        if self.iterations % self._make_room_every == 0:
            make_room(tables.nodes, tables.base, tables.rows, np.array(self.form.buckets.counts), average)
        if self._discounts and self.iterations % self.period == 0:
            step = self.schedule.step(self.iterations // self.period + 1)
            keep = np.array([step.keep_positive, step.keep_negative, step.keep_average])
            discount(self._sums.regret, average, keep)

    def _walk(self, last: int) -> None:
        """Run iterations up to `last`, distributed over the threads."""
        from pokerlab.solvers.bucketed._kernels.fast import advance_fast
        from pokerlab.solvers.bucketed._kernels.pure import advance_pure
        from pokerlab.solvers.bucketed._kernels.tables import Span

        first, members = self.iterations, self._team.members
        visited = [0] * members

        def work(member: int) -> None:
            span = Span(first, last, member, members, self._seed[0])
            dealt, room = self._rooms[member]
            walked = self.form.deals, dealt, self._sums, room
            visited[member] = int(
                advance_pure(span, self._tables, *walked)
                if self._trees is None
                else advance_fast(span, self._trees, *walked)
            )

        self._team.run(work)
        self.nodes_touched += sum(visited)
        self.iterations = last

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """How often each action was sampled, in the form's layout.  # [number] uint32"""
        return {"average": self._sums.average[: self.form.numbers].copy()}

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return self.strategy_arrays() | {
            "regret": self._sums.regret[: self.form.numbers].copy(),
            "random": self._seed.copy(),
            "counts": np.array([self.iterations, self.nodes_touched]),
            "unit": np.array([self.unit]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError when its regrets are in another unit."""
        if float(arrays["unit"][0]) != self.unit:
            raise ValueError(f"regrets in units of {float(arrays['unit'][0])}, not of {self.unit}")
        self._sums.regret[: self.form.numbers] = arrays["regret"]
        self._sums.average[: self.form.numbers] = arrays["average"]
        self._seed[:] = arrays["random"]
        self.iterations, self.nodes_touched = (int(count) for count in arrays["counts"])


def aligned(numbers: int, dtype: Any) -> np.ndarray:
    """Zeros aligned to a cache line, followed by one unused line."""
    room = np.zeros(numbers + 2 * LINE, dtype)
    first = -room.ctypes.data // room.itemsize % LINE
    return room[first : first + numbers + LINE]


def _plain_room(tables: Tables, players: int) -> PureBuffers:
    from pokerlab.solvers.bucketed._kernels.pure import PureBuffers, room_needed

    own, values = np.zeros((2, len(tables.nodes)), np.int64)
    decisions = actions = 0
    for player in range(players):
        room_needed(player, tables.nodes, own, values)
        decisions, actions = max(decisions, int(own[0])), max(actions, int(values[0]))
    queue = np.zeros((decisions + 1, 4), np.int64)
    return PureBuffers(queue, np.zeros(actions + 1, np.int64), np.zeros(1, np.uint64))


def _fast_room(trees: Subtrees, places: int) -> FastBuffers:
    from pokerlab.solvers.bucketed._kernels.fast import FastBuffers

    value = np.zeros(places * trees.cells + 1, np.int32)
    return FastBuffers(np.zeros(places * 8, np.uint64), value, np.zeros(1, np.uint64))


def check_schedule(schedule: Schedule) -> None:
    """Raise BadSetting if a schedule does more than discount."""
    steps = schedule.table(1, 4)
    plain = np.array([Step().floor, Step().average_weight, Step().prediction], float)
    if (steps[:, [2, 4, 5]] != plain).any():
        raise BadSetting(
            f"the schedule {schedule.name} floors or predicts regrets or leaves steps out of the average, which the "
            "bucketed form cannot; choose cfr, linear-cfr or dcfr"
        )
