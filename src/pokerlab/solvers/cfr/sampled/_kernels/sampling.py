"""Monte-Carlo CFR over histories: a walk visits part of the tree and adds an unbiased estimate of regret.

A walk keeps a queue of the histories it visits, parents before children, and then goes back over it, propagating values
upwards. Besides its node, each visited history stores

        others   the probability of the moves of chance and the other players, divided by their sampling probability
        own      the sampling probability of the traversing player's own moves
        share    the weight of this history in the next player's average, an unbiased estimate of that player's reach
        factor   the share of its value in its parent's
        inverse  one over the sampling probability of the traversing player's move to it

so others / own times (value of an action - value of the infoset) is the sampled regret; its mean is the exact one.

Walks read and write the records below; N nodes, T terminal nodes, P players, I infosets, A slots (one per action of an
infoset), M the largest number of histories that a walk visits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import S11, STRIDE, TO_UNIT, draw, mixed, unit
from pokerlab.compiled import kernel

CHANCE_CODE, END_CODE = np.uint32(1000), np.uint32(1001)
UNIFORM = np.uint32(1)
ENUMERATE, SAMPLE, PUBLIC = 0, 1, 2  # what to do at chance nodes; the first two also at other players' infosets
EXPLORE, BERNOULLI, PURE = 1, 2, 3  # what to do at the traversing player's infosets, or ENUMERATE
ONE = np.uint64(1)


class WalkTree(NamedTuple):
    """A tree in the layout for walks."""

    nodes: object  # [N, 4] uint32: actor (CHANCE_CODE, END_CODE), first child, number of children, and label: the
    #                infoset, the row of returns, or at chance whether outcomes are UNIFORM
    probability: object  # [N] float64: of the chance outcome that leads to a node
    public: object  # [N] bool: chance nodes with a public outcome
    edge: object  # [N] int32: the name of the move that leads to a node
    returns: object  # [T, P] float64
    start: object  # [I + 1] uint32: the first slot of each infoset


class Sampling(NamedTuple):
    """What a walk does at each kind of node."""

    chance: int  # ENUMERATE, SAMPLE or PUBLIC
    own: int  # ENUMERATE, EXPLORE, BERNOULLI or PURE
    others: int  # ENUMERATE or SAMPLE
    exploration: float
    bonus: float  # for average-strategy sampling, like the next
    threshold: float


class WalkSums(NamedTuple):
    """The learned arrays, by infoset and slot."""

    regret: object  # [A] float64
    current: object  # [A] float64: the behaviour that regrets are matched to
    average: object  # [A] float64: weighted behaviours, summed
    delta: object  # [A] float64: sampled regrets not yet added
    seen: object  # [I, 2] float64: the first two logs at each infoset's last update
    logs: object  # [3] float64: cumulative log discounts of positive regret, negative regret and the average


class WalkBuffers(NamedTuple):
    """Buffers of a walk: its queue, and the infosets that it touched."""

    queue: object  # [M, 4] int64: node, first entry below, action, chance depth
    weights: object  # [M, 6] float64: others, own, share, factor, inverse (see above), value
    touched: object  # [I + 1] int32
    mark: object  # [I + 1] bool: whether an infoset is among them


class Walker(NamedTuple):
    """The player of a walk, and its settings."""

    player: int
    following: int  # the next player, whose average the walk adds to
    weight: float  # of this walk in averages
    key: int  # of the clocks of public chance


class Reach(NamedTuple):
    """The first three weights of a visited history."""

    others: float
    own: float
    share: float


@kernel(inline="always", allocates=False)
def pick(chances, first, count, state):
    """Sample from chances[first : first + count] in proportion, without branches that are hard to predict."""
    point = unit(state)
    chosen = np.uint64(0)
    for index in range(first, first + count - ONE):
        point -= chances[index]
        chosen += np.uint64(point >= 0.0)
    while chances[first + chosen] <= 0.0 and chosen > np.uint64(0):  # rounding went past the last possible outcome
        chosen -= ONE
    return chosen


@kernel(allocates=False)
def race(probability, edge, first, count, key):
    """Sample an outcome of a public chance node: the same one at all nodes where the same outcomes are possible.

    Each outcome has an exponential clock derived from the key and its name, and rings at clock / probability: the
    first to ring follows the probabilities, and nodes that share names share clocks.
    """
    best, earliest = first, math.inf
    for node in range(first, first + count):
        if probability[node] > 0.0:
            word = mixed(key ^ (np.uint64(edge[node]) * STRIDE))
            ring = -math.log(((word >> S11) + 0.5) * TO_UNIT) / probability[node]
            if ring < earliest:
                best, earliest = node, ring
    return best - first


@kernel(inline="always", allocates=False)
def enter(buffers, entry, node, reach, factor, inverse, action, depth):
    """Write one visited history."""
    buffers.queue[entry, 0] = node
    buffers.queue[entry, 2] = action
    buffers.queue[entry, 3] = depth
    buffers.weights[entry, 0] = reach.others
    buffers.weights[entry, 1] = reach.own
    buffers.weights[entry, 2] = reach.share
    buffers.weights[entry, 3] = factor
    buffers.weights[entry, 4] = inverse


@kernel(inline="always", allocates=False)
def follow(entry, walker, sampling, tree, buffers, sums, state):
    """Advance an entry past all sampled moves, adding to the next player's average; returns the number of moves."""
    nodes, current = tree.nodes, sums.current
    node, depth, share = np.uint64(buffers.queue[entry, 0]), buffers.queue[entry, 3], buffers.weights[entry, 2]
    steps = np.uint64(0)
    while True:
        actor = nodes[node, 0]
        first, count = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        if actor == CHANCE_CODE and (sampling.chance == SAMPLE or (sampling.chance == PUBLIC and tree.public[node])):
            depth += 1
            if sampling.chance == PUBLIC:
                key = mixed(walker.key + np.uint64(depth) * STRIDE)
                chosen = race(tree.probability, tree.edge, first, count, key)
            elif nodes[node, 3] == UNIFORM:
                chosen = np.uint64(np.int64(unit(state) * np.int64(count)))
            else:
                chosen = pick(tree.probability, first, count, state)
        elif actor < CHANCE_CODE and actor != walker.player and sampling.others == SAMPLE:
            slot = np.uint64(tree.start[nodes[node, 3]])
            chosen = pick(current, slot, count, state)
            if actor == walker.following:
                for index in range(slot, slot + count):
                    sums.average[index] += walker.weight * share * current[index]
            else:
                share /= current[slot + chosen]
        else:
            break
        node = first + chosen
        steps += ONE
    buffers.queue[entry, 0], buffers.queue[entry, 3], buffers.weights[entry, 2] = node, depth, share
    return steps


