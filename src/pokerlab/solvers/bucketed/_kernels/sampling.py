"""Monte-Carlo CFR on the bucketed form: walks of one deal, for any betting and any number of players.

What a walk does at its own player's decisions and at the others' is a value, as in solvers/cfr/sampled/sampler.py.
Besides its node, each visited history stores

    others   the probability of the other players' moves, divided by their sampling probability
    own      the sampling probability of the traversing player's own moves
    share    the weight of this history in the next player's average, an unbiased estimate of that player's reach
    factor   the share of its value in its parent's
    inverse  one over the sampling probability of the traversing player's move to it

Cards are those of one deal, so a walk visits an infoset at most once, and regrets are added on the way back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.batches import deal_batch
from pokerlab.solvers.bucketed._kernels.matching import (
    add_average,
    decision_word,
    drawn,
    matched,
    point,
    positive,
)
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, CHILDREN, FIRST, ROUND, offset_of, payoff, walk_key
from pokerlab.solvers.cfr.sampled._kernels.sampling import BERNOULLI, EXPLORE, SAMPLE

NODE, OFFSET, BELOW, ACTION = range(4)  # columns of the queue
OTHERS, OWN, SHARE, FACTOR, INVERSE, VALUE = range(6)  # columns of the weights
PRUNED = 0.95  # the share of walks that skip actions of very negative regret


class Rule(NamedTuple):
    """What a walk does at decisions."""

    own: int  # ENUMERATE, EXPLORE or BERNOULLI
    others: int  # ENUMERATE or SAMPLE
    exploration: float
    bonus: float  # for average-strategy sampling, like the next
    threshold: float
    limit: float  # actions with less regret are skipped in most walks; minus infinity: none
    floor: float  # lower bound of regrets


class WalkBuffers(NamedTuple):
    """Buffers for the walks of one thread: the histories that a walk visits, parents before children."""

    queue: object  # [entry, 4] int64: node, offset of its numbers, first entry below, action that led to it
    weights: object  # [entry, 6] float64: see above, and the value
    state: object  # [1] uint64: of the random numbers that deal


class Walker(NamedTuple):
    """The player of a walk, and its settings."""

    player: int
    following: int  # the next player, whose average the walk adds to
    key: int  # of its random numbers
    limit: float  # of the regret of actions that this walk tries


@kernel(allocates=False, forceinline=True)
def enter(buffers, entry, node, action, others, own, share, factor, inverse):
    """Write one entry."""
    buffers.queue[entry, NODE], buffers.queue[entry, ACTION] = node, action
    weights = buffers.weights
    weights[entry, OTHERS], weights[entry, OWN], weights[entry, SHARE] = others, own, share
    weights[entry, FACTOR], weights[entry, INVERSE] = factor, inverse


@kernel(allocates=False, forceinline=True)
def enter_sampled(parent, entry, node, action, current, chance, buffers):
    """Write the entry of an own action with this probability in the current strategy, tried with this chance."""
    weights = buffers.weights
    others, own, share = weights[parent, OTHERS], weights[parent, OWN], weights[parent, SHARE]
    enter(buffers, entry, node, action, others, own * chance, share / chance, current / chance, 1.0 / chance)


@kernel(allocates=False, forceinline=True)
def follow(entry, walker, bucket, tables, sums, buffers):
    """Advance an entry past the others' sampled actions, adding to the next player's average; returns the steps."""
    nodes, play = tables.nodes, sums.play
    node, share, steps = buffers.queue[entry, NODE], buffers.weights[entry, SHARE], 0
    while nodes[node, ACTOR] >= 0 and nodes[node, ACTOR] != walker.player:
        offset, moves = offset_of(node, bucket, tables), np.int64(nodes[node, CHILDREN])
        total, base = positive(play, offset, moves), decision_word(walker.key, node)
        chosen = drawn(play, offset, moves, total, point(base, 0))
        if nodes[node, ACTOR] == walker.following:
            for index in range(moves):
                gained = share * matched(play, offset + index, moves, total)
                add_average(sums.average, offset + index, gained, base, index)
        else:
            share /= matched(play, offset + chosen, moves, total)
        node = np.int64(nodes[node, FIRST]) + chosen
        steps += 1
    buffers.queue[entry, NODE], buffers.weights[entry, SHARE] = node, share
    return steps


@kernel(allocates=False, forceinline=True)
def open_other(entry, size, walker, bucket, tables, sums, buffers):
    """Queue every action of another player, adding to the average of the next; returns the new size of the queue."""
    nodes, play, weights = tables.nodes, sums.play, buffers.weights
    node = buffers.queue[entry, NODE]
    offset, first = offset_of(node, bucket, tables), np.int64(nodes[node, FIRST])
    moves = np.int64(nodes[node, CHILDREN])
    total, base = positive(play, offset, moves), decision_word(walker.key, node)
    averaged = nodes[node, ACTOR] == walker.following
    others, own, share = weights[entry, OTHERS], weights[entry, OWN], weights[entry, SHARE]
    for index in range(moves):
        chance, below = matched(play, offset + index, moves, total), share
        if averaged:
            below = share * chance
            add_average(sums.average, offset + index, below, base, index)
        if chance > 0.0 or below > 0.0:
            enter(buffers, size, first + index, index, others * chance, own, below, chance, 1.0)
            size += 1
    return size


@kernel(allocates=False, forceinline=True)
def open_own(entry, size, walker, rule, bucket, tables, sums, buffers):
    """Queue the children of the traversing player's decision: all actions, one, or some."""
    nodes, play = tables.nodes, sums.play
    node = buffers.queue[entry, NODE]
    offset, first = offset_of(node, bucket, tables), np.int64(nodes[node, FIRST])
    moves = np.int64(nodes[node, CHILDREN])
    buffers.queue[entry, OFFSET] = offset
    total, base = positive(play, offset, moves), decision_word(walker.key, node)
    if rule.own == EXPLORE:
        if point(base, 0) < rule.exploration:
            chosen = np.int64(point(base, 1) * moves)
        else:
            chosen = drawn(play, offset, moves, total, point(base, 1))
        current = matched(play, offset + chosen, moves, total)
        chance = rule.exploration / moves + (1.0 - rule.exploration) * current
        enter_sampled(entry, size, first + chosen, chosen, current, chance, buffers)
        return size + 1
    played = positive(sums.average, offset, moves) if rule.own == BERNOULLI else 0.0
    last = nodes[node, ROUND] == tables.base.shape[0] - 1
    for index in range(moves):
        chance, current = 1.0, matched(play, offset + index, moves, total)
        if rule.own == BERNOULLI:
            chance = (rule.bonus + rule.threshold * sums.average[offset + index]) / (rule.bonus + played)
            chance = min(1.0, max(rule.exploration, chance))
            if chance < 1.0 and point(base, index) >= chance:
                continue
        elif sums.regret[offset + index] < walker.limit and current == 0.0 and not last:
            if nodes[first + index, ACTOR] >= 0:  # actions that end the hand are cheap to try
                continue
        enter_sampled(entry, size, first + index, index, current, chance, buffers)
        size += 1
    return size


