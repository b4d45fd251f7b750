"""Buckets with perfect recall for games of any size: the classes of each round, grouped within each earlier bucket.

The hands of hold'em cannot be clustered within the buckets of earlier rounds one by one: which buckets those were
depends on the order of the board, and there are billions of such hands. So hands are first put into some hundreds of
classes a round, without recall. Then, within each bucket of the round before, the classes that lead there are grouped,
each weighted by how often it does. The number of groups differs from bucket to bucket: an integer program chooses the
numbers for which the groups have the least error in total.

Gilpin, Sandholm and Sørensen, "Potential-aware automated abstraction of sequential games, and holistic equilibrium
analysis of Texas hold'em poker", 2007, introduced the integer program; they cluster histograms over the next round's
buckets, as `look_ahead` does here, with k-means where we choose central classes, one by one, and then improve them.
Cuts set by hand for each earlier bucket are the history bucketing of Billings and others, "Approximating game-theoretic
optimal strategies for full-scale poker", 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.method import open_method
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

OPTIMAL, EVEN = "optimal", "even"
DEALS = 200_000  # random deals that say how often a class follows a bucket
MOST_CLASSES = 2000  # of a round
MOST_CHILDREN = 64  # of a bucket
ROUNDS_OF_IMPROVEMENT = 10
_AT_ONCE = 20_000  # deals

Cuts = Sequence[Sequence[float]]  # of a round: thresholds of strength for each bucket of the round before


@dataclass(frozen=True, eq=False)
class Groups:
    """The classes within one bucket: central ones, in the order in which they reduce the error most."""

    centres: tuple[int, ...]
    errors: np.ndarray  # [k]: the error with the first k + 1 of them


def within(
    fine: Buckets,
    totals: Sequence[int],
    *,
    children: str = OPTIMAL,
    look_ahead: bool = False,
    deals: int = DEALS,
    seed: int = 0,
    watch: Watch = SILENT,
) -> Buckets:
    """Group the classes of buckets without recall, to this total number of buckets in each round."""
    if children not in (OPTIMAL, EVEN):
        raise BadSetting(f"children are {OPTIMAL} or {EVEN}, not {children[:40]!r}")
    _check(fine, len(totals), "totals")
    seen = sampled_classes(fine, deals, seed, watch=watch)
    distances = class_distances(fine, seen, look_ahead=look_ahead)
    before, parents, rounds = np.zeros(deals, np.int64), 1, []
    for round, (one, total) in enumerate(zip(fine.rounds, totals, strict=True)):
        if total < parents:
            raise BadSetting(
                f"round {round} cannot have {total:,} buckets: each of the {parents:,} of the round before needs one"
            )
        weights = _weights(before, seen[round], (parents, one.count))
        squares = distances[round] ** 2
        most = min(MOST_CHILDREN, total - parents + 1, one.count)
        groups = []
        for parent in range(parents):
            groups.append(_groups(weights[parent], squares, most))
            watch.at(f"grouping round {round}", (parent + 1) / parents)
        numbers = _even(groups, total) if children == EVEN else _optimal(groups, total)
        labels, error = _labelled(groups, numbers, weights, squares)
        rounds.append(_joined(one, labels, numbers, error / deals))
        before, parents = rounds[-1].join[before, seen[round]].astype(np.int64), rounds[-1].count  # type: ignore[index]
    return replace(fine, rounds=tuple(rounds), seed=seed, file="")


def cut_by_hand(fine: Buckets, cuts: Sequence[Cuts]) -> Buckets:
    """Group classes of strength at thresholds that are set for each bucket of the round before.

    A round has a list of thresholds for each such bucket, or one list for all of them.
    """
    _check(fine, len(cuts), "lists of cuts")
    parents, rounds = 1, []
    for round, (one, lists) in enumerate(zip(fine.rounds, cuts, strict=True)):
        starts = one.arrays.get("starts")
        if starts is None:
            raise BadSetting(f"cuts are thresholds of strength, and the classes of round {round} are by {one.method}")
        if len(lists) not in (1, parents):
            raise BadSetting(
                f"round {round} has cuts for {len(lists)} buckets of the round before, and it has {parents}"
            )
        own = [np.asarray(lists[parent if len(lists) > 1 else 0], float) for parent in range(parents)]
        if not all((np.diff(thresholds) > 0).all() for thresholds in own):
            raise BadSetting(f"the cuts of round {round} must increase")
        numbers = [len(thresholds) + 1 for thresholds in own]
        labels = np.array([np.searchsorted(thresholds, starts, side="right") for thresholds in own])
        rounds.append(_joined(one, labels, numbers, 0.0))
        parents = rounds[-1].count
    return replace(fine, rounds=tuple(rounds), file="")


def _check(fine: Buckets, rounds: int, what: str) -> None:
    if fine.remembers:
        raise BadSetting("these buckets have perfect recall already: name a file of imperfect recall")
    if fine.is_lean:
        raise BadSetting("these buckets are saved without tables: make them again, without --lean")
    if rounds != fine.cards.rounds:
        raise BadSetting(f"there are {rounds} {what}, and the game has {fine.cards.rounds} rounds")
    if (largest := max(fine.counts)) > MOST_CLASSES:
        raise BadSetting(f"a round has {largest:,} classes, and at most {MOST_CLASSES:,} can be grouped")


def sampled_classes(fine: Buckets, deals: int, seed: int, *, watch: Watch = SILENT) -> list[np.ndarray]:
    """The classes of random hands in every round.  # [round] of [deal]"""
    cards, rng = fine.cards, np.random.default_rng([seed, deals])
    parts = []
    for start in range(0, deals, _AT_ONCE):
        deck = np.tile(np.arange(cards.deck.size, dtype=np.uint8), (min(_AT_ONCE, deals - start), 1))
        rows = np.ascontiguousarray(rng.permuted(deck, axis=1)[:, : cards.private + cards.boards[-1]])
        parts.append([one.classes(cards, round, cards.up_to(round, rows)) for round, one in enumerate(fine.rounds)])
        watch.at("dealing", min(1.0, (start + _AT_ONCE) / deals))
    return [np.concatenate(own).astype(np.int64) for own in zip(*parts, strict=True)]


