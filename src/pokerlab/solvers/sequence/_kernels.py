"""The sequence form at work: gather counterfactual values, sweep a treeplex upwards, realise the plan downwards.

Arrays by sequence [S] hold all players' together (see tree/sequence.py).

Indices stay unsigned throughout: a signed one costs a check at each access, and mixing the two makes a float.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers._kernels import step_of

LOWEST = -1e300  # the floor of a regret that has none
ONE = np.uint64(1)
_MATH = {"contract", "nsz", "nnan"}


class Treeplexes(NamedTuple):
    """A sequence form of P players, I infosets, S sequences and Z leaves that pay; see tree.sequence.SequenceForm."""

    infosets: object  # [P, 2] uint64: each player's first and last infoset
    own: object  # [P, 2] uint64: each player's first and last sequence but the empty one
    start: object  # [I + 1] uint32
    parent: object  # [I] uint32
    row: object  # [S + 1] uint64
    other: object  # [Z * (P - 1)] uint32
    payoff: object  # [Z] float64


class SequenceSums(NamedTuple):
    """What a schedule keeps of each sequence."""

    value: object  # [S] float64: counterfactual values, gathered at each step
    current: object  # [S] float64: the behaviour being played
    plan: object  # [S] float64: its realisation plan
    average: object  # [S] float64: the weighted sum of plans
    regret: object  # [S] float64


def treeplexes_of(form):
    """The record of a SequenceForm."""
    infosets, own = form.ranges
    return Treeplexes(infosets, own, form.start, form.parent, form.row, form.other.reshape(-1), form.value)


@kernel(allocates=False, fastmath=_MATH)
def gather_two(first, last, form, plan, value):
    """Payoff of each sequence first .. last-1 against the plan of the one other player; returns the leaves read."""
    row, other, payoff = form.row, form.other, form.payoff
    for sequence in range(first, last):
        total = 0.0
        for leaf in range(row[sequence], row[sequence + ONE]):
            total += payoff[leaf] * plan[other[leaf]]
        value[sequence] = total
    return row[last] - row[first]


@kernel(allocates=False, fastmath=_MATH)
def gather_many(first, last, others, form, plan, value):
    """The same against any number of other players; a leaf is left at the first plan that never comes there."""
    row, other = form.row, form.other
    for sequence in range(first, last):
        total = 0.0
        for leaf in range(row[sequence], row[sequence + ONE]):
            worth = form.payoff[leaf]
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
def scatter_two(first, last, form, plan, value):
    """Partial pruning for two players and zero sum: only the sequences that the opponent plays are visited.

    first .. last-1 are the opponent's sequences; `value` must be zero at the player's before. Returns the leaves read.
    """
    row, other, payoff = form.row, form.other, form.payoff
    read = np.uint64(0)
    for sequence in range(first, last):
        reach = plan[sequence]
        if reach > 0.0:
            for leaf in range(row[sequence], row[sequence + ONE]):
                value[other[leaf]] -= payoff[leaf] * reach
            read += row[sequence + ONE] - row[sequence]
    return read


@kernel(inline="always", allocates=False)
def rule_of(step):
    """How regrets of a schedule's step go on: what is kept of positive and negative ones, the prediction, the floor."""
    return step.keep_positive, step.keep_negative, step.prediction, 0.0 if step.floor else LOWEST


@kernel(allocates=False, fastmath=_MATH, forceinline=True)
def match_row(first, last, share, worth, rule, value, regret, current):
    """Regrets of sequences first .. last-1, a share of what they gain, and the next behaviour by matching them."""
    positive, negative, prediction, lowest = rule
    total = 0.0
    for sequence in range(first, last):
        gain = share * (value[sequence] - worth)
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
        uniform = 1.0 / float(last - first)
        for sequence in range(first, last):
            current[sequence] = uniform


@kernel(allocates=False, fastmath=_MATH)
def sweep(low, high, form, value, current, regret, step):
    """Regrets of infosets high-1 .. low, and the next behaviour by regret matching; values flow to the parents.

    `step` holds the numbers of a schedule's step.
    """
    start, parent = form.start, form.parent
    rule = rule_of(step)
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        worth = 0.0
        for sequence in range(first, last):
            worth += current[sequence] * value[sequence]
        value[parent[infoset]] += worth
        match_row(first, last, 1.0, worth, rule, value, regret, current)


@kernel(allocates=False, fastmath=_MATH)
def descend(low, high, form, current, plan):
    """The realisation plan of the current behaviour of infosets low .. high-1."""
    start, parent = form.start, form.parent
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
def respond(low, high, form, value, choice):
    """Best response of infosets high-1 .. low: the best value flows to the parent; choice [S] becomes 0 and 1."""
    start, parent = form.start, form.parent
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
def gather(player, pruning, form, plan, value):
    """Counterfactual values of one player's sequences: all but the empty one, then that. Returns the leaves read."""
    players = np.uint64(len(form.own))
    first, last = form.own[player]
    if pruning:
        for sequence in range(first, last):
            value[sequence] = 0.0
        value[player] = 0.0
        rival = ONE - player
        read = scatter_two(form.own[rival, 0], form.own[rival, 1], form, plan, value)
        return read + scatter_two(rival, rival + ONE, form, plan, value)
    if players == 2:
        read = gather_two(first, last, form, plan, value)
        return read + gather_two(player, player + ONE, form, plan, value)
    read = gather_many(first, last, players - ONE, form, plan, value)
    return read + gather_many(player, player + ONE, players - ONE, form, plan, value)


@kernel(allocates=False, fastmath=_MATH)
def advance(steps, alternating, pruning, form, sums):
    """The steps of a schedule, one after the other; returns the leaves read.

    steps [count, 6] as Schedule.table gives them
    """
    players = np.uint64(len(form.own))
    read = np.uint64(0)
    for t in range(len(steps)):
        step = step_of(steps, t)
        for turn in range(players):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else players):
                    first, last = form.own[player]
                    read += gather(player, pruning, form, sums.plan, sums.value)
                    accumulate(first, last, sums.plan, sums.average, step.keep_average, step.average_weight)
            low, high = form.infosets[turn]
            sweep(low, high, form, sums.value, sums.current, sums.regret, step)
            descend(low, high, form, sums.current, sums.plan)
    return read


@kernel(allocates=False, fastmath=_MATH)
def play_fictitiously(done, count, alternating, form, value, choice, plan, average):
    """Fictitious play: each answers the others' average best, and the answer joins its average with weight 1 / t.

    `done` iterations are behind. value, choice and plan [S] are room for an answer; average [S] is itself a plan.
    """
    players = np.uint64(len(form.own))
    for t in range(done + 1, done + count + 1):
        for turn in range(players):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else players):
                    gather(player, False, form, average, value)
            low, high = form.infosets[turn]
            respond(low, high, form, value, choice)
            descend(low, high, form, choice, plan)
            accumulate(form.own[turn, 0], form.own[turn, 1], plan, average, (t - 1.0) / t, 1.0 / t)
