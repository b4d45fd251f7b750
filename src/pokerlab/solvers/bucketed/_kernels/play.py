"""Hands played by two bucketed strategies, with the same or different buckets: one at a seat, the other elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import unit
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.matching import drawn, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, CHILDREN, FIRST, ROUND, payoff
from pokerlab.tree.bucketed._kernels.deals import draw_cards, number_deals


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


@kernel
def play_hands(hands, tables, pair, cards, buffers, state, sums):
    """Play deals from every seat; adds to sums [3] the count, the mean winnings of `one` over seats, their squares.

    pair: the strategies (one, other); cards: the DealTables of each; buffers: a DealBuffers for each.
    """
    one, other = pair
    dealt, facing = buffers
    at_a_time, players = dealt.strength.shape
    done = 0
    while done < hands:
        count = min(at_a_time, hands - done)
        draw_cards(count, cards[0], dealt.cards, state)
        for deal in range(count):  # not one assignment: Numba compiles that for seconds
            for position in range(dealt.cards.shape[1]):
                facing.cards[deal, position] = dealt.cards[deal, position]
        number_deals(count, cards[0], dealt)
        number_deals(count, cards[1], facing)
        for deal in range(count):
            won = 0.0
            for seat in range(players):
                won += play_one(seat, deal, tables, one, other, dealt, facing, state)
            won /= players
            sums[0] += 1
            sums[1] += won
            sums[2] += won * won
        done += count
    return done
