"""Monte-Carlo CFR over histories: one walk visits part of the tree and adds an unbiased estimate of regret.

A walk keeps a queue of the histories it visits, parents before children, and then goes back over it, values flowing
up. Each visited history holds, besides its node,

    others   the probability of what chance and the other players did, over that of it being sampled
    own      the probability with which the walking player's own moves were sampled
    share    the weight of this history in the average of the next player, whose reach it estimates without bias
    factor   the share of its value in its parent's
    inverse  one over the probability with which the walking player's move to it was sampled

so others / own times (value of an action - value of the infoset) is the sampled regret; its mean is the exact one.

nodes [N, 4] uint32: actor (CHANCE_CODE, END_CODE), first child, number of children, and label: the infoset, the row of
returns, or at chance whether outcomes are EVEN. start [I+1] uint32 into the slots [A] of current, average and delta.
"""

from __future__ import annotations

import math

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, TO_UNIT, draw, mixed, unit
from pokerlab.compiled import kernel

CHANCE_CODE, END_CODE = np.uint32(1000), np.uint32(1001)
EVEN = np.uint32(1)
ENUMERATE, SAMPLE, PUBLIC = 0, 1, 2  # what is done at chance, and the first two at other players' infosets
EXPLORE, BERNOULLI, PURE = 1, 2, 3  # what is done at the walking player's own, or ENUMERATE
ONE = np.uint64(1)
S11 = np.uint64(11)


@kernel(inline="always", allocates=False)
def pick(chances, first, count, state):
    """One of chances[first : first + count], in proportion, without branches that random numbers would mislead."""
    point = unit(state)
    chosen = np.uint64(0)
    for index in range(first, first + count - ONE):
        point -= chances[index]
        chosen += np.uint64(point >= 0.0)
    while chances[first + chosen] <= 0.0 and chosen > np.uint64(0):  # where rounding went past the last possible one
        chosen -= ONE
    return chosen


@kernel(allocates=False)
def race(probability, edge, first, count, key):
    """An outcome of a public chance node: the same wherever the same outcomes are possible.

    Each outcome has an exponential clock made of the key and its name, and rings at clock / probability: the first to
    ring is distributed as the probabilities, and nodes that share names share clocks.
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
def enter(queue, weights, entry, node, others, own, share, factor, inverse, action, depth):
    """Write one visited history. queue [M, 4] int64: node, first entry below, action, chance depth; weights [M, 6]."""
    queue[entry, 0] = node
    queue[entry, 2] = action
    queue[entry, 3] = depth
    weights[entry, 0] = others
    weights[entry, 1] = own
    weights[entry, 2] = share
    weights[entry, 3] = factor
    weights[entry, 4] = inverse


@kernel(inline="always", allocates=False)
def follow(
    entry, player, following, modes, weight, key, nodes, probability, public, edge, start, queue, weights, current,
    average, state
):  # fmt: skip
    """Move an entry on past all that is sampled, adding to the average of the next player; returns the moves made."""
    node, depth, share = np.uint64(queue[entry, 0]), queue[entry, 3], weights[entry, 2]
    steps = np.uint64(0)
    while True:
        actor = nodes[node, 0]
        first, count = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
        if actor == CHANCE_CODE and (modes[0] == SAMPLE or (modes[0] == PUBLIC and public[node])):
            depth += 1
            if modes[0] == PUBLIC:
                chosen = race(probability, edge, first, count, mixed(key + np.uint64(depth) * STRIDE))
            elif nodes[node, 3] == EVEN:
                chosen = np.uint64(np.int64(unit(state) * np.int64(count)))
            else:
                chosen = pick(probability, first, count, state)
        elif actor < CHANCE_CODE and actor != player and modes[2] == SAMPLE:
            slot = np.uint64(start[nodes[node, 3]])
            chosen = pick(current, slot, count, state)
            if actor == following:
                for index in range(slot, slot + count):
                    average[index] += weight * share * current[index]
            else:
                share /= current[slot + chosen]
        else:
            break
        node = first + chosen
        steps += ONE
    queue[entry, 0], queue[entry, 3], weights[entry, 2] = node, depth, share
    return steps


@kernel(allocates=False)
def open_chance(entry, size, nodes, probability, queue, weights):
    """Queue every outcome of a chance node; returns the new size of the queue."""
    node = np.uint64(queue[entry, 0])
    first, count = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
    others, own, share, depth = weights[entry, 0], weights[entry, 1], weights[entry, 2], queue[entry, 3] + 1
    for child in range(first, first + count):
        chance = probability[child]
        enter(queue, weights, size, child, others * chance, own, share * chance, chance, 1.0, 0, depth)
        size += ONE
    return size


@kernel(allocates=False)
def open_other(averaged, weight, entry, size, nodes, start, queue, weights, current, average):
    """Queue every action of another player, and add to that player's average strategy where it is his turn."""
    node = np.uint64(queue[entry, 0])
    first, count = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
    slot = np.uint64(start[nodes[node, 3]])
    others, own, share, depth = weights[entry, 0], weights[entry, 1], weights[entry, 2], queue[entry, 3]
    for index in range(count):
        chance = current[slot + index]
        below = share
        if averaged:
            below = share * chance
            average[slot + index] += weight * below
        if chance > 0.0 or below > 0.0:
            enter(queue, weights, size, first + index, others * chance, own, below, chance, 1.0, 0, depth)
            size += ONE
    return size