def class_distances(fine: Buckets, seen: Sequence[np.ndarray], *, look_ahead: bool) -> list[np.ndarray]:
    """Distances between the classes of each round: of the method or, to look ahead, of what may follow.

    The distance between two distributions over the next round's classes is their energy distance, in which nearby
    classes count as similar. It is used where a method knows no distances, too.  # [round] of [class, class]
    """
    distances: list[np.ndarray] = []
    for round in reversed(range(len(fine.rounds))):
        one, is_last = fine.rounds[round], round == len(fine.rounds) - 1
        try:
            own = None if look_ahead and not is_last else open_method(one.method).ground(one.arrays)
        except BadSetting:
            if is_last:
                raise
            own = None
        if own is None:
            following = distances[-1]
            counts = _weights(seen[round], seen[round + 1], (one.count, len(following)))
            shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
            mean = shares @ following @ shares.T
            within_own = np.diag(mean)
            own = np.sqrt(np.maximum(2 * mean - within_own[:, None] - within_own, 0.0))
        distances.append(np.asarray(own, float))
    return distances[::-1]


def _weights(before: np.ndarray, classes: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """How often each class follows each bucket.  # [bucket, class]"""
    return np.bincount(before * shape[1] + classes, minlength=shape[0] * shape[1]).reshape(shape).astype(float)


def _groups(weight: np.ndarray, squares: np.ndarray, most: int) -> Groups:
    """Central classes, each chosen to reduce the sum of weighted squared distances most."""
    present = np.flatnonzero(weight)
    if not len(present):
        return Groups((0,), np.zeros(1))
    own, weighted = squares[np.ix_(present, present)], weight[present]
    costs = weighted @ own  # [class]: with it alone
    chosen = [int(costs.argmin())]
    nearest, errors = own[:, chosen[0]].copy(), [float(costs.min())]
    while len(chosen) < min(most, len(present)):
        gains = weighted @ np.maximum(nearest[:, None] - own, 0.0)
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        chosen.append(best)
        nearest = np.minimum(nearest, own[:, best])
        errors.append(float(weighted @ nearest))
    return Groups(tuple(present[chosen].tolist()), np.array(errors))


def _even(groups: Sequence[Groups], total: int) -> list[int]:
    """The same number for every bucket, as far as there are classes."""
    return [min(total // len(groups), len(one.centres)) for one in groups]


def _optimal(groups: Sequence[Groups], total: int) -> list[int]:
    """The numbers with the least error in total, by an integer program: one number per bucket, at most `total`."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    sizes = np.array([len(one.errors) for one in groups])
    owner = np.repeat(np.arange(len(groups)), sizes)
    number = np.concatenate([np.arange(1, size + 1) for size in sizes])
    errors = np.concatenate([one.errors for one in groups])
    one_each = csr_matrix((np.ones(len(owner)), (owner, np.arange(len(owner)))))
    limits = [LinearConstraint(one_each, 1, 1), LinearConstraint(number[None], 0, total)]
    scale = errors.max() or 1.0
    found = milp(errors / scale, constraints=limits, bounds=Bounds(0, 1), integrality=np.ones(len(owner), np.int64))
    if found.x is None:
        raise BadSetting(f"no numbers of children were found: {found.message}")
    chosen = np.flatnonzero(found.x > 0.5)
    return [int(one) for one in number[chosen]]


def _labelled(
    groups: Sequence[Groups], numbers: Sequence[int], weights: np.ndarray, squares: np.ndarray
) -> tuple[np.ndarray, float]:
    """The group of every class within each bucket, after improving the centres; and the error.  # [bucket, class]"""
    labels, error = np.zeros(weights.shape, np.int64), 0.0
    for parent, (own, number) in enumerate(zip(groups, numbers, strict=True)):
        centres, weight = np.array(own.centres[:number]), weights[parent]
        for _ in range(ROUNDS_OF_IMPROVEMENT):
            nearest = squares[:, centres].argmin(axis=1)
            better = centres.copy()
            for group in range(number):
                members = np.flatnonzero((nearest == group) & (weight > 0))
                if len(members):
                    better[group] = members[(weight[members] @ squares[np.ix_(members, members)]).argmin()]
            if np.array_equal(better, centres):
                break
            centres = better
        labels[parent] = squares[:, centres].argmin(axis=1)
        error += float(weight @ squares[np.arange(len(weight)), centres[labels[parent]]])
    return labels, error


def _joined(one: RoundBuckets, labels: np.ndarray, numbers: Sequence[int], distortion: float) -> RoundBuckets:
    """The round's classes with buckets of an earlier bucket and a group."""
    starts = np.concatenate([[0], np.cumsum(numbers)])
    join = (starts[:-1, None] + labels).astype(np.int32)
    return replace(one, count=int(starts[-1]), join=join, distortion=distortion)
