"""Games in which part of the strategies is fixed: regrets, plans and best responses of the free part.

Arrays by sequence [S] hold all players' together (see tree/treeplex.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.cfr._kernels.sequence import accumulate, match_row, rule_of
from pokerlab.solvers.core._kernels import step_of
from pokerlab.tree._kernels.treeplex import ONE, gather

_MATH = {"contract", "nsz", "nnan"}


class Fixed(NamedTuple):
    """The fixed part of the players' strategies."""

    floor: object  # [S] float64: the minimum probability of an action
    free: object  # [I] float64: the probability left to choose, at each infoset
    player: object  # uint64: the player who may be held for the whole game
    whole: object  # float64: the probability of that, drawn before the game
    plan: object  # [S] float64: the realization plan that this player is then held to


@kernel(allocates=False, fastmath=_MATH)
def sweep_fixed(low, high, form, fixed, value, current, regret, step):
    """Regrets of infosets high-1 .. low for the free part; values of the full behaviour flow to the parents."""
    start, parent = form.start, form.parent
    rule = rule_of(step)
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        forced, chosen, free = 0.0, 0.0, fixed.free[infoset]
        for sequence in range(first, last):
            forced += fixed.floor[sequence] * value[sequence]
            chosen += current[sequence] * value[sequence]
        value[parent[infoset]] += forced + free * chosen
        match_row(first, last, free, chosen, rule, value, regret, current)


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
def advance_fixed(steps, alternating, form, sums, fixed):
    """The steps of a schedule, in order, on a form whose payoffs are leaves.

    steps [count, 6] from Schedule.table
    """
    players = np.uint64(len(form.own))
    for t in range(len(steps)):
        step = step_of(steps, t)
        for turn in range(players):
            if alternating or turn == np.uint64(0):
                for player in range(turn if alternating else np.uint64(0), turn + ONE if alternating else players):
                    first, last = form.own[player]
                    gather(player, False, form, sums.plan, sums.value)
                    accumulate(first, last, sums.plan, sums.average, step.keep_average, step.average_weight)
            low, high = form.infosets[turn]
            sweep_fixed(low, high, form, fixed, sums.value, sums.current, sums.regret, step)
            descend_fixed(turn, form, fixed, sums.current, sums.plan)
