"""How often two players hold each pair of buckets, and who wins: all that a bucketed game needs to know about cards.

A player who remembers earlier buckets knows no more than the bucket of the current round. So the abstract game is
determined by the chance of each pair of buckets in the last round, and by how much more often the first of the two wins
than loses; those of earlier rounds are sums. Small games are counted over every deal. For larger ones some boards are
drawn, and all pairs of hands are counted on each: the game is then the one in which chance deals these boards alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pokerlab import store
from pokerlab.abstraction.buckets import Buckets
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.tree.bucketed.inside import InsideGame, check_size, every_deal, has_perfect_recall
from pokerlab.tree.forecast import available_memory, bytes_text
from pokerlab.tree.form import SHARE_OF_MEMORY

if TYPE_CHECKING:
    from pokerlab.tree.bucketed._kernels.pairs import BoardHands
    from pokerlab.tree.bucketed.form import BucketedForm

FEW = 4096  # buckets of a round, up to which small games are computed by pairs too
SEQUENCE_BYTES = 160.0  # the treeplexes, where payoffs are, and ten vectors of a solver
NOTHING = -1  # the round of a player who has not acted, with a single bucket


@dataclass(frozen=True, eq=False)
class BucketPairs:
    """Two players' buckets, dealt together. A round NOTHING has one bucket."""

    dealt: np.ndarray  # [bucket, bucket] float64: the probability of a pair in the last round; symmetric
    won: np.ndarray  # [bucket, bucket] float64: the same, times the chance to win less that to lose; antisymmetric
    above: tuple[np.ndarray, ...]  # [round] of [bucket]: the bucket of the round before; NOTHING for the first
    boards: int  # drawn at random; 0: every deal was counted

    def implied(self, round: int, earlier: int) -> np.ndarray:
        """The bucket of an earlier round that each bucket of a round implies.  # [bucket]"""
        held = np.arange(len(self.above[round]) if round != NOTHING else 1)
        for between in range(round, earlier, -1):
            held = self.above[between][held]
        return np.maximum(held, 0)

    def within(self, matrix: np.ndarray, row: int, column: int) -> np.ndarray:
        """A matrix of the last round, summed over rows and columns to buckets of earlier rounds."""
        for axis, round in enumerate((row, column)):
            if round < len(self.above) - 1:
                held = self.implied(len(self.above) - 1, round)
                order = np.argsort(held, kind="stable")
                starts = np.searchsorted(held[order], np.arange(self.count(round)))
                matrix = _sums(np.take(matrix, order, axis=axis), starts, axis=axis)
        return matrix

    def count(self, round: int) -> int:
        """The number of buckets of a round."""
        return 1 if round == NOTHING else len(self.above[round])

    @cached_property
    def chances(self) -> dict[tuple[int, int], np.ndarray]:
        """The probability of a pair of buckets of any two rounds.  # by (round, round): [bucket, bucket]"""
        return self._all(self.dealt)

    @cached_property
    def gains(self) -> dict[tuple[int, int], np.ndarray]:
        """The same, times the chance to win the showdown less that to lose it."""
        return self._all(self.won)

    def _all(self, last: np.ndarray) -> dict[tuple[int, int], np.ndarray]:
        rounds = range(NOTHING, len(self.above))
        return {(row, column): self.within(last, row, column) for row in rounds for column in rounds}


def _sums(matrix: np.ndarray, starts: np.ndarray, *, axis: int) -> np.ndarray:
    """Sums of consecutive rows or columns; 0 where there are none."""
    ends = np.append(starts[1:], matrix.shape[axis])
    filled = np.flatnonzero(ends > starts)
    shape = (len(starts), matrix.shape[1]) if axis == 0 else (matrix.shape[0], len(starts))
    sums = np.zeros(shape)
    if len(filled):
        parts = np.add.reduceat(matrix, starts[filled], axis=axis)
        sums[(filled,) if axis == 0 else (slice(None), filled)] = parts
    return sums


def bucket_pairs(form: BucketedForm) -> BucketPairs | None:
    """The pairs of a form; None for a small game with many buckets, where walking every deal is quicker.

    BadSetting without two players or without perfect recall, TooLarge if the pairs do not fit in memory.
    """
    buckets = form.buckets
    if form.players != 2:
        raise BadSetting(
            f"pairs of buckets describe games of two players, and {form.name} has {form.players}: train with a "
            "sampler such as pure or external"
        )
    if not has_perfect_recall(form):
        raise BadSetting(
            f"the buckets of {form.name} forget those of earlier rounds, so that strategies over them have no "
            "realization plans: make them with perfect recall, or train with a sampler such as pure or external"
        )
    count, small = buckets.counts[-1], is_small(form)
    if small and count > FEW:
        return None
    limit, needed = SHARE_OF_MEMORY * available_memory(), plan_bytes(form)
    if needed > limit:
        raise TooLarge(
            f"plans of {form.name} over {buckets.text} buckets take {bytes_text(needed)}, more than the "
            f"{bytes_text(limit)} available: choose fewer buckets a round or fewer bet sizes, or train with a sampler"
        )
    if small:
        deals = every_deal(buckets.cards)
        return _counted(InsideGame(form, deals))
    sample = form.sample
    stored = store.computed(
        f"pairs-{buckets.fingerprint}-{sample.boards}-{sample.seed}",
        lambda: _sampled(form),
        kind="pairs of buckets",
        buckets=buckets.text,
    )
    dealt, won = (stored.arrays.get(name, np.zeros(0)) for name in ("dealt", "won"))
    if dealt.shape != (count, count) or won.shape != (count, count):  # a file that copies another's fingerprint
        raise BadSetting(f"{buckets.file or 'these buckets'} are not the buckets that their fingerprint names")
    return BucketPairs(dealt, won, parents(buckets), sample.boards)


