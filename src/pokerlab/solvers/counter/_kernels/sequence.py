"""CFR in a game in which one player is held to a strategy: for the whole game, at single infosets, or both.

Arrays by sequence [S] hold both players' together, as in solvers/sequence/_kernels.py, whose kernels do the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers._kernels import step_of
from pokerlab.solvers.sequence._kernels import ONE, accumulate, descend, gather, match_row, rule_of, sweep

_MATH = {"contract", "nsz", "nnan"}


class Hold(NamedTuple):
    """How far one player, of two, is held to a model."""

    player: object  # uint64
    held: object  # [I] float64: the probability of being held at each infoset
    model: object  # [S] float64: the behaviour that they are held to
    fixed: object  # [S] float64: its realisation plan
    whole: object  # float64: the probability of being held for the whole game, drawn before it
    mixed: object  # [S] float64, room: the behaviour with what it is held to


@kernel(allocates=False, fastmath=_MATH)
def mix_held(low, high, form, hold, current):
    """The behaviour of infosets low .. high-1 with what they are held to."""
    for infoset in range(low, high):
        held = hold.held[infoset]
        for sequence in range(np.uint64(form.start[infoset]), np.uint64(form.start[infoset + ONE])):
            hold.mixed[sequence] = held * hold.model[sequence] + (1.0 - held) * current[sequence]


@kernel(allocates=False, fastmath=_MATH)
def realise_held(form, hold, current, plan):
    """The realisation plan of the held player: what they are held to and, where they are free, what they do."""
    low, high = form.infosets[hold.player]
    mix_held(low, high, form, hold, current)
    descend(low, high, form, hold.mixed, plan)
    if hold.whole > 0.0:
        for sequence in range(form.own[hold.player, 0], form.own[hold.player, 1]):
            plan[sequence] = hold.whole * hold.fixed[sequence] + (1.0 - hold.whole) * plan[sequence]


@kernel(allocates=False, fastmath=_MATH)
def sweep_held(low, high, form, hold, sums, step):
    """Regrets of the held player's infosets, by the free part alone; what flows up is worth of the whole behaviour.

    Before it, hold.mixed is the behaviour that the values of `sums` are of.
    """
    start, value, current, regret = form.start, sums.value, sums.current, sums.regret
    rule = rule_of(step)
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        worth, free = 0.0, 0.0
        for sequence in range(first, last):
            worth += hold.mixed[sequence] * value[sequence]
            free += current[sequence] * value[sequence]
        value[form.parent[infoset]] += worth
        match_row(first, last, 1.0, free, rule, value, regret, current)


@kernel(allocates=False, fastmath=_MATH)
def advance_held(steps, alternating, form, sums, hold):
    """The steps of a schedule in the game with a held player; returns the leaves read.

    steps [count, 6] as Schedule.table gives them. sums.plan holds the plan of the held player with what they are held
    to, so that the other player, the averages and the measure all see it.
    """
    read = np.uint64(0)
    for t in range(len(steps)):
        step = step_of(steps, t)
        for turn in range(np.uint64(2)):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else np.uint64(2)):
                    first, last = form.own[player]
                    read += gather(player, False, form, sums.plan, sums.value)
                    accumulate(first, last, sums.plan, sums.average, step.keep_average, step.average_weight)
            low, high = form.infosets[turn]
            if turn == hold.player:
                sweep_held(low, high, form, hold, sums, step)
                realise_held(form, hold, sums.current, sums.plan)
            else:
                sweep(low, high, form, sums.value, sums.current, sums.regret, step)
                descend(low, high, form, sums.current, sums.plan)
    return read


@kernel(allocates=False, fastmath=_MATH)
def respond_held(form, hold, value):
    """The most that the held player can win; `value` [S] holds what is gathered at each sequence, and is used up."""
    fixed = value[hold.player]
    for sequence in range(form.own[hold.player, 0], form.own[hold.player, 1]):
        fixed += hold.fixed[sequence] * value[sequence]
    low, infoset = form.infosets[hold.player]
    while infoset > low:
        infoset -= ONE
        held = hold.held[infoset]
        first, last = np.uint64(form.start[infoset]), np.uint64(form.start[infoset + ONE])
        best, worth = value[first], 0.0
        for sequence in range(first, last):
            best = max(best, value[sequence])
            worth += hold.model[sequence] * value[sequence]
        value[form.parent[infoset]] += held * worth + (1.0 - held) * best
    return hold.whole * fixed + (1.0 - hold.whole) * value[hold.player]
