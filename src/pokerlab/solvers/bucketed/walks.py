"""What an iteration of the bucketed solver is: the walks of one deal, or of all hands of a board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.subtrees import subtrees_of
from pokerlab.solvers.cfr.sampled.sampler import Sampler
from pokerlab.tree.bucketed.betting import LINE, levels
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.resources import aligned

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.fast import FastBuffers
    from pokerlab.solvers.bucketed._kernels.public_chance import BoardBuffers
    from pokerlab.solvers.bucketed._kernels.pure import PureBuffers
    from pokerlab.solvers.bucketed._kernels.sampling import Rule, WalkBuffers
    from pokerlab.solvers.bucketed._kernels.tables import Span, Tables

LEAST_PERIOD = 1000  # iterations
NUMBERS_A_PERIOD = 20  # numbers per iteration of a period: discounting then costs about 1 %
LEAST_BOARDS = 10  # iterations of a period, if an iteration follows all hands of a board
NUMBERS_A_VISIT = 100  # of a period that follows all hands: discounting then costs about 1 %
HEADROOM = 2**30  # counts below 2 ** 31 can be incremented this often by each of the others
BELOW_LIMIT = 31 / 30  # regrets are floored slightly below the pruning limit, so that actions can return


class Walks(ABC):
    """The walks of an iteration, and the sums that they add to."""

    halving_period = 0  # iterations between the halvings of full counts; 0: sums never overflow

    def __init__(self, form: BucketedForm, tables: Tables) -> None:
        self.form, self.tables = form, tables
        self.period = max(LEAST_PERIOD, form.numbers // NUMBERS_A_PERIOD)  # iterations between discounts

    @abstractmethod
    def advance(self, span: Span, players: tuple[int, int], sums: Any) -> int:
        """The iterations of a span, with walks of players in a half-open range; returns nodes visited."""

    def zero_sums(self) -> Any:
        """Regrets and averages at the start, as kernels read them."""
        from pokerlab.solvers.bucketed._kernels.matching import FloatSums

        regret, average = np.zeros(self.form.numbers, np.float32), np.zeros(self.form.numbers, np.float32)
        return FloatSums(regret, regret, average)

    def discount(self, sums: Any, keep: np.ndarray) -> None:
        """Multiply positive regret, negative regret and averages by keep [3]."""
        from pokerlab.solvers.bucketed._kernels.matching import fade

        fade(sums.regret, sums.average, keep)


class PureWalks(Walks):
    """Walks of one deal by Pure CFR, in four-byte integers; `plain`: not by the fast kernel, even if it can."""

    def __init__(self, form: BucketedForm, tables: Tables, *, threads: int, plain: bool) -> None:
        super().__init__(form, tables)
        self.halving_period = HEADROOM // form.players
        self.trees = None if plain else subtrees_of(form, tables)
        self._buffers = [(form.deal_buffers(), self._walk_buffers()) for _ in range(threads)]

    def _walk_buffers(self) -> PureBuffers | FastBuffers:
        from pokerlab.solvers.bucketed._kernels.fast import FastBuffers
        from pokerlab.solvers.bucketed._kernels.pure import PureBuffers, buffer_sizes

        nodes = self.tables.nodes
        if self.trees is not None:
            value = np.zeros(len(nodes) * self.trees.cells + 1, np.int32)
            return FastBuffers(np.zeros(len(nodes) * 8, np.uint64), value, np.zeros(1, np.uint64))
        own, values = np.zeros((2, len(nodes)), np.int64)
        decisions = actions = 0
        for player in range(self.form.players):
            buffer_sizes(player, nodes, own, values)
            decisions, actions = max(decisions, int(own[0])), max(actions, int(values[0]))
        queue = np.zeros((decisions + 1, 4), np.int64)
        return PureBuffers(queue, np.zeros(actions + 1, np.int64), np.zeros(1, np.uint64))

    def zero_sums(self) -> Any:
        """Integers, aligned to cache lines and followed by one unused line."""
        from pokerlab.solvers.bucketed._kernels.tables import Sums

        return Sums(aligned(self.form.numbers + LINE, np.int32), aligned(self.form.numbers + LINE, np.uint32))

    def advance(self, span: Span, players: tuple[int, int], sums: Any) -> int:
        from pokerlab.solvers.bucketed._kernels.fast import advance_fast
        from pokerlab.solvers.bucketed._kernels.pure import advance_pure

        dealt, buffers = self._buffers[span.member]
        if self.trees is None:
            return int(advance_pure(span, self.tables, self.form.deals, dealt, sums, buffers))
        return int(advance_fast(span, self.trees, self.form.deals, dealt, sums, buffers))

    def discount(self, sums: Any, keep: np.ndarray) -> None:
        from pokerlab.solvers.bucketed._kernels.tables import discount

        discount(sums.regret, sums.average, keep)

    def halve_full_counts(self, sums: Any) -> None:
        """Halve the counts of infosets in which one would overflow soon."""
        from pokerlab.solvers.bucketed._kernels.tables import halve_full_counts

        tables = self.tables
        halve_full_counts(tables.nodes, tables.base, tables.rows, np.array(self.form.buckets.counts), sums.average)


class DealWalks(Walks):
    """Walks of one deal."""

    def __init__(self, form: BucketedForm, tables: Tables, sampler: Sampler, unit: float, *, threads: int) -> None:
        super().__init__(form, tables)
        self.rule = rule_of(sampler, form.max_abs_payoff / unit)
        self._buffers = [(form.deal_buffers(), self._walk_buffers()) for _ in range(threads)]

    def _walk_buffers(self) -> WalkBuffers:
        from pokerlab.solvers.bucketed._kernels.sampling import WalkBuffers, entries_needed

        needed = np.zeros(len(self.tables.nodes), np.int64)
        most = 0
        for player in range(self.form.players):
            entries_needed(player, self.rule, self.tables.nodes, needed)
            most = max(most, int(needed[0]))
        return WalkBuffers(np.zeros((most, 4), np.int64), np.zeros((most, 6)), np.zeros(1, np.uint64))

    def advance(self, span: Span, players: tuple[int, int], sums: Any) -> int:
        from pokerlab.solvers.bucketed._kernels.sampling import advance_sampled

        dealt, buffers = self._buffers[span.member]
        return int(advance_sampled(span, players, self.rule, self.tables, self.form.deals, dealt, sums, buffers))


def rule_of(sampler: Sampler, max_abs_payoff: float) -> Rule:
    """What a walk does at decisions, as kernels read it; payoffs in units."""
    from pokerlab.solvers.bucketed._kernels.sampling import Rule

    record = sampler.record
    limit = -sampler.pruning * max_abs_payoff if sampler.pruning else -np.inf
    thresholds = record.exploration, record.bonus, record.threshold, limit, limit * BELOW_LIMIT
    return Rule(record.own, record.others, *thresholds)


class BoardWalks(Walks):
    """Walks of all hands of a board; two players, with one or two cards each."""

    def __init__(self, form: BucketedForm, tables: Tables, *, threads: int) -> None:
        from pokerlab.solvers.bucketed._kernels.public_chance import Hands

        super().__init__(form, tables)
        cards = form.buckets.cards
        if form.players != 2 or cards.private > 2:
            raise BadSetting(
                f"public chance sampling follows the hands of two players with one or two cards each, and {form.name} "
                f"has {form.players} with {cards.private}; external and chance sampling take any"
            )
        left = cards.deck.size - cards.boards[-1]
        self.live = comb(left, cards.private)  # hands that share no card with a board
        hands = np.array(list(combinations(range(cards.deck.size), cards.private)), np.uint8)
        chance = 1 / self.live
        self.hands = Hands(hands, chance, chance / comb(left - cards.private, cards.private))
        self.period = max(LEAST_BOARDS, NUMBERS_A_VISIT * form.numbers // (form.betting.nodes * self.live))
        self._buffers = [self._board_buffers() for _ in range(threads)]

    def _board_buffers(self) -> BoardBuffers:
        from pokerlab.solvers.bucketed._kernels.public_chance import BoardBuffers

        cards, live, arrays = self.form.buckets.cards, self.live, self.form.betting.arrays
        depth, most = len(list(levels(arrays))) + 3, int(arrays.children.max())
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

    def advance(self, span: Span, players: tuple[int, int], sums: Any) -> int:
        from pokerlab.solvers.bucketed._kernels.public_chance import advance_boards

        deals = self.form.deals._replace(players=1)
        return int(advance_boards(span, players, self.hands, self.tables, deals, sums, self._buffers[span.member]))