def plan_bytes(form: BucketedForm) -> float:
    """What plans take: two matrices for every two rounds, as much again while they are summed, and the sequences."""
    return 4 * 8.0 * float(sum((1, *form.buckets.counts))) ** 2 + SEQUENCE_BYTES * form.numbers


def is_small(form: BucketedForm) -> bool:
    """Whether every deal can be counted."""
    try:
        check_size(form.buckets.cards)
    except TooLarge:
        return False
    return True


def parents(buckets: Buckets) -> tuple[np.ndarray, ...]:
    """The bucket of the round before that each bucket implies; NOTHING for the first round.  # [round] of [bucket]"""
    above = [np.full(buckets.counts[0], NOTHING)]
    for one, before in zip(buckets.rounds[1:], buckets.counts, strict=False):
        if one.join is None:
            raise BadSetting("some rounds of these buckets remember earlier ones and others do not: make them again")
        held = np.full(one.count, NOTHING)
        for parent in range(before):
            below = np.unique(one.join[parent])
            if ((held[below] != NOTHING) & (held[below] != parent)).any():
                raise BadSetting("a bucket follows two buckets of the round before: it does not remember it")
            held[below] = parent
        above.append(held)
    return tuple(above)


def _counted(inside: InsideGame) -> BucketPairs:
    """Every deal of a small game."""
    from pokerlab.tree.bucketed._kernels.pairs import BoardHands, PairSums, add_board

    deals, count = inside.deals, inside.form.buckets.counts[-1]
    sums, last, total = PairSums(np.zeros((count, count)), np.zeros((count, count))), len(deals.boards) - 1, 0.0
    bits = (np.uint64(1) << deals.hands.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    for board, weight in enumerate(deals.weight(last).tolist()):
        own = np.flatnonzero(deals.live[last][board])
        held, strength = inside.buckets[last][board][own], deals.strength[board][own]
        hands = BoardHands(bits[own], held.astype(np.int32), strength.astype(np.int32))
        total += float(add_board(len(own), weight, hands, sums))
    return BucketPairs(*_symmetric(sums.dealt, sums.won, total), _implied_above(inside), 0)


def _implied_above(inside: InsideGame) -> tuple[np.ndarray, ...]:
    """As `parents`, from the deals: also for lossless buckets, which store no joins.  # [round] of [bucket]"""
    deals, counts = inside.deals, inside.form.buckets.counts
    above = [np.full(counts[0], NOTHING)]
    for round in range(1, len(counts)):
        implied, there = np.zeros(counts[round], np.int64), deals.live[round] > 0
        implied[inside.buckets[round][there]] = inside.buckets[round - 1][deals.above[round]][there]
        above.append(implied)
    return tuple(above)


def _sampled(form: BucketedForm) -> dict[str, np.ndarray]:
    """All pairs of hands on random boards."""
    from pokerlab.tree.bucketed._kernels.pairs import PairSums, add_sampled_boards

    cards, count = form.buckets.cards, form.buckets.counts[-1]
    every = np.array(list(combinations(range(cards.deck.size), cards.private)), np.uint8)
    sums = PairSums(np.zeros((count, count)), np.zeros((count, count)))
    state = np.random.SeedSequence(form.sample.seed).generate_state(1, np.uint64)
    board = np.zeros((1, cards.boards[-1]), np.uint8)
    deals, dealt = form.deals._replace(players=1), form.deal_buffers(len(every), players=1)
    total = add_sampled_boards(form.sample.boards, every, deals, dealt, board, _hands(len(every)), sums, state)
    dealt_pairs, won = _symmetric(sums.dealt, sums.won, float(total))
    return {"dealt": dealt_pairs, "won": won}


def _hands(count: int) -> BoardHands:
    """Buffers for the hands on a board."""
    from pokerlab.tree.bucketed._kernels.pairs import BoardHands

    return BoardHands(np.zeros(count, np.uint64), np.zeros(count, np.int32), np.zeros(count, np.int32))


def _symmetric(dealt: np.ndarray, won: np.ndarray, total: float) -> tuple[np.ndarray, np.ndarray]:
    """Sums in one order of two hands as probabilities in both orders."""
    return (dealt + dealt.T) / (2 * total), (won - won.T) / (2 * total)
