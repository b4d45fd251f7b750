"""Buckets of a whole game, made from the last round to the first, because earlier rounds may look ahead.

With perfect recall, the order of the board matters, and rounds are clustered within the buckets of the previous round.
Games with too many such hands do it differently: rounds are clustered as usual, and a bucket is the class of this round
together with those of all earlier rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.by_feature import ByPoints
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import label_type
from pokerlab.abstraction.method import ClusteringTask, Method, ValueFunction, open_method
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.events import SILENT, Watch

IMPERFECT, PERFECT = "imperfect", "perfect"
MOST_WITHIN = 3_000_000  # most hands of a round that are clustered within buckets
MOST_BUCKETS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class FinishedRound:
    """A finished round: the payload of an event."""

    round: int
    buckets: RoundBuckets


@dataclass(frozen=True)
class Plan:
    """What to make for each round."""

    cards: CardRounds
    methods: tuple[str, ...]  # one per round
    recall: str = IMPERFECT
    seed: int = 0

    def __post_init__(self) -> None:
        if self.recall not in (IMPERFECT, PERFECT):
            raise BadSetting(f"recall is {IMPERFECT} or {PERFECT}, not {self.recall[:40]!r}")
        if len(self.methods) != self.cards.rounds:
            raise BadSetting(f"the game has {self.cards.rounds} rounds, and {len(self.methods)} methods were named")
        for text in self.methods:
            open_method(text)  # raises errors before the work starts

    @property
    def within(self) -> bool:
        """Whether rounds are clustered within the buckets of the previous round."""
        if self.recall == IMPERFECT:
            return False
        methods = [open_method(text) for text in self.methods]
        if not all(isinstance(method, ByPoints) or method.is_nested for method in methods):
            return False  # methods that look ahead cluster all hands of a round at once
        ordered = replace(self.cards, ordered=True)
        return all(ordered.hands(round) <= MOST_WITHIN for round in range(ordered.rounds))


def make(
    plan: Plan,
    *,
    threads: int = 1,
    watch: Watch = SILENT,
    done: Mapping[int, RoundBuckets] | None = None,
    values: ValueFunction | None = None,
) -> Buckets:
    """Make buckets; rounds in `done` are reused, and an event reports each finished round.

    `values` computes the expected values of hands for methods that compare them.
    """
    if plan.within:
        return _within(plan, threads=threads, watch=watch, values=values)
    rounds: list[RoundBuckets] = []  # the last round first
    for round in reversed(range(plan.cards.rounds)):
        own = (done or {}).get(round)
        if own is None:
            following = rounds[-1] if rounds else None
            work = ClusteringTask(plan.cards, round, plan.seed, threads, watch, following, values)
            own = open_method(plan.methods[round]).make_buckets(work)
            watch.at("finished", 1.0, payload=FinishedRound(round, own))
        rounds.append(own)
    buckets = Buckets(plan.cards, tuple(reversed(rounds)), plan.seed)
    return remembering(buckets) if plan.recall == PERFECT else buckets


def remembering(buckets: Buckets) -> Buckets:
    """The same classes, with buckets that remember the classes of all earlier rounds."""
    rounds, before = [], 1
    for one in buckets.rounds:
        count = before * one.count
        if count > MOST_BUCKETS:
            raise TooLarge(f"{count:,} buckets that remember all rounds are too many; choose fewer a round")
        join = np.arange(count, dtype=np.int32).reshape(before, one.count)
        rounds.append(replace(one, count=count, join=join))
        before = count
    return replace(buckets, rounds=tuple(rounds))


def _within(plan: Plan, *, threads: int, watch: Watch, values: ValueFunction | None) -> Buckets:
    """Each round clustered within the buckets of the previous round, from the first on."""
    cards = replace(plan.cards, ordered=True)
    rounds: list[RoundBuckets] = []
    before = np.zeros(0, np.int64)  # [hand of the previous round] its bucket
    for round, text in enumerate(plan.methods):
        method = open_method(text)
        work = ClusteringTask(cards, round, plan.seed, threads, watch, values=values)
        parents = before[parents_of(cards, round)] if round else np.zeros(cards.hands(0), np.int64)
        table, counts = _classes_within(method, work, parents)
        starts = np.concatenate([[0], np.cumsum(counts)])
        join = np.minimum(starts[:-1, None] + np.arange(max(counts)), starts[1:, None] - 1).astype(np.int32)
        before = join[parents, table].astype(np.int64)
        rounds.append(RoundBuckets(method.spec, int(starts[-1]), table, join))
        watch.at("finished", 1.0, payload=FinishedRound(round, rounds[-1]))
    return Buckets(cards, tuple(rounds), plan.seed)


def parents_of(cards: CardRounds, round: int) -> np.ndarray:
    """The hand of the previous round that each hand of a round extends.  # [hand] -> [hand before]"""
    return cards.index(round - 1, cards.up_to(round - 1, cards.every_hand(round)))


def _classes_within(method: Method, work: ClusteringTask, parents: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Renumber classes within each bucket of the previous round; also returns how many classes each of those has."""
    weights, table, counts = work.weights(), np.zeros(len(parents), np.int64), []
    points = method.points(work) if isinstance(method, ByPoints) else method.make_buckets(work).table
    assert points is not None
    for parent in range(int(parents.max()) + 1):
        own = np.flatnonzero(parents == parent)
        if isinstance(method, ByPoints):
            clusters = method.fit(np.ascontiguousarray(points[own]), weights[own], work)
            table[own] = clusters.labels
            counts.append(clusters.count)
        else:
            classes, table[own] = np.unique(points[own], return_inverse=True)
            counts.append(len(classes))
    return table.astype(label_type(max(counts))), counts
