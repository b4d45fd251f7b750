"""Kernels of CFR on treeplexes: sweep a treeplex upwards, compute the plan downwards, run whole schedules on leaves.

Arrays by sequence [S] hold all players' together (see tree/treeplex.py). `fixed` is the part of the strategies that is
fixed (see solvers/cfr/fixed.py), or None: the regrets are those of the free part.

Indices stay unsigned throughout: signed indexing adds a check at each access, and mixing the two gives a float.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.core._kernels import step_of
from pokerlab.tree._kernels.treeplex import ONE, descend, gather, respond

LOWEST = -1e300  # regret floor for schedules without one
_MATH = {"contract", "nsz", "nnan"}


class SequenceSums(NamedTuple):
    """The arrays of a schedule, by sequence."""

    value: object  # [S] float64: counterfactual values, gathered at each step
    current: object  # [S] float64: the current behaviour
    plan: object  # [S] float64: its realization plan
    average: object  # [S] float64: the weighted sum of plans
    regret: object  # [S] float64


class FixedStrategy(NamedTuple):
    """The fixed part of the players' strategies."""

    floor: object  # [S] float64: the minimum probability of an action
    free: object  # [I] float64: the probability left to choose, at each infoset
    player: object  # uint64: the player who may be held for the whole game
    whole: object  # float64: the probability of that, drawn before the game
    plan: object  # [S] float64: the realization plan that this player is then held to


@kernel(inline="always", allocates=False)
def rule_of(step):
    """A step's regret settings: discounts of positive and negative regret, the prediction, the floor."""
    return step.keep_positive, step.keep_negative, step.prediction, 0.0 if step.floor else LOWEST


@kernel(allocates=False, fastmath=_MATH, forceinline=True)
def match_row(first, last, share, mean, rule, value, regret, current):
    """Update the regrets of sequences first .. last-1 by a share of their gains, and apply regret matching."""
    positive, negative, prediction, lowest = rule
    total = 0.0
    for sequence in range(first, last):
        gain = share * (value[sequence] - mean)
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
def sweep(low, high, form, fixed, value, current, regret, step):
    """Regrets of infosets high-1 .. low, and the next behaviour by regret matching; values flow to the parents.

    `step` holds the numbers of a schedule's step.
    """
    start, parent = form.start, form.parent
    rule = rule_of(step)
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        forced, chosen = 0.0, 0.0
        free = 1.0 if fixed is None else fixed.free[infoset]
        for sequence in range(first, last):
            if fixed is not None:
                forced += fixed.floor[sequence] * value[sequence]
            chosen += current[sequence] * value[sequence]
        value[parent[infoset]] += chosen if fixed is None else forced + free * chosen
        match_row(first, last, free, chosen, rule, value, regret, current)


@kernel(allocates=False, fastmath=_MATH)
def accumulate(first, last, plan, average, keep, weight):
    """average <- average * keep + weight * plan, for sequences first .. last-1."""
    for sequence in range(first, last):
        average[sequence] = average[sequence] * keep + weight * plan[sequence]


@kernel(allocates=False, fastmath=_MATH)
def descend_fixed(player, form, fixed, current, plan):
    """A player's realization plan: the fixed part, and `current` for the free part."""
    start, parent = form.start, form.parent
    low, high = form.infosets[player]
    for infoset in range(low, high):
        above, free = plan[parent[infoset]], fixed.free[infoset]
        for sequence in range(np.uint64(start[infoset]), np.uint64(start[infoset + ONE])):
            plan[sequence] = above * (fixed.floor[sequence] + free * current[sequence])
    if player == fixed.player and fixed.whole > 0.0:
        for sequence in range(form.own[player, 0], form.own[player, 1]):
            plan[sequence] = fixed.whole * fixed.plan[sequence] + (1.0 - fixed.whole) * plan[sequence]


@kernel(allocates=False, fastmath=_MATH)
def respond_fixed(player, form, fixed, value):
    """The most that a player can win with the free part; value [S], of sequences by themselves, is overwritten."""
    held = value[player]
    for sequence in range(form.own[player, 0], form.own[player, 1]):
        held += fixed.plan[sequence] * value[sequence]
    low, infoset = form.infosets[player]
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(form.start[infoset]), np.uint64(form.start[infoset + ONE])
        best, forced = value[first], 0.0
        for sequence in range(first, last):
            best = max(best, value[sequence])
            forced += fixed.floor[sequence] * value[sequence]
        value[form.parent[infoset]] += forced + fixed.free[infoset] * best
    if player == fixed.player:
        return fixed.whole * held + (1.0 - fixed.whole) * value[player]
    return value[player]


@kernel(allocates=False, fastmath=_MATH)
def advance(steps, alternating, pruning, form, fixed, sums):
    """The steps of a schedule, in order, on a form whose payoffs are leaves; returns the number of leaves read.

    steps [count, 6] from Schedule.table
    """
    players = np.uint64(len(form.own))
    read = np.uint64(0)
    for t in range(len(steps)):
        step = step_of(steps, t)
        for updating in range(players):
            if alternating or updating == np.uint64(0):
                for player in range(
                    updating if alternating else np.uint64(0), updating + ONE if alternating else players
                ):
                    first, last = form.own[player]
                    read += gather(player, pruning, form, sums.plan, sums.value)
                    accumulate(first, last, sums.plan, sums.average, step.keep_average, step.average_weight)
            low, high = form.infosets[updating]
            sweep(low, high, form, fixed, sums.value, sums.current, sums.regret, step)
            if fixed is None:
                descend(low, high, form, sums.current, sums.plan)
            else:
                descend_fixed(updating, form, fixed, sums.current, sums.plan)
    return read


@kernel(allocates=False, fastmath=_MATH)
def advance_cfr_br(steps, form, sums, choice, response):
    """Steps of a schedule in which each of two players faces a best response to their current behaviour.

    steps [count, 6] from Schedule.table; choice and response [S] are buffers for the best response as behaviour and
    as a plan, whose empty sequences are 1
    """
    for t in range(len(steps)):
        step = step_of(steps, t)
        for updating in range(np.uint64(2)):
            rival = ONE - updating
            gather(rival, False, form, sums.plan, sums.value)
            low, high = form.infosets[rival]
            respond(low, high, form, sums.value, choice)
            descend(low, high, form, choice, response)
            gather(updating, False, form, response, sums.value)
            first, last = form.own[updating]
            accumulate(first, last, sums.plan, sums.average, step.keep_average, step.average_weight)
            low, high = form.infosets[updating]
            sweep(low, high, form, None, sums.value, sums.current, sums.regret, step)
            descend(low, high, form, sums.current, sums.plan)


@kernel(allocates=False, fastmath=_MATH)
def play_fictitiously(done, count, alternating, form, value, choice, plan, average):
    """Fictitious play: each player's best response to the others' average joins their own average with weight 1 / t.

    `done` iterations precede. value, choice and plan [S] are buffers for a best response; average [S] is a plan.
    """
    players = np.uint64(len(form.own))
    for t in range(done + 1, done + count + 1):
        for updating in range(players):
            if alternating or updating == np.uint64(0):
                for player in range(
                    updating if alternating else np.uint64(0), updating + ONE if alternating else players
                ):
                    gather(player, False, form, average, value)
            low, high = form.infosets[updating]
            respond(low, high, form, value, choice)
            descend(low, high, form, choice, plan)
            accumulate(form.own[updating, 0], form.own[updating, 1], plan, average, (t - 1.0) / t, 1.0 / t)
