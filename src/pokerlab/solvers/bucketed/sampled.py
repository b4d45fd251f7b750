"""Monte-Carlo CFR on the bucketed form: regrets and averages as floats of four bytes.

Such a number has 24 binary digits. For regrets that is enough: positive regret grows with the square root of visits, so
what a visit adds keeps ten digits or more after a hundred million of them; only very negative regret, of actions that
are not played, may stop sinking. An average grows with every visit and would stop after some millions: what is added to
it is therefore rounded up or down by chance, so that sums are exact in the mean however long they grow.

Schedules (cfr, linear-cfr, dcfr) discount once in a period of many iterations, which is what one step is to them, since
each discount touches every number.

Threads share the numbers without locks, and one's update may be lost where two meet: a run with several threads is not
repeatable. With one it is.
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

BELOW_LIMIT = 31 / 30  # regrets stop sinking a little below the limit of pruning, so that actions can come back
LEAST_BOARDS = 10  # iterations of a period, where one follows all hands of a board
NUMBERS_A_VISIT = 100  # of a period that follows all hands: discounting then costs about a hundredth


class Walks(Protocol):
    """What an iteration is."""

    period: int  # iterations between discounts

    def advance(self, span: Span, players: tuple[int, int], sums: FloatSums) -> int:
        """The iterations of a span, with walks of players from the first to before the last; returns nodes visited."""
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
        """The iterations of a span: a deal each."""
        from pokerlab.solvers.bucketed._kernels.sampling import advance_sampled

        dealt, room = self._rooms[span.member]
        return int(advance_sampled(span, players, self.rule, self.tables, self.form.deals, dealt, sums, room))


def rule_of(sampler: Sampler, stakes: float) -> Rule:
    """What a walk does at decisions, as kernels read it; stakes in units."""
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
        """The iterations of a span: a board each."""
        from pokerlab.solvers.bucketed._kernels.public_chance import advance_boards

        deals = self.form.deals._replace(players=1)
        return int(advance_boards(span, players, self.hands, self.tables, deals, sums, self._rooms[span.member]))


def _depth(form: BucketedForm) -> int:
    """The most nodes on the way from the root to an end."""
    children = form.betting.arrays.children.astype(np.int64)
    begin, end, depth = 0, 1, 0
    while begin < end:  # a level of the tree after the other
        begin, end, depth = end, end + int(children[begin:end].sum()), depth + 1
    return depth


class BucketedSampled(AverageSolver):
    """Monte-Carlo CFR at work. An iteration is one deal, or one board, and a walk of each player."""

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
        """Iterations up to `last`, shared out to the threads."""
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
        """What a schedule does before its next step, with so many behind it."""
        from pokerlab.solvers.bucketed._kernels.matching import fade

        step = self.schedule.step(periods + 1)
        keep = np.array([step.keep_positive, step.keep_negative, step.keep_average])
        fade(self._sums.regret, self._sums.average, keep)

    def estimate(
        self, profile: np.ndarray, *, player: int, first: int, iterations: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Means over iterations of a player's walks in which everybody keeps to a profile; sums stay as they are.

        The sampled regret of each action, in chips, and the weight that each action of the next player gets in his
        average; the means of both do not depend on how walks are sampled.  # [number] each
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
        """The averages, as they grow: a view that may be looked at between steps.  # [number] float32"""
        return np.asarray(self._sums.average)

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies as the form lays numbers out; play is in proportion to them.  # [number] float32"""
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
