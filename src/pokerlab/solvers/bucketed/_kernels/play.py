"""Hands played by two strategies over buckets, of the same or of different ones: one at a seat, the other elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import unit
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, CHILDREN, FIRST, ROUND, payoff
from pokerlab.tree.bucketed._kernels.deals import draw_cards, number_deals


class Played(NamedTuple):
    """A strategy: play is in proportion to its numbers."""

    numbers: object  # [number] of any kind
    base: object  # [round] int64: where the numbers of a round begin
    rows: object  # [round] int64: numbers of a bucket
    slot: object  # [node] int32: where in a row the actions of a decision begin


@kernel(allocates=False)
def chosen_by(strategy, node, turn, bucket, moves, state):
    """An action of a decision, drawn; uniform where the strategy was never there."""
    place = strategy.base[turn] + strategy.rows[turn] * np.int64(bucket) + np.int64(strategy.slot[node])
    total = 0.0
    for index in range(place, place + moves):
        total += strategy.numbers[index]
    goal = unit(state)
    if total <= 0.0:
        return np.int64(goal * moves)
    goal *= total
    chosen, sofar = np.int64(0), 0.0
    for index in range(place, place + moves - 1):
        sofar += strategy.numbers[index]
        chosen += np.int64(sofar <= goal)
    return chosen


@kernel(allocates=False)
def play_one(seat, deal, tables, one, other, dealt, facing, state):
    """What the strategy `one` wins at a seat, the other at all others; dealt and facing are each one's own deals."""
    nodes, node = tables.nodes, np.int64(0)
    while nodes[node, ACTOR] >= 0:
        actor, turn, moves = nodes[node, ACTOR], nodes[node, ROUND], np.int64(nodes[node, CHILDREN])
        if actor == seat:
            chosen = chosen_by(one, node, turn, dealt.bucket[deal, turn, actor], moves, state)
        else:
            chosen = chosen_by(other, node, turn, facing.bucket[deal, turn, actor], moves, state)
        node = np.int64(nodes[node, FIRST]) + chosen
    return payoff(node, seat, dealt.strength[deal], tables)


@kernel
def play_hands(hands, tables, pair, cards, rooms, state, sums):
    """Deals, each played from every seat: into sums [3] how many, what `one` won a hand on average over seats, squares.

    pair: the strategies (one, other); cards: the DealTables of each; rooms: a DealBuffers for each.
    """
    one, other = pair
    dealt, facing = rooms
    at_a_time, players = dealt.strength.shape
    done = 0
    while done < hands:
        count = min(at_a_time, hands - done)
        draw_cards(count, cards[0], dealt.cards, state)
        for deal in range(count):
            for place in range(dealt.cards.shape[1]):
                facing.cards[deal, place] = dealt.cards[deal, place]
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
