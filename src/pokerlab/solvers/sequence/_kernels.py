"""The sequence form at work: gather counterfactual values, sweep a treeplex upwards, realise the plan downwards.

Arrays by sequence [S], all players' together (see tree/sequence.py): `value` gathers counterfactual values, `current`
is the behaviour being played, `plan` its realisation plan, `average` the weighted sum of plans, `regret` the cumulative
regret. start [I+1] uint32, parent [I] uint32, row [S+1] uint64, other [Z * (P-1)] uint32 (flat), payoff [Z] float64.

Indices stay unsigned throughout: a signed one costs a check at each access, and mixing the two makes a float.
"""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel

LOWEST = -1e300  # the floor of a regret that has none
ONE = np.uint64(1)
_MATH = {"contract", "nsz", "nnan"}


@kernel(allocates=False, fastmath=_MATH)
def gather_two(first, last, row, other, payoff, plan, value):
    """Payoff of each sequence first .. last-1 against the plan of the one other player; returns the leaves read."""
    for sequence in range(first, last):
        total = 0.0
        for leaf in range(row[sequence], row[sequence + ONE]):
            total += payoff[leaf] * plan[other[leaf]]
        value[sequence] = total
    return row[last] - row[first]


@kernel(allocates=False, fastmath=_MATH)
def gather_many(first, last, others, row, other, payoff, plan, value):
    """The same against any number of other players; a leaf is left at the first plan that never comes there."""
    for sequence in range(first, last):
        total = 0.0
        for leaf in range(row[sequence], row[sequence + ONE]):
            worth = payoff[leaf]
            place = leaf * others
            for index in range(place, place + others):
                reach = plan[other[index]]
                worth *= reach
                if reach == 0.0:
                    break
            total += worth
        value[sequence] = total
    return row[last] - row[first]


@kernel(allocates=False, fastmath=_MATH)
def scatter_two(first, last, row, other, payoff, plan, value):
    """Partial pruning for two players and zero sum: only the sequences that the opponent plays are visited.

    first .. last-1 are the opponent's sequences; `value` must be zero at the player's before. Returns the leaves read.
    """
    read = np.uint64(0)
    for sequence in range(first, last):
        reach = plan[sequence]
        if reach > 0.0:
            for leaf in range(row[sequence], row[sequence + ONE]):
                value[other[leaf]] -= payoff[leaf] * reach
            read += row[sequence + ONE] - row[sequence]
    return read


@kernel(allocates=False, fastmath=_MATH)
def sweep(low, high, start, parent, value, current, regret, positive, negative, lowest, prediction):
    """Regrets of infosets high-1 .. low, and the next behaviour by regret matching; values flow to the parents.

    The last four numbers are those of a schedule's step, the floor as the lowest regret kept.
    """
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        worth = 0.0
        for sequence in range(first, last):
            worth += current[sequence] * value[sequence]
        value[parent[infoset]] += worth
        total = 0.0
        for sequence in range(first, last):
            gain = value[sequence] - worth
            old = regret[sequence]
            new = max(positive * max(old, 0.0) + negative * min(old, 0.0) + gain, lowest)
            regret[sequence] = new
            matched = max(new + prediction * gain, 0.0)
            current[sequence] = matched
            total += matched
        if total > 0.0:
            scale = 1.0 / total
            for sequence in range(first, last):
                current[sequence] *= scale
        else:
            even = 1.0 / float(last - first)
            for sequence in range(first, last):
                current[sequence] = even


@kernel(allocates=False, fastmath=_MATH)
def descend(low, high, start, parent, current, plan):
    """The realisation plan of the current behaviour of infosets low .. high-1."""
    for infoset in range(low, high):
        above = plan[parent[infoset]]
        for sequence in range(np.uint64(start[infoset]), np.uint64(start[infoset + ONE])):
            plan[sequence] = above * current[sequence]


@kernel(allocates=False, fastmath=_MATH)
def accumulate(first, last, plan, average, keep, weight):
    """average <- average * keep + weight * plan, for sequences first .. last-1."""
    for sequence in range(first, last):
        average[sequence] = average[sequence] * keep + weight * plan[sequence]


@kernel(allocates=False, fastmath=_MATH)
def respond(low, high, start, parent, value, choice):
    """Best response of infosets high-1 .. low: the best value flows to the parent; choice [S] becomes 0 and 1."""
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        best = first
        for sequence in range(first, last):
            choice[sequence] = 0.0
            if value[sequence] > value[best]:
                best = sequence
        choice[best] = 1.0
        value[parent[infoset]] += value[best]


@kernel(allocates=False, fastmath=_MATH)
def gather(player, players, first, last, pruning, own, row, other, payoff, plan, value):
    """Counterfactual values of one player's sequences: first .. last-1 and the empty one.

    own [P, 2] uint64 holds each player's first and last sequence, for pruning. Returns the leaves read.
    """
    if pruning:
        value[player] = 0.0
        for sequence in range(first, last):
            value[sequence] = 0.0
        rival = ONE - player
        read = scatter_two(own[rival, 0], own[rival, 1], row, other, payoff, plan, value)
        return read + scatter_two(rival, rival + ONE, row, other, payoff, plan, value)
    if players == 2:
        read = gather_two(first, last, row, other, payoff, plan, value)
        return read + gather_two(player, player + ONE, row, other, payoff, plan, value)
    read = gather_many(first, last, players - ONE, row, other, payoff, plan, value)
    return read + gather_many(player, player + ONE, players - ONE, row, other, payoff, plan, value)


@kernel(allocates=False, fastmath=_MATH)
def advance(
    steps, alternating, pruning, infosets, own, start, parent, row, other, payoff, value, current, plan, average, regret
):
    """The steps of a schedule, one after the other; returns the leaves read.

    steps [count, 6] as Schedule.table gives them; infosets [P, 2], own [P, 2] uint64: each player's first and last
    infoset and sequence.
    """
    players = np.uint64(len(own))
    read = np.uint64(0)
    for t in range(len(steps)):
        positive, negative, floor, keep, weight, prediction = steps[t]
        lowest = 0.0 if floor != 0.0 else LOWEST
        for turn in range(players):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else players):
                    first, last = own[player]
                    read += gather(player, players, first, last, pruning, own, row, other, payoff, plan, value)
                    accumulate(first, last, plan, average, keep, weight)
            low, high = infosets[turn]
            sweep(low, high, start, parent, value, current, regret, positive, negative, lowest, prediction)
            descend(low, high, start, parent, current, plan)
    return read


@kernel(allocates=False, fastmath=_MATH)
def play_fictitiously(
    done, count, alternating, infosets, own, start, parent, row, other, payoff, value, choice, plan, average
):
    """Fictitious play: each answers the others' average best, and the answer joins its average with weight 1 / t.

    `done` iterations are behind; average [S] is itself a plan.
    """
    players = np.uint64(len(own))
    for t in range(done + 1, done + count + 1):
        for turn in range(players):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else players):
                    first, last = own[player]
                    gather(player, players, first, last, False, own, row, other, payoff, average, value)
            low, high = infosets[turn]
            respond(low, high, start, parent, value, choice)
            descend(low, high, start, parent, choice, plan)
            accumulate(own[turn, 0], own[turn, 1], plan, average, (t - 1.0) / t, 1.0 / t)
