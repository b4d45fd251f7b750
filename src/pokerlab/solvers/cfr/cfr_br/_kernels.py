"""Kernels of CFR-BR over buckets: numbers of buckets copied to hands and summed from them.

Stored numbers of a public tree are ordered [board, block, slot, lane]; see solvers/cfr/public/_kernels/rounds.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.cfr._kernels.sequence import match_row, rule_of
from pokerlab.tree.public._kernels.widths import BLOCK

_MATH = {"contract", "nsz", "nnan"}


class HandOffsets(NamedTuple):
    """Where a player's hands are stored among the numbers of buckets, in one round."""

    held: object  # [board, row] int32: the bucket of each hand; rows are a multiple of BLOCK
    count: object  # [board] int32: rows that hold a hand
    first: object  # [slot] int64: the number of bucket 0
    stride: object  # [slot] int64: from one bucket to the next


class Decisions(NamedTuple):
    """A player's decisions in the bucketed form."""

    first: object  # [decision] int64: the first number of bucket 0
    stride: object  # [decision] int64: from one bucket to the next
    buckets: object  # [decision] int64
    moves: object  # [decision] int64


@kernel(allocates=False)
def spread_to_hands(placing, begin, end, play, stored):
    """Copy to each hand on boards begin .. end-1 the numbers of its bucket.

    play [number] float64; stored [board, block, slot, lane] float32, flat
    """
    rows, slots = placing.held.shape[1], len(placing.first)
    for board in range(begin, end):
        for block in range(0, rows, BLOCK):
            at = (board * rows + block) * slots
            for slot in range(slots):
                first, stride = placing.first[slot], placing.stride[slot]
                for lane in range(BLOCK):
                    stored[at + slot * BLOCK + lane] = play[first + stride * placing.held[board, block + lane]]


@kernel(allocates=False)
def gather_hands(placing, begin, end, weight, stored, sums):
    """Add the stored numbers of hands on boards begin .. end-1 to those of their buckets.

    weight [board] float64; stored as in spread_to_hands; sums [number] float64
    """
    rows, slots = placing.held.shape[1], len(placing.first)
    for board in range(begin, end):
        for row in range(placing.count[board]):
            lane = row % BLOCK
            at = (board * rows + row - lane) * slots + lane
            bucket = placing.held[board, row]
            for slot in range(slots):
                sums[placing.first[slot] + placing.stride[slot] * bucket] += weight[board] * stored[at + slot * BLOCK]


@kernel(allocates=False, fastmath=_MATH)
def learn(decisions, step, instant, regret, play):
    """Add a step's regrets to those of a player's buckets, and apply regret matching.

    instant, regret and play [number] float64: instantaneous regret, cumulative regret, and the next strategy
    """
    rule = rule_of(step)
    for decision in range(len(decisions.first)):
        moves = np.uint64(decisions.moves[decision])
        for bucket in range(decisions.buckets[decision]):
            first = np.uint64(decisions.first[decision] + bucket * decisions.stride[decision])
            match_row(first, first + moves, 1.0, 0.0, rule, instant, regret, play)


@kernel(allocates=False)
def remember(decisions, keep, weight, shared, average):
    """average <- average * keep + weight * shared, for the numbers of a player.

    shared [number] float64; average [number] float32
    """
    for decision in range(len(decisions.first)):
        for bucket in range(decisions.buckets[decision]):
            first = decisions.first[decision] + bucket * decisions.stride[decision]
            for number in range(first, first + decisions.moves[decision]):
                average[number] = average[number] * keep + weight * shared[number]