@kernel(allocates=False, forceinline=True)
def gather_up(size, walker, rule, strength, tables, sums, buffers):
    """Go back over the queue: values, and the regrets of the traversing player's decisions."""
    nodes, queue, weights, regret = tables.nodes, buffers.queue, buffers.weights, sums.regret
    after, entry = size, size  # the entries below one end where those below the next begin
    while entry > 0:
        entry -= 1
        node = queue[entry, NODE]
        below = queue[entry, BELOW]
        if nodes[node, ACTOR] < 0:
            weights[entry, VALUE] = payoff(node, walker.player, strength, tables)
            after = below
            continue
        value = 0.0
        for child in range(below, after):
            value += weights[child, FACTOR] * weights[child, VALUE]
        weights[entry, VALUE] = value
        if nodes[node, ACTOR] == walker.player:
            scale, child = weights[entry, OTHERS] / weights[entry, OWN], below
            offset = queue[entry, OFFSET]
            for index in range(np.int64(nodes[node, CHILDREN])):
                gained = -value
                if child < after and queue[child, ACTION] == index:
                    gained += weights[child, INVERSE] * weights[child, VALUE]
                    child += 1
                elif rule.limit > -np.inf:
                    continue  # skipped: its regret does not change
                regret[offset + index] = max(regret[offset + index] + scale * gained, rule.floor)
        after = below


@kernel(allocates=False)
def walk(player, key, rule, bucket, strength, tables, sums, buffers):
    """One walk of a player; returns the nodes visited.  bucket [round, player], strength [player]"""
    nodes, players = tables.nodes, strength.shape[0]
    limit = rule.limit
    if limit > -np.inf and point(key, 0) >= PRUNED:
        limit = -np.inf
    walker = Walker(player, (player + 1) % players, key, limit)
    enter(buffers, 0, 0, 0, 1.0, 1.0, 1.0, 1.0, 1.0)
    size, entry, visited = 1, 0, 0
    while entry < size:
        if rule.others == SAMPLE:
            visited += follow(entry, walker, bucket, tables, sums, buffers)
        visited += 1
        actor = nodes[buffers.queue[entry, NODE], ACTOR]
        buffers.queue[entry, BELOW] = size
        if actor == player:
            size = open_own(entry, size, walker, rule, bucket, tables, sums, buffers)
        elif actor >= 0:
            size = open_other(entry, size, walker, bucket, tables, sums, buffers)
        entry += 1
    gather_up(size, walker, rule, strength, tables, sums, buffers)
    return visited


@kernel
def advance_sampled(span, players, rule, tables, deals, dealt, sums, buffers):
    """One thread's share of the iterations of a span, walks of players (first, last + 1); returns nodes visited."""
    visited, seats = 0, dealt.strength.shape[1]
    iteration = span.first
    while iteration < span.last:
        begin, end, falls_here = deal_batch(iteration, span, deals, dealt, buffers.state)
        if falls_here:
            for now in range(iteration, end):
                bucket, strength = dealt.bucket[now - begin], dealt.strength[now - begin]
                for player in range(players[0], players[1]):
                    key = walk_key(span.seed, now, seats, player)
                    visited += walk(player, key, rule, bucket, strength, tables, sums, buffers)
        iteration = end
    return visited


@kernel(allocates=False)
def entries_needed(player, rule, nodes, most):
    """The most entries that a walk of a player queues; fills most [node] int64, whose first entry is the root's."""
    for node in range(nodes.shape[0] - 1, -1, -1):
        actor = nodes[node, ACTOR]
        total, largest = 0, 0
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, CHILDREN]):
            total += most[child]
            largest = max(largest, most[child])
        if actor < 0:
            most[node] = 1
        elif actor == player:
            most[node] = 1 + (largest if rule.own == EXPLORE else total)
        else:
            most[node] = largest if rule.others == SAMPLE else 1 + total
