"""Five-card hands by their ranks alone: every multiset of ranks, its class, and the tables for counting hands.

There are 6,175 multisets of five ranks, compared with 2,598,960 hands; flushes are counted separately
(cards/_kernels/rank_hands.py).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.strength import HIGH, strengths

if TYPE_CHECKING:
    from pokerlab.cards._kernels.rank_hands import RankTables

HAND = 5


def plain_classes(ranks: np.ndarray) -> np.ndarray:
    """The class of non-flush hands of these ranks; undefined if a rank occurs five times.  # [hand] int64

    The cards of a rank get suits in order, and the last card of a hand of five distinct ranks a different suit.
    """
    ordered = np.sort(ranks, axis=1)
    repeat = np.zeros_like(ordered)
    for place in range(1, HAND):
        same = ordered[:, place] == ordered[:, place - 1]
        repeat[:, place] = np.where(same, repeat[:, place - 1] + 1, 0)
    suits = repeat % 4
    suits[(repeat == 0).all(axis=1), HAND - 1] = 1
    return np.asarray(strengths((4 * ordered + suits).astype(np.uint8), check=False), np.int64)


@cache
def rank_multisets(cards: int) -> np.ndarray:
    """Every multiset of this many ranks that a deck has, each in descending order.  # [draw, cards] int64"""
    every = combinations_with_replacement(range(12, -1, -1), cards)
    return np.array([drawn for drawn in every if max(map(drawn.count, drawn)) <= 4], np.int64)


@cache
def rank_tables() -> RankTables:
    """The tables for the counting kernels."""
    from pokerlab.cards._kernels.rank_hands import RankTables

    hands = rank_multisets(HAND)
    classes = plain_classes(hands)
    order = np.argsort(classes, kind="stable")
    held = (hands[:, :, None] == np.arange(13)).sum(1)
    ranks = np.argsort(-held, axis=1, kind="stable")[:, :HAND]  # distinct ranks first
    counts = np.take_along_axis(held, ranks, axis=1)
    ranks, counts = np.ascontiguousarray(ranks[order]), np.ascontiguousarray(counts[order])
    runs, varying = _runs(ranks, counts)
    different = np.array(list(combinations(range(13), HAND)), np.int64)
    sets = (1 << different).sum(1)
    plains, flushes = plain_classes(different), strengths((4 * different).astype(np.uint8)).astype(np.int64)
    plain_of, flush_of = np.zeros(1 << 13, np.int64), np.zeros(1 << 13, np.int64)
    plain_of[sets], flush_of[sets] = plains, flushes
    by_flush = np.argsort(flushes)
    return RankTables(
        class_count=HIGH().class_count,
        ranks=ranks,
        counts=counts,
        classes=classes[order],
        runs=runs,
        varying=varying,
        sets=sets[by_flush],
        flushes=flushes[by_flush],
        plains=plains[by_flush],
        plain_of=plain_of,
        flush_of=flush_of,
        choose=np.array([[comb(free, count) for count in range(6)] for free in range(5)]),
    )


def _runs(ranks: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where runs of hands begin, and the place of the rank in which the hands of each differ: see RankTables.

    Of the ranks that a hand holds least often, the first is the lowest.
    """
    held = counts > 0
    place = np.argmax(np.where(held, counts, HAND + 1) == counts.min(axis=1, where=held, initial=HAND)[:, None], axis=1)
    lowest = np.take_along_axis(ranks, place[:, None], axis=1)[:, 0]
    others = np.where(held & (np.arange(HAND) != place[:, None]), ranks, -1)
    same = (counts[1:] == counts[:-1]).all(axis=1) & (others[1:] == others[:-1]).all(axis=1)
    starts = np.flatnonzero(np.r_[True, ~(same & (np.diff(lowest) == -1))])
    return np.append(starts, len(ranks)), place[starts]