@kernel(allocates=False, forceinline=True)
def open_chance(entry, size, tree, buffers):
    """Queue every outcome of a chance node; returns the new size of the queue."""
    weights = buffers.weights
    node = np.uint64(buffers.queue[entry, 0])
    first, count = np.uint64(tree.nodes[node, 1]), np.uint64(tree.nodes[node, 2])
    others, own, share, depth = weights[entry, 0], weights[entry, 1], weights[entry, 2], buffers.queue[entry, 3] + 1
    for child in range(first, first + count):
        chance = tree.probability[child]
        enter(buffers, size, child, Reach(others * chance, own, share * chance), chance, 1.0, 0, depth)
        size += ONE
    return size


@kernel(allocates=False, forceinline=True)
def open_other(entry, size, averaged, walker, tree, buffers, sums):
    """Queue every action of another player; adds to that player's average strategy if `averaged`."""
    weights = buffers.weights
    node = np.uint64(buffers.queue[entry, 0])
    first, count = np.uint64(tree.nodes[node, 1]), np.uint64(tree.nodes[node, 2])
    slot = np.uint64(tree.start[tree.nodes[node, 3]])
    others, own, share, depth = weights[entry, 0], weights[entry, 1], weights[entry, 2], buffers.queue[entry, 3]
    for index in range(count):
        chance = sums.current[slot + index]
        below = share
        if averaged:
            below = share * chance
            sums.average[slot + index] += walker.weight * below
        if chance > 0.0 or below > 0.0:
            enter(buffers, size, first + index, Reach(others * chance, own, below), chance, 1.0, 0, depth)
            size += ONE
    return size


