"""Hands played by two bucketed strategies, with the same or different buckets: one at a seat, the other elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import unit
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.matching import drawn, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, CHILDREN, FIRST, ROUND, payoff


class StrategyWeights(NamedTuple):
    """A strategy: action probabilities are proportional to its numbers."""

    numbers: object  # [number] of any type
    base: object  # [round] int64: offset of a round's numbers
    rows: object  # [round] int64: numbers of a bucket
    slot: object  # [node] int32: offset of a decision's actions in a row


@kernel(allocates=False)
def chosen_by(strategy, node, round_index, bucket, moves, state):
    """Sample an action of a decision; uniformly at infosets that the strategy never visited."""
    offset = strategy.base[round_index] + strategy.rows[round_index] * np.int64(bucket) + np.int64(strategy.slot[node])
    return drawn(strategy.numbers, offset, moves, positive(strategy.numbers, offset, moves), unit(state))


@kernel(allocates=False)
def play_one(seat, deal, tables, one, other, dealt, facing, state):
    """What strategy `one` wins at a seat, with the other at all others; dealt and facing are each one's own deals."""
    nodes, node = tables.nodes, np.int64(0)
    while nodes[node, ACTOR] >= 0:
        actor, round_index, moves = nodes[node, ACTOR], nodes[node, ROUND], np.int64(nodes[node, CHILDREN])
        if actor == seat:
            chosen = chosen_by(one, node, round_index, dealt.bucket[deal, round_index, actor], moves, state)
        else:
            chosen = chosen_by(other, node, round_index, facing.bucket[deal, round_index, actor], moves, state)
        node = np.int64(nodes[node, FIRST]) + chosen
    return payoff(node, seat, dealt.strength[deal], tables)


@kernel(allocates=False)
def play_deals(count, tables, pair, buffers, state, sums):
    """Play the first deals of the buffers from every seat.

    Adds to sums [3] the count, the mean winnings of `one` over seats, their squares. pair: the strategies (one, other);
    buffers: a DealBuffers for each, with the same cards in its own buckets.
    """
    one, other = pair
    dealt, facing = buffers
    players = dealt.strength.shape[1]
    for deal in range(count):
        won = 0.0
        for seat in range(players):
            won += play_one(seat, deal, tables, one, other, dealt, facing, state)
        won /= players
        sums[0] += 1
        sums[1] += won
        sums[2] += won * won
