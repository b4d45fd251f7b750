"""Scheduled CFR in a game of trembling hands, on the sequence form; see solvers/sequence/_kernels.py.

`current` is what is meant; what is played is that with the probability 1 - tremble, and any action otherwise.
"""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers._kernels import step_of
from pokerlab.solvers.sequence._kernels import ONE, accumulate, gather, match_row, rule_of

_MATH = {"contract", "nsz", "nnan"}


@kernel(allocates=False, fastmath=_MATH)
def sweep_trembling(low, high, form, value, current, regret, step, tremble):
    """Regrets of what is meant at infosets high-1 .. low, and what is meant next; values of play flow to the parents.

    `step` holds the numbers of a schedule's step.
    """
    start, parent = form.start, form.parent
    rule, meant = rule_of(step), 1.0 - tremble
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        worth, any_action = 0.0, 0.0
        for sequence in range(first, last):
            worth += current[sequence] * value[sequence]
            any_action += value[sequence]
        value[parent[infoset]] += meant * worth + tremble * any_action / float(last - first)
        match_row(first, last, meant, worth, rule, value, regret, current)


@kernel(allocates=False, fastmath=_MATH)
def descend_trembling(low, high, form, current, plan, tremble):
    """The realisation plan of what is played where `current` is meant, at infosets low .. high-1."""
    start, parent = form.start, form.parent
    for infoset in range(low, high):
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        above = plan[parent[infoset]]
        shaken = tremble / float(last - first)
        for sequence in range(first, last):
            plan[sequence] = above * ((1.0 - tremble) * current[sequence] + shaken)


@kernel(allocates=False, fastmath=_MATH)
def advance_trembling(steps, trembles, alternating, form, sums):
    """The steps of a schedule, one after the other; returns the leaves read.

    steps [count, 6] as Schedule.table gives them; trembles [count + 1], that of the step before them first. Where hands
    begin to tremble less, averages begin anew.
    """
    players = np.uint64(len(form.own))
    read = np.uint64(0)
    for t in range(len(steps)):
        step, tremble = step_of(steps, t), trembles[t + 1]
        if tremble != trembles[t]:
            for player in range(players):
                low, high = form.infosets[player]
                descend_trembling(low, high, form, sums.current, sums.plan, tremble)
                accumulate(form.own[player, 0], form.own[player, 1], sums.plan, sums.average, 0.0, 0.0)
        for turn in range(players):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else players):
                    first, last = form.own[player]
                    read += gather(player, False, form, sums.plan, sums.value)
                    accumulate(first, last, sums.plan, sums.average, step.keep_average, step.average_weight)
            low, high = form.infosets[turn]
            sweep_trembling(low, high, form, sums.value, sums.current, sums.regret, step, tremble)
            descend_trembling(low, high, form, sums.current, sums.plan, tremble)
    return read