@kernel(allocates=False, forceinline=True)
def open_own(entry, size, walker, sampling, tree, buffers, sums, state):
    """Queue the children of the traversing player's infoset: all actions, one, or some.

    In a one-player game this also adds to their average strategy: no other player's walk does.
    """
    current, average, weights = sums.current, sums.average, buffers.weights
    averaged = walker.following == walker.player
    node = np.uint64(buffers.queue[entry, 0])
    first, count = np.uint64(tree.nodes[node, 1]), np.uint64(tree.nodes[node, 2])
    slot = np.uint64(tree.start[tree.nodes[node, 3]])
    others, own, share, depth = weights[entry, 0], weights[entry, 1], weights[entry, 2], buffers.queue[entry, 3]
    if averaged:
        for index in range(slot, slot + count):
            average[index] += walker.weight * share * current[index]
    if sampling.own == EXPLORE:
        if unit(state) < sampling.exploration:
            chosen = np.uint64(np.int64(unit(state) * np.int64(count)))
        else:
            chosen = pick(current, slot, count, state)
        chance = sampling.exploration / count + (1.0 - sampling.exploration) * current[slot + chosen]
        inverse = 1.0 / chance
        below, part = share * inverse, current[slot + chosen] * inverse
        if averaged:
            below *= current[slot + chosen]
        enter(buffers, size, first + chosen, Reach(others, own * chance, below), part, inverse, chosen, depth)
        return size + ONE
    chosen = count
    if sampling.own == PURE:
        chosen = pick(current, slot, count, state)
    total = 0.0
    if sampling.own == BERNOULLI:
        for index in range(slot, slot + count):
            total += average[index]
    for index in range(count):
        chance, factor = 1.0, current[slot + index]
        if sampling.own == PURE:
            factor = 1.0 if index == chosen else 0.0
        elif sampling.own == BERNOULLI:
            chance = (sampling.bonus + sampling.threshold * average[slot + index]) / (sampling.bonus + total)
            chance = min(1.0, max(sampling.exploration, chance))
            if chance < 1.0 and unit(state) >= chance:
                continue
        inverse = 1.0 / chance
        below, part = share * inverse, factor * inverse
        if averaged:
            below *= current[slot + index]
        enter(buffers, size, first + index, Reach(others, own * chance, below), part, inverse, index, depth)
        size += ONE
    return size


@kernel(allocates=False)
def walk(player, weight, sampling, tree, buffers, sums, count, state):
    """One walk of a player: adds sampled regrets to delta, updates the next player's average, and marks touched
    infosets.

    weight: of this walk in averages. Returns the number of touched infosets, including the `count` from before, and
    the number of histories visited.
    """
    players = np.uint32(tree.returns.shape[1])
    following = (player + np.uint32(1)) % players
    key = draw(state) if sampling.chance == PUBLIC else np.uint64(0)
    walker = Walker(player, following, weight, key)
    enter(buffers, np.uint64(0), 0, Reach(1.0, 1.0, 1.0), 1.0, 1.0, 0, 0)
    size, entry, visited = ONE, np.uint64(0), np.uint64(0)
    while entry < size:
        visited += ONE + follow(entry, walker, sampling, tree, buffers, sums, state)
        actor = tree.nodes[buffers.queue[entry, 0], 0]
        buffers.queue[entry, 1] = size
        if actor == CHANCE_CODE:
            size = open_chance(entry, size, tree, buffers)
        elif actor == player:
            size = open_own(entry, size, walker, sampling, tree, buffers, sums, state)
        elif actor != END_CODE:
            size = open_other(entry, size, actor == following, walker, tree, buffers, sums)
        entry += ONE
    return gather_up(player, size, tree, buffers, sums.delta, count), visited


@kernel(allocates=False, forceinline=True)
def gather_up(player, size, tree, buffers, delta, count):
    """Go back over the queue: values, and the sampled regrets of the traversing player's infosets."""
    nodes, queue, weights = tree.nodes, buffers.queue, buffers.weights
    below = size
    entry = size
    while entry > np.uint64(0):
        entry -= ONE
        node = np.uint64(queue[entry, 0])
        actor = nodes[node, 0]
        if actor == END_CODE:
            weights[entry, 5] = tree.returns[nodes[node, 3], player]
            below = np.uint64(queue[entry, 1])
            continue
        first = np.uint64(queue[entry, 1])
        value = 0.0
        for child in range(first, below):
            value += weights[child, 3] * weights[child, 5]
        weights[entry, 5] = value
        if actor == player:
            infoset = nodes[node, 3]
            slot = np.uint64(tree.start[infoset])
            scale = weights[entry, 0] / weights[entry, 1]
            for index in range(slot, slot + np.uint64(nodes[node, 2])):
                delta[index] -= scale * value
            for child in range(first, below):
                delta[slot + np.uint64(queue[child, 2])] += scale * weights[child, 4] * weights[child, 5]
            if not buffers.mark[infoset]:
                buffers.mark[infoset] = True
                buffers.touched[count] = infoset
                count += 1
        below = first
    return count


@kernel
def most_visited(player, sampling, tree):
    """The largest number of histories that a walk of a player can visit."""
    nodes = tree.nodes
    most = np.ones(len(nodes), np.int64)
    for node in range(len(nodes) - 1, -1, -1):
        actor = nodes[node, 0]
        if actor == END_CODE:
            continue
        if actor == CHANCE_CODE:
            one = sampling.chance == SAMPLE or (sampling.chance == PUBLIC and tree.public[node])
        elif actor == player:
            one = sampling.own == EXPLORE
        else:
            one = sampling.others == SAMPLE
        first = np.int64(nodes[node, 1])
        total, largest = 0, 0
        for child in range(first, first + np.int64(nodes[node, 2])):
            total += most[child]
            largest = max(largest, most[child])
        most[node] = 1 + (largest if one else total)
    return most[0]
