"""Monte-Carlo CFR on the bucketed form: regrets and averages as four-byte numbers.

Most samplers use float32, with 24 bits of precision. For regrets that is enough: positive regret grows with the square
root of visits, so the increment of a visit keeps ten bits or more after a hundred million of them; only very negative
regret, of actions that are not played, may stop falling. An average grows with every visit and would stop after some
millions: its increments are therefore rounded stochastically, so that sums are unbiased however large they grow.

Pure CFR uses integers. Its regrets are in units of the payoffs (betting_units.py) and are clamped at +-2 ** 30 units:
regret matching bounds positive regret by the square root of the number of visits times the largest payoff, which is far
smaller. Its averages count how often an action was sampled; at fixed iterations, long before overflow, those of
infosets with a count above 2 ** 31 are halved.

Schedules (cfr, linear-cfr, dcfr) discount once per period of many iterations, which is one step of the schedule, since
each discount touches every number.

Threads share the numbers without locks, and concurrent updates may be lost: a run with several threads is not
reproducible. With one thread it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.parallel import ThreadTeam
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.exchange import ExchangeWalks
from pokerlab.solvers.bucketed.walks import BoardWalks, DealWalks, PureWalks, Walks
from pokerlab.solvers.cfr.sampled.sampler import Sampler, seed_word
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure


class BucketedSampled:
    """Monte-Carlo CFR. An iteration is one deal, or one board, and one walk per player.

    `plain`: Pure CFR by the kernel for any betting, for comparison with the fast one, whose results are the same.
    """

    def __init__(
        self,
        form: BucketedForm,
        sampler: Sampler,
        schedule: Schedule,
        *,
        seed: int,
        threads: int = 1,
        period: int = 0,
        plain: bool = False,
    ) -> None:
        check_schedule(schedule)
        self.form, self.schedule = form, schedule
        self.iterations = 0
        self.nodes_touched = 0
        self._discounts = schedule.step(2) != Step()
        self._seed = seed_word(seed)
        self._tables, self.unit = tables_of(form)
        self._walks: Walks
        if sampler.own == "pure":
            self._walks = PureWalks(form, self._tables, threads=threads, plain=plain)
        elif form.has_draws:
            self._walks = ExchangeWalks(cast(ExchangeForm, form), self._tables, sampler, threads=threads)
        elif sampler.chance == "public":
            self._walks = BoardWalks(form, self._tables, threads=threads)
        else:
            self._walks = DealWalks(form, self._tables, sampler, self.unit, threads=threads)
        self.period = period or self._walks.period
        self._sums = self._walks.zero_sums()
        self._team = ThreadTeam(threads)

    def advance(self, iterations: int) -> None:
        last = self.iterations + iterations
        pauses = [self._walks.halving_period, self.period if self._discounts else 0]
        while self.iterations < last:
            if self.iterations:
                self._pause()
            self._walk(min([last, *((self.iterations // every + 1) * every for every in pauses if every)]))

    def _pause(self) -> None:
        """Maintenance due before the next iteration, at fixed ones: halving counts, and the schedule's next step."""
        walks = self._walks
        if isinstance(walks, PureWalks) and self.iterations % walks.halving_period == 0:
            walks.halve_full_counts(self._sums)
        if self._discounts and self.iterations % self.period == 0:
            step = self.schedule.step(self.iterations // self.period + 1)
            walks.discount(self._sums, np.array([step.keep_positive, step.keep_negative, step.keep_average]))

    def walk_from(self, first: int, last: int) -> None:
        """Run only some iterations: a share of an interval in which nothing is due."""
        self.iterations = first
        self._walk(last)

    def _walk(self, last: int) -> None:
        """Run iterations up to `last`, distributed over the threads."""
        from pokerlab.solvers.bucketed._kernels.tables import Span

        first, members = self.iterations, self._team.members
        visited = [0] * members

        def work(member: int) -> None:
            span = Span(first, last, member, members, self._seed[0])
            visited[member] = self._walks.advance(span, (0, self.form.players), self._sums)

        self._team.run(work)
        self.nodes_touched += sum(visited)
        self.iterations = last

    def estimate(
        self, profile: np.ndarray, *, player: int, first: int, iterations: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Means over iterations of a player's walks in which everybody plays a fixed profile; sums do not change.

        Returns the sampled regret of each action, in chips, and the weight of each of the next player's actions
        in their average. The expectation of both does not depend on the sampling method.  # [number] each
        """
        from pokerlab.solvers.bucketed._kernels.matching import FloatSums
        from pokerlab.solvers.bucketed._kernels.tables import Span

        regret, average = np.zeros((2, self.form.numbers), np.float32)
        sums = FloatSums(np.asarray(profile, np.float32), regret, average)
        span = Span(first, first + iterations, 0, 1, self._seed[0])
        self._walks.advance(span, (player, player + 1), sums)
        return regret * (self.unit / iterations), average / iterations

    @property
    def average(self) -> np.ndarray:
        """The current averages: a view that may be read between steps.  # [number]"""
        return np.asarray(self._sums.average[: self.form.numbers])

    def measure(self) -> Measure:
        """The measure of the average strategies in the real game; unknown if that is too large."""
        return self.form.measure(self.form.unpack(self.strategy_arrays()))

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies in the form's layout, as numbers they are proportional to: a view.  # [number]"""
        return {"average": self.average}

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state; regrets and averages, which may take most of the memory, as views."""
        return self.strategy_arrays() | {
            "regret": np.asarray(self._sums.regret[: self.form.numbers]),
            "random": self._seed.copy(),
            "counts": np.array([self.iterations, self.nodes_touched]),
            "unit": np.array([self.unit]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError when its regrets are in another unit."""
        if float(arrays["unit"][0]) != self.unit:
            raise ValueError(f"regrets in units of {float(arrays['unit'][0])}, not of {self.unit}")
        self._sums.regret[: self.form.numbers] = arrays["regret"]
        self.average[:] = arrays["average"]
        self._seed[:] = arrays["random"]
        self.iterations, self.nodes_touched = (int(count) for count in arrays["counts"])


def check_schedule(schedule: Schedule) -> None:
    """Raise BadSetting if a schedule does more than discount."""
    steps = schedule.table(1, 4)
    plain = np.array([Step().floor, Step().average_weight, Step().prediction], float)
    if (steps[:, [2, 4, 5]] != plain).any():
        raise BadSetting(
            f"the schedule {schedule.name} floors or predicts regrets or leaves steps out of the average, which the "
            "bucketed form cannot; choose cfr, linear-cfr or dcfr"
        )
