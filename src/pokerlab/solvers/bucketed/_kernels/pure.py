"""Pure CFR on the bucketed form, for any betting and any number of players.

A walk tries every action at the traversing player's decisions and follows single samples elsewhere, so only their own
decisions need an entry in the queue. fast.py does the same for two players with short rounds, with identical results.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.batches import deal_batch
from pokerlab.solvers.bucketed._kernels.tables import (
    ACTOR,
    CHILDREN,
    FIRST,
    WORD,
    added,
    offset_of,
    payoff,
    sample,
    walk_key,
    word,
)


class PureBuffers(NamedTuple):
    """Buffers for the walks of one thread, whose entries are own decisions."""

    queue: object  # [entry, 4] int64: node, offset of its numbers, of its actions' values, and of its own value
    value: object  # [values] int64
    state: object  # [1] uint64: of the random numbers that deal


@kernel(allocates=False, forceinline=True)
def follow(node, player, key, bucket, tables, sums):
    """Sample the others' actions until the player acts or the hand ends; returns the node and the number of steps."""
    nodes, steps = tables.nodes, 1
    while nodes[node, ACTOR] >= 0 and nodes[node, ACTOR] != player:
        offset, moves = offset_of(node, bucket, tables), np.int64(nodes[node, CHILDREN])
        chosen = sample(sums.regret, offset, moves, word(key, nodes[node, WORD]))
        sums.average[offset + chosen] += np.uint32(1)
        node = np.int64(nodes[node, FIRST]) + chosen
        steps += 1
    return node, steps


@kernel(allocates=False)
def walk_pure(player, key, bucket, strength, tables, sums, buffers):
    """One walk of a player; returns the nodes visited.  bucket [round, player], strength [player]"""
    nodes, queue, value = tables.nodes, buffers.queue, buffers.value
    root, visited = follow(np.int64(0), player, key, bucket, tables, sums)
    if nodes[root, ACTOR] < 0:
        return visited
    queue[0, 0], queue[0, 3] = root, 0
    size, entry, next_value = 1, 0, 1
    while entry < size:
        node = queue[entry, 0]
        queue[entry, 1], queue[entry, 2] = offset_of(node, bucket, tables), next_value
        first = np.int64(nodes[node, FIRST])
        for child in range(first, first + nodes[node, CHILDREN]):
            below, steps = follow(child, player, key, bucket, tables, sums)
            visited += steps
            if nodes[below, ACTOR] < 0:
                value[next_value] = payoff(below, player, strength, tables)
            else:
                queue[size, 0], queue[size, 3] = below, next_value
                size += 1
            next_value += 1
        entry += 1
    while entry > 0:
        entry -= 1
        node, offset, values = queue[entry, 0], queue[entry, 1], queue[entry, 2]
        moves = np.int64(nodes[node, CHILDREN])
        own_value = value[values + sample(sums.regret, offset, moves, word(key, nodes[node, WORD]))]
        value[queue[entry, 3]] = own_value
        for index in range(moves):
            sums.regret[offset + index] = added(sums.regret[offset + index], value[values + index] - own_value)
    return visited


@kernel
def advance_pure(span, tables, deals, dealt, sums, buffers):
    """One thread's share of the iterations of a span; returns the nodes visited."""
    visited, players = 0, dealt.strength.shape[1]
    iteration = span.first
    while iteration < span.last:
        begin, end, falls_here = deal_batch(iteration, span, deals, dealt, buffers.state)
        if falls_here:
            for now in range(iteration, end):
                for player in range(players):
                    key = walk_key(span.seed, now, players, player)
                    bucket, strength = dealt.bucket[now - begin], dealt.strength[now - begin]
                    visited += walk_pure(player, key, bucket, strength, tables, sums, buffers)
        iteration = end
    return visited


@kernel(allocates=False)
def buffer_sizes(player, nodes, own, values):
    """The most own decisions, and values of their actions, that a walk of a player can need below each node.

    own, values [node] int64 are filled; the first entries are those of the root.
    """
    for node in range(nodes.shape[0] - 1, -1, -1):
        own[node], values[node] = 0, 0
        first, moves = nodes[node, FIRST], nodes[node, CHILDREN]
        if nodes[node, ACTOR] == player:
            own[node], values[node] = 1, moves
        for child in range(first, first + moves):
            if nodes[node, ACTOR] == player:
                own[node] += own[child]
                values[node] += values[child]
            else:
                own[node] = max(own[node], own[child])
                values[node] = max(values[node], values[child])
