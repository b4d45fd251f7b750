"""Pure CFR in whole numbers: everyone plays one sampled action at each infoset, and regrets are plain differences.

A walk tries every action at the walking player's infosets and follows single samples elsewhere, so only his own
infosets need a place in the queue. To sample is to compare 32 random bits with thresholds, which are renewed when
regrets are; so probabilities are multiples of 2 ** -32, and nothing on the way down waits for a division.

nodes [N, max(4, 1 + P)] uint32: actor (EVEN_CODE at chance with equally likely outcomes, UNEVEN_CODE, END_CODE), first
child, number of children, first slot; at an end, the payoffs of players (as int32) from column 1 on. The outcomes of
uneven chance nodes have slots after those of infosets. By slot, padded by 2: regret and count int64, threshold uint32:
the sum of probabilities up to the slot.
"""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solve._kernels.randomness import draw

UNEVEN_CODE, END_CODE, EVEN_CODE = np.uint32(1000), np.uint32(1001), np.uint32(1002)
NOUGHT, ONE, TWO, THIRTY_TWO = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32)
WHOLE = 4294967296.0  # 2 ** 32
MOST = 4294967295.0


@kernel(inline="always")
def choose(threshold, slot, moves, state):
    """One action of an infoset; without branches for two or three."""
    word = np.uint32(draw(state) >> THIRTY_TWO)
    if moves - TWO <= ONE:
        return np.uint64(word > threshold[slot]) + np.uint64(word > threshold[slot + ONE])
    chosen = NOUGHT
    for place in range(slot, slot + moves - ONE):
        chosen += np.uint64(word > threshold[place])
    return chosen


@kernel(inline="always")
def match(regret, threshold, slot, moves):
    """Renew the thresholds of an infoset: in proportion to positive regret, evenly where there is none."""
    total = 0
    for place in range(slot, slot + moves):
        total += max(regret[place], 0)
    scale = WHOLE / total if total > 0 else WHOLE / moves
    sofar = 0
    for place in range(slot, slot + moves - ONE):
        sofar += max(regret[place], 0) if total > 0 else 1
        threshold[place] = np.uint32(min(sofar * scale, MOST))


@kernel(inline="always")
def follow(node, player, nodes, threshold, count, state):
    """Sample moves of chance and of the others until the player acts or the game ends; returns where, and the steps."""
    steps = ONE
    while nodes[node, 0] != player and nodes[node, 0] != END_CODE:
        first, moves = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        if nodes[node, 0] == EVEN_CODE:
            node = first + (((draw(state) >> THIRTY_TWO) * moves) >> THIRTY_TWO)
        else:
            slot = np.uint64(nodes[node, 3])
            chosen = choose(threshold, slot, moves, state)
            count[slot + chosen] += 1
            node = first + chosen
        steps += ONE
    return node, steps


@kernel
def walk_pure(player, nodes, threshold, regret, count, queue, value, state):
    """One walk of a player; returns the histories visited.

    queue [M, 3] uint32, an entry an own infoset: node, place of its actions' values, place of its own value; value [M]
    """
    root, visited = follow(NOUGHT, player, nodes, threshold, count, state)
    if nodes[root, 0] == END_CODE:
        return visited
    queue[0, 0], queue[0, 2] = root, NOUGHT
    size, entry, places = ONE, NOUGHT, ONE
    while entry < size:
        node = np.uint64(queue[entry, 0])
        first, moves = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        queue[entry, 1] = places
        for child in range(first, first + moves):
            below, steps = follow(child, player, nodes, threshold, count, state)
            visited += steps
            if nodes[below, 0] == END_CODE:
                value[places] = np.int32(nodes[below, ONE + np.uint64(player)])
            else:
                queue[size, 0], queue[size, 2] = below, places
                size += ONE
            places += ONE
        entry += ONE
    while entry > NOUGHT:
        entry -= ONE
        node = np.uint64(queue[entry, 0])
        moves, slot, place = np.uint64(nodes[node, 2]), np.uint64(nodes[node, 3]), np.uint64(queue[entry, 1])
        worth = value[place + choose(threshold, slot, moves, state)]
        value[queue[entry, 2]] = worth
        for index in range(moves):
            regret[slot + index] += value[place + index] - worth
        match(regret, threshold, slot, moves)
    return visited


@kernel
def advance_pure(iterations, players, nodes, threshold, regret, count, queue, value, state):
    """Walks of every player in turn; returns the histories visited."""
    visited = NOUGHT
    for _ in range(iterations):
        for player in range(players):
            visited += walk_pure(np.uint32(player), nodes, threshold, regret, count, queue, value, state)
    return visited


@kernel
def match_all(start, regret, threshold):
    """The thresholds of every infoset.  start [I+1]"""
    for infoset in range(len(start) - 1):
        match(regret, threshold, np.uint64(start[infoset]), np.uint64(start[infoset + 1] - start[infoset]))
