"""Pure CFR in integers: every player plays one sampled action at each infoset, and regrets are plain differences.

A walk tries every action at the traversing player's infosets and follows single samples elsewhere, so only their own
infosets need an entry in the queue. Sampling compares 32 random bits with thresholds that are updated together with
regrets; so probabilities are multiples of 2 ** -32, and the way down needs no division.

The outcomes of non-uniform chance nodes have slots too, after those of infosets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import draw
from pokerlab.compiled import kernel

WEIGHTED_CODE, END_CODE, UNIFORM_CODE = np.uint32(1000), np.uint32(1001), np.uint32(1002)
NOUGHT, ONE, TWO, THREE, THIRTY_TWO = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(32)
WHOLE = 4294967296.0  # 2 ** 32
MOST = 4294967295.0


class PureTree(NamedTuple):
    """A tree and its learned arrays, by slot: an action of an infoset, or an outcome of non-uniform chance."""

    nodes: object  # [N, max(4, 1 + P)] uint32: actor (UNIFORM_CODE at chance with equally likely outcomes,
    #                WEIGHTED_CODE, END_CODE), first child, number of children, first slot; at an end, the payoffs of
    #                players (as int32) from column 1 on
    threshold: object  # [slot + 2] uint32: the sum of probabilities up to the slot
    regret: object  # [slot + 2] int64
    count: object  # [slot + 2] int64: how often an action was sampled


class PureBuffers(NamedTuple):
    """Buffers of a walk, whose entries are own infosets."""

    queue: object  # [M, 3] uint32: node, offset of its actions' values, offset of its own value
    value: object  # [M + 1] int64


@kernel(inline="always", allocates=False)
def choose(threshold, slot, moves, state):
    """Sample an action of an infoset; without branches for two or three actions."""
    word = np.uint32(draw(state) >> THIRTY_TWO)
    if moves - TWO <= ONE:
        return np.uint64(word > threshold[slot]) + np.uint64(word > threshold[slot + ONE])
    chosen = NOUGHT
    for place in range(slot, slot + moves - ONE):
        chosen += np.uint64(word > threshold[place])
    return chosen


@kernel(inline="always", allocates=False)
def match(regret, threshold, slot, moves, total):
    """Update the thresholds of an infoset: in proportion to positive regret, whose sum is given, or uniform."""
    if total > 0:
        scale, sofar = WHOLE / total, 0
        for place in range(slot, slot + moves - ONE):
            sofar += max(regret[place], 0)
            threshold[place] = np.uint32(min(sofar * scale, MOST))
    else:
        for index in range(moves - ONE):
            threshold[slot + index] = np.uint32((index + ONE) * (WHOLE / moves))


@kernel(inline="always", allocates=False)
def learn(regret, threshold, value, slot, moves, place, action_value):
    """Add each action's value minus the sampled one's to the regrets, and update the thresholds.

    Two and three actions are unrolled: most infosets have so few, and a loop would cost more than its body.
    """
    if moves == TWO:
        one, two = regret[slot] + value[place] - action_value, regret[slot + ONE] + value[place + ONE] - action_value
        regret[slot], regret[slot + ONE] = one, two
        one, two = max(one, 0), max(two, 0)
        if one + two == 0:
            one, two = 1, 1
        threshold[slot] = np.uint32(min(one * (WHOLE / (one + two)), MOST))
    elif moves == THREE:
        one, two = regret[slot] + value[place] - action_value, regret[slot + ONE] + value[place + ONE] - action_value
        three = regret[slot + TWO] + value[place + TWO] - action_value
        regret[slot], regret[slot + ONE], regret[slot + TWO] = one, two, three
        one, two, three = max(one, 0), max(two, 0), max(three, 0)
        if one + two + three == 0:
            one, two, three = 1, 1, 1
        scale = WHOLE / (one + two + three)
        threshold[slot] = np.uint32(min(one * scale, MOST))
        threshold[slot + ONE] = np.uint32(min((one + two) * scale, MOST))
    else:
        total = 0
        for index in range(moves):
            learned = regret[slot + index] + value[place + index] - action_value
            regret[slot + index] = learned
            total += max(learned, 0)
        match(regret, threshold, slot, moves, total)


@kernel(inline="always", allocates=False)
def deal(tree, state):
    """Sample the chance moves that open the game; returns the node reached and the number of moves."""
    nodes = tree.nodes
    node, steps = NOUGHT, NOUGHT
    while (nodes[node, 0] == UNIFORM_CODE) | (nodes[node, 0] == WEIGHTED_CODE):
        first, moves = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        if nodes[node, 0] == UNIFORM_CODE:
            node = first + (((draw(state) >> THIRTY_TWO) * moves) >> THIRTY_TWO)
        else:
            node = first + choose(tree.threshold, np.uint64(nodes[node, 3]), moves, state)
        steps += ONE
    return node, steps


@kernel(inline="always", allocates=False)
def follow(node, player, tree, state):
    """Sample chance and the other players until the player acts or the game ends; returns the node and the steps."""
    nodes = tree.nodes
    steps = ONE
    while True:
        actor = nodes[node, 0]
        if (actor == player) | (actor == END_CODE):  # one branch, not two
            break
        first, moves = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        if actor == UNIFORM_CODE:
            node = first + (((draw(state) >> THIRTY_TWO) * moves) >> THIRTY_TWO)
        else:
            slot = np.uint64(nodes[node, 3])
            chosen = choose(tree.threshold, slot, moves, state)
            tree.count[slot + chosen] += 1
            node = first + chosen
        steps += ONE
    return node, steps


@kernel(allocates=False)
def walk_pure(start, player, tree, buffers, state):
    """One walk of a player from a node; returns the number of histories visited."""
    nodes, queue, value = tree.nodes, buffers.queue, buffers.value
    root, visited = follow(start, player, tree, state)
    if nodes[root, 0] == END_CODE:
        return visited
    queue[0, 0], queue[0, 2] = root, NOUGHT
    size, entry, places = ONE, NOUGHT, ONE
    while entry < size:
        node = np.uint64(queue[entry, 0])
        first, moves = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        queue[entry, 1] = places
        for child in range(first, first + moves):
            below, steps = follow(child, player, tree, state)
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
        action_value = value[place + choose(tree.threshold, slot, moves, state)]
        value[queue[entry, 2]] = action_value
        learn(tree.regret, tree.threshold, value, slot, moves, place, action_value)
    return visited


@kernel(allocates=False)
def advance_pure(iterations, players, tree, buffers, state):
    """Walks of every player in turn; returns the number of histories visited."""
    visited = NOUGHT
    for _ in range(iterations):
        start, steps = deal(tree, state)  # one deal for all players
        visited += steps
        for player in range(players):
            visited += walk_pure(start, np.uint32(player), tree, buffers, state)
    return visited


@kernel(allocates=False)
def match_all(start, tree):
    """The thresholds of every infoset.  start [I + 1]"""
    regret, threshold = tree.regret, tree.threshold
    for infoset in range(len(start) - 1):
        total = 0
        for slot in range(start[infoset], start[infoset + 1]):
            total += max(regret[slot], 0)
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + 1])
        match(regret, threshold, first, last - first, total)