@kernel(allocates=False)
def open_own(averaged, weight, mode, settings, entry, size, nodes, start, queue, weights, current, average, state):
    """Queue what follows the walking player's own infoset: all actions, one, or some.

    settings [3]: exploration, and the bonus and threshold of average-strategy sampling. Where the walking player is the
    only one, `averaged`, this adds to his average strategy too: nobody else's walk would.
    """
    node = np.uint64(queue[entry, 0])
    first, count = np.uint64(nodes[node, 1]), np.uint64(nodes[node, 2])
    slot = np.uint64(start[nodes[node, 3]])
    others, own, share, depth = weights[entry, 0], weights[entry, 1], weights[entry, 2], queue[entry, 3]
    if averaged:
        for index in range(slot, slot + count):
            average[index] += weight * share * current[index]
    if mode == EXPLORE:
        if unit(state) < settings[0]:
            chosen = np.uint64(np.int64(unit(state) * np.int64(count)))
        else:
            chosen = pick(current, slot, count, state)
        chance = settings[0] / count + (1.0 - settings[0]) * current[slot + chosen]
        inverse = 1.0 / chance
        below, part = share * inverse, current[slot + chosen] * inverse
        if averaged:
            below *= current[slot + chosen]
        enter(queue, weights, size, first + chosen, others, own * chance, below, part, inverse, chosen, depth)
        return size + ONE
    chosen = count
    if mode == PURE:
        chosen = pick(current, slot, count, state)
    total = 0.0
    if mode == BERNOULLI:
        for index in range(slot, slot + count):
            total += average[index]
    for index in range(count):
        chance, factor = 1.0, current[slot + index]
        if mode == PURE:
            factor = 1.0 if index == chosen else 0.0
        elif mode == BERNOULLI:
            chance = (settings[1] + settings[2] * average[slot + index]) / (settings[1] + total)
            chance = min(1.0, max(settings[0], chance))
            if chance < 1.0 and unit(state) >= chance:
                continue
        inverse = 1.0 / chance
        below, part = share * inverse, factor * inverse
        if averaged:
            below *= current[slot + index]
        enter(queue, weights, size, first + index, others, own * chance, below, part, inverse, index, depth)
        size += ONE
    return size


@kernel(allocates=False)
def walk(
    player, modes, settings, weight, nodes, probability, public, edge, returns, start, queue, weights, current, average,
    delta, touched, mark, count, state
):  # fmt: skip
    """One walk of a player: adds sampled regrets to delta, averages of the next player, and the infosets touched.

    modes [3]: chance, own, others; weight: of this walk in averages; returns [T, P]; touched [I] int32, mark [I] bool.
    Returns the number of touched infosets, `count` of them from before, and of histories visited.
    """
    players = np.uint32(returns.shape[1])
    following = (player + np.uint32(1)) % players
    key = draw(state) if modes[0] == PUBLIC else np.uint64(0)
    enter(queue, weights, np.uint64(0), 0, 1.0, 1.0, 1.0, 1.0, 1.0, 0, 0)
    size, entry, visited = ONE, np.uint64(0), np.uint64(0)
    while entry < size:
        visited += ONE + follow(
            entry, player, following, modes, weight, key, nodes, probability, public, edge, start, queue, weights,
            current, average, state
        )  # fmt: skip
        actor = nodes[queue[entry, 0], 0]
        queue[entry, 1] = size
        if actor == CHANCE_CODE:
            size = open_chance(entry, size, nodes, probability, queue, weights)
        elif actor == player:
            size = open_own(
                following == player, weight, modes[1], settings, entry, size, nodes, start, queue, weights, current,
                average, state
            )  # fmt: skip
        elif actor != END_CODE:
            averaged = actor == following
            size = open_other(averaged, weight, entry, size, nodes, start, queue, weights, current, average)
        entry += ONE
    return gather_up(player, size, nodes, returns, start, queue, weights, delta, touched, mark, count), visited


