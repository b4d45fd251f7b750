"""Monte-Carlo CFR on the bucketed form: regrets and averages as float32.

A float32 has 24 bits of precision. For regrets that is enough: positive regret grows with the square root of visits, so
the increment of a visit keeps ten bits or more after a hundred million of them; only very negative regret, of actions
that are not played, may stop falling. An average grows with every visit and would stop after some millions: its
increments are therefore rounded stochastically, so that sums are unbiased however large they grow.

Schedules (cfr, linear-cfr, dcfr) discount once per period of many iterations, which is one step of the schedule, since
each discount touches every number.

Threads share the numbers without locks, and concurrent updates may be lost: a run with several threads is not
reproducible. With one thread it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.parallel import ThreadTeam
from pokerlab.solvers.bucketed.averages import AverageSolver
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.exchange import ExchangeWalks
from pokerlab.solvers.bucketed.pure import LEAST_PERIOD, NUMBERS_A_PERIOD, check_schedule
from pokerlab.solvers.cfr.sampled.sampler import Sampler, seed_word
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import BucketedForm

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.matching import FloatSums
    from pokerlab.solvers.bucketed._kernels.public_chance import BoardBuffers
    from pokerlab.solvers.bucketed._kernels.sampling import Rule, WalkBuffers
    from pokerlab.solvers.bucketed._kernels.tables import Span, Tables

BELOW_LIMIT = 31 / 30  # regrets are floored slightly below the pruning limit, so that actions can return
LEAST_BOARDS = 10  # iterations of a period, if an iteration follows all hands of a board
NUMBERS_A_VISIT = 100  # of a period that follows all hands: discounting then costs about 1 %


class Walks(Protocol):
    """What an iteration is."""

    period: int  # iterations between discounts

    def advance(self, span: Span, players: tuple[int, int], sums: FloatSums) -> int:
        """The iterations of a span, with walks of players in a half-open range; returns nodes visited."""
        ...


class DealWalks:
    """Walks of one deal."""

    def __init__(self, form: BucketedForm, tables: Tables, sampler: Sampler, unit: float, *, threads: int) -> None:
        self.form, self.tables = form, tables
        self.rule = rule_of(sampler, form.max_abs_payoff / unit)
        self.period = max(LEAST_PERIOD, form.numbers // NUMBERS_A_PERIOD)
        self._rooms = [(form.deal_buffers(), self._room()) for _ in range(threads)]

    def _room(self) -> WalkBuffers:
        from pokerlab.solvers.bucketed._kernels.sampling import WalkBuffers, entries_needed

        needed = np.zeros(len(self.tables.nodes), np.int64)
        most = 0
        for player in range(self.form.players):
            entries_needed(player, self.rule, self.tables.nodes, needed)
            most = max(most, int(needed[0]))
        return WalkBuffers(np.zeros((most, 4), np.int64), np.zeros((most, 6)), np.zeros(1, np.uint64))

    def advance(self, span: Span, players: tuple[int, int], sums: FloatSums) -> int:
        """The iterations of a span: one deal each."""
        from pokerlab.solvers.bucketed._kernels.sampling import advance_sampled

        dealt, room = self._rooms[span.member]
        return int(advance_sampled(span, players, self.rule, self.tables, self.form.deals, dealt, sums, room))


def rule_of(sampler: Sampler, stakes: float) -> Rule:
    """What a walk does at decisions, as kernels read it; payoffs in units."""
    from pokerlab.solvers.bucketed._kernels.sampling import Rule

    record = sampler.record
    limit = -sampler.pruning * stakes if sampler.pruning else -np.inf
    numbers = record.exploration, record.bonus, record.threshold, limit, limit * BELOW_LIMIT
    return Rule(record.own, record.others, *numbers)


class BoardWalks:
    """Walks of all hands of a board; two players, with one or two cards each."""

    def __init__(self, form: BucketedForm, tables: Tables, *, threads: int) -> None:
        from pokerlab.solvers.bucketed._kernels.public_chance import Hands

        cards = form.buckets.cards
        if form.players != 2 or cards.private > 2:
            raise BadSetting(
                f"public chance sampling follows the hands of two players with one or two cards each, and {form.name} "
                f"has {form.players} with {cards.private}; external and chance sampling take any"
            )
        self.form, self.tables = form, tables
        left = cards.deck.size - cards.boards[-1]
        self.live = comb(left, cards.private)  # hands that share no card with a board
        every = np.array(list(combinations(range(cards.deck.size), cards.private)), np.uint8)
        one = 1 / self.live
        self.hands = Hands(every, one, one / comb(left - cards.private, cards.private))
        visits = form.betting.nodes * self.live
        self.period = max(LEAST_BOARDS, NUMBERS_A_VISIT * form.numbers // visits)
        self._rooms = [self._room() for _ in range(threads)]

    def _room(self) -> BoardBuffers:
        from pokerlab.solvers.bucketed._kernels.public_chance import BoardBuffers

        cards, live = self.form.buckets.cards, self.live
        depth, most = _depth(self.form) + 2, int(self.form.betting.arrays.children.max())
        return BoardBuffers(
            board=np.zeros((1, cards.boards[-1]), np.uint8),
            dealt=self.form.deal_buffers(live, players=1),
            cards=np.zeros((live, 2), np.uint8),
            strength=np.zeros(live, np.int32),
            bucket=np.zeros((cards.rounds, live), np.int32),
            by_bucket=np.zeros((cards.rounds, live), np.int32),
            path=np.zeros((depth, 2), np.int64),
            reach=np.zeros((depth, live)),
            play=np.zeros((depth, most, live)),
            value=np.zeros((depth, most, live)),
            card=np.zeros((3, cards.deck.size + 1)),
            state=np.zeros(1, np.uint64),
        )

    def advance(self, span: Span, players: tuple[int, int], sums: FloatSums) -> int:
        """The iterations of a span: one board each."""
        from pokerlab.solvers.bucketed._kernels.public_chance import advance_boards

        deals = self.form.deals._replace(players=1)
        return int(advance_boards(span, players, self.hands, self.tables, deals, sums, self._rooms[span.member]))


def _depth(form: BucketedForm) -> int:
    """The largest number of nodes from the root to a terminal node."""
    children = form.betting.arrays.children.astype(np.int64)
    begin, end, depth = 0, 1, 0
    while begin < end:  # one level of the tree at a time
        begin, end, depth = end, end + int(children[begin:end].sum()), depth + 1
    return depth


class BucketedSampled(AverageSolver):
    """Monte-Carlo CFR. An iteration is one deal, or one board, and one walk per player."""

    def __init__(
        self,
        form: BucketedForm,
        sampler: Sampler,
        schedule: Schedule,
        *,
        seed: int,
        threads: int = 1,
        period: int = 0,
    ) -> None:
        from pokerlab.solvers.bucketed._kernels.matching import FloatSums

        check_schedule(schedule)
        self.form, self.schedule = form, schedule
        self.iterations = 0
        self.nodes_touched = 0
        self._discounts = schedule.step(2) != Step()
        self._seed = seed_word(seed)
        self._tables, self.unit = tables_of(form)
        self._walks: Walks
        if form.has_draws:
            self._walks = ExchangeWalks(cast(ExchangeForm, form), self._tables, sampler, threads=threads)
        elif sampler.chance == "public":
            self._walks = BoardWalks(form, self._tables, threads=threads)
        else:
            self._walks = DealWalks(form, self._tables, sampler, self.unit, threads=threads)
        self.period = period or self._walks.period
        regret, average = np.zeros(form.numbers, np.float32), np.zeros(form.numbers, np.float32)
        self._sums = FloatSums(regret, regret, average)
        self._team = ThreadTeam(threads)

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        last = self.iterations + iterations
        while self.iterations < last:
            if self._discounts and self.iterations and self.iterations % self.period == 0:
                self._discount(self.iterations // self.period)
            following = (self.iterations // self.period + 1) * self.period if self._discounts else last
            self._walk(min(last, following))

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

    def _discount(self, periods: int) -> None:
        """The discounts of a schedule before its next step, after this many."""
        from pokerlab.solvers.bucketed._kernels.matching import fade

        step = self.schedule.step(periods + 1)
        keep = np.array([step.keep_positive, step.keep_negative, step.keep_average])
        fade(self._sums.regret, self._sums.average, keep)

    def estimate(
        self, profile: np.ndarray, *, player: int, first: int, iterations: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Means over iterations of a player's walks in which everybody plays a fixed profile; sums do not
        change.

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
        """The current averages: a view that may be read between steps.  # [number] float32"""
        return np.asarray(self._sums.average)

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies in the form's layout, as numbers they are proportional to.  # [number] float32"""
        return {"average": self._sums.average.copy()}

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return self.strategy_arrays() | {
            "regret": self._sums.regret.copy(),
            "random": self._seed.copy(),
            "counts": np.array([self.iterations, self.nodes_touched]),
            "unit": np.array([self.unit]),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError when its regrets are in another unit."""
        if float(arrays["unit"][0]) != self.unit:
            raise ValueError(f"regrets in units of {float(arrays['unit'][0])}, not of {self.unit}")
        self._sums.regret[:] = arrays["regret"]
        self._sums.average[:] = arrays["average"]
        self._seed[:] = arrays["random"]
        self.iterations, self.nodes_touched = (int(count) for count in arrays["counts"])