@kernel(allocates=False)
def gather_up(player, size, nodes, returns, start, queue, weights, delta, touched, mark, count):
    """Go back over the queue: values, and the sampled regrets of the walking player's infosets."""
    below = size
    entry = size
    while entry > np.uint64(0):
        entry -= ONE
        node = np.uint64(queue[entry, 0])
        actor = nodes[node, 0]
        if actor == END_CODE:
            weights[entry, 5] = returns[nodes[node, 3], player]
            below = np.uint64(queue[entry, 1])
            continue
        first = np.uint64(queue[entry, 1])
        value = 0.0
        for child in range(first, below):
            value += weights[child, 3] * weights[child, 5]
        weights[entry, 5] = value
        if actor == player:
            infoset = nodes[node, 3]
            slot = np.uint64(start[infoset])
            scale = weights[entry, 0] / weights[entry, 1]
            for index in range(slot, slot + np.uint64(nodes[node, 2])):
                delta[index] -= scale * value
            for child in range(first, below):
                delta[slot + np.uint64(queue[child, 2])] += scale * weights[child, 4] * weights[child, 5]
            if not mark[infoset]:
                mark[infoset] = True
                touched[count] = infoset
                count += 1
        below = first
    return count


@kernel(allocates=False)
def settle(count, touched, mark, start, delta, regret, current, seen, logs, lowest, prediction):
    """Add the sampled regrets of touched infosets to their sums, and match the next behaviour to them.

    Sums of untouched infosets fade too: seen [I, 2] holds how far the logs [2] of what is kept of positive and negative
    regret had come when an infoset was last brought up to date.
    """
    for position in range(count):
        infoset = np.uint64(touched[position])
        mark[infoset] = False
        positive, negative = 1.0, 1.0
        if logs[0] != seen[infoset, 0]:
            positive = math.exp(logs[0] - seen[infoset, 0])
            seen[infoset, 0] = logs[0]
        if logs[1] != seen[infoset, 1]:
            negative = math.exp(logs[1] - seen[infoset, 1])
            seen[infoset, 1] = logs[1]
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        total = 0.0
        for slot in range(first, last):
            gain, old = delta[slot], regret[slot]
            delta[slot] = 0.0
            new = max(positive * max(old, 0.0) + negative * min(old, 0.0) + gain, lowest)
            regret[slot] = new
            matched = max(new + prediction * gain, 0.0)
            current[slot] = matched
            total += matched
        for slot in range(first, last):
            current[slot] = current[slot] / total if total > 0.0 else 1.0 / float(last - first)


@kernel(allocates=False)
def advance_sampled(
    steps, alternating, modes, settings, nodes, probability, public, edge, returns, start, queue, weights, current,
    average, regret, delta, touched, mark, seen, logs, state
):  # fmt: skip
    """The steps of a schedule, a walk of each player in each; returns the histories visited.

    logs [3]: sums of the logarithms of what is kept of positive and negative regret, and of the average.
    """
    players = returns.shape[1]
    visited = np.uint64(0)
    for t in range(len(steps)):
        positive, negative, floor, keep, weight, prediction = steps[t]
        lowest = 0.0 if floor != 0.0 else -1e300
        if positive != 1.0:
            logs[0] += math.log(max(positive, 1e-300))
        if negative != 1.0:
            logs[1] += math.log(max(negative, 1e-300))
        if keep != 1.0 and keep > 0.0:
            logs[2] += math.log(keep)
            if logs[2] < -200.0:  # averages are kept as growing sums; bring them down before they leave floats
                for slot in range(len(average)):
                    average[slot] *= math.exp(logs[2])
                logs[2] = 0.0
        weight *= math.exp(-logs[2])
        count = 0
        for player in range(players):
            count, size = walk(
                np.uint32(player), modes, settings, weight, nodes, probability, public, edge, returns, start, queue,
                weights, current, average, delta, touched, mark, count, state
            )  # fmt: skip
            visited += size
            if alternating or player == players - 1:
                settle(count, touched, mark, start, delta, regret, current, seen, logs, lowest, prediction)
                count = 0
    return visited


@kernel
def most_visited(player, modes, nodes, public):
    """The most histories that a walk of a player can visit."""
    most = np.ones(len(nodes), np.int64)
    for node in range(len(nodes) - 1, -1, -1):
        actor = nodes[node, 0]
        if actor == END_CODE:
            continue
        if actor == CHANCE_CODE:
            one = modes[0] == SAMPLE or (modes[0] == PUBLIC and public[node])
        elif actor == player:
            one = modes[1] == EXPLORE
        else:
            one = modes[2] == SAMPLE
        first = np.int64(nodes[node, 1])
        total, largest = 0, 0
        for child in range(first, first + np.int64(nodes[node, 2])):
            total += most[child]
            largest = max(largest, most[child])
        most[node] = 1 + (largest if one else total)
    return most[0]


@kernel(allocates=False)
def walk_often(
    times, player, modes, settings, nodes, probability, public, edge, returns, start, queue, weights, current, average,
    delta, touched, mark, state
):  # fmt: skip
    """Many walks of a player with behaviour unchanged: sums of sampled regrets and of average weights."""
    for _ in range(times):
        count, _size = walk(
            player, modes, settings, 1.0, nodes, probability, public, edge, returns, start, queue, weights, current,
            average, delta, touched, mark, 0, state
        )  # fmt: skip
        for position in range(count):
            mark[touched[position]] = False
