"""Kernels of a hand of three players: fictitious play and regret matching+ over the joint deal of three hands.

The cards are those of tree/pushes/_kernels/three.py: a strategy of the big blind is summed out over z with (x, y) =
(button, small blind), one of the button with (x, y) = (small blind, big blind). The contribution of a hand of z is then
a matrix of the other two, a *slab*. In fictitious play best responses are pure and few hands change from one to the
next, so the matrices of the current best responses are stored and only the slabs of the hands that changed are added.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.tree.pushes._kernels.three import (
    ALL,
    BUTTON_BIG,
    BUTTON_SMALL,
    BUTTON_STEALS,
    CALL,
    DEFEND,
    DEFEND_BLIND,
    NOBODY,
    OVERCALL,
    PUSH,
    SMALL_BIG,
    SMALL_STEALS,
    STEAL,
)

# the matrices: three of the button's decision, two of the small blind's [button, small]; three of the big blind's
# [small, big]
ON_STEAL, ON_CALL, ON_FOLD, CALLS, STEALS, DEFENDS, DEFENDS_BLIND, OVERCALLS = range(8)


class Matrices(NamedTuple):
    """The weights of the players' decisions, for current best responses and for averages."""

    current: object  # [8, hand, hand] float32
    mean: object  # [8, hand, hand] float32
    coefficients: object  # [8, order] float32 of slabs; CALLS has a second row of its own, the ninth: [9, order]


class Profile(NamedTuple):
    """How often players stay in, by decision and hand."""

    current: object  # [6, hand] float64: the last best response
    average: object  # [6, hand] float64
    margins: object  # [6, hand] float64: the gain of staying in, weighted by the probability of getting there
    decides: object  # [6] bool: where there is no choice, the player stays in


@kernel
def add_slab(slab, coefficients, scale, out):
    """Add a hand's slab to a matrix. slab [order, x, y], coefficients [order], out [x, y], all float32"""
    cells = slab.shape[1] * slab.shape[2]
    flat, sums = slab.reshape(slab.shape[0], cells), out.reshape(cells)
    for order in range(slab.shape[0]):
        factor = np.float32(scale * coefficients[order])
        if factor != 0:
            row = flat[order]
            for xy in range(cells):
                sums[xy] += factor * row[xy]


@kernel
def set_coefficients(cards, ends, coefficients):
    """What each order pays a player beyond not being there, from the values of terminal nodes [25, 3]."""
    for order in range(cards.compared.shape[1]):
        to_small = cards.compared[0, order]
        to_big, small_to_big = cards.compared[1, order], cards.compared[2, order]
        defended, blind = BUTTON_BIG + to_big, SMALL_BIG + small_to_big
        coefficients[ON_STEAL, order] = ends[defended, 0] - ends[BUTTON_STEALS, 0]
        coefficients[ON_CALL, order] = ends[ALL + order, 0] - ends[BUTTON_SMALL + to_small, 0]
        coefficients[ON_FOLD, order] = ends[blind, 0] - ends[SMALL_STEALS, 0]
        coefficients[CALLS, order] = ends[ALL + order, 1] - ends[BUTTON_SMALL + to_small, 1]  # by over-calls
        coefficients[8, order] = -(ends[defended, 1] - ends[BUTTON_STEALS, 1])  # by defences, had it folded
        coefficients[STEALS, order] = ends[blind, 1] - ends[SMALL_STEALS, 1]
        seen = cards.turned[order]  # by the big blind's matrices, whose z is the button
        coefficients[DEFENDS, seen] = ends[defended, 2] - ends[BUTTON_STEALS, 2]
        coefficients[DEFENDS_BLIND, seen] = -(ends[blind, 2] - ends[SMALL_STEALS, 2])
        coefficients[OVERCALLS, seen] = ends[ALL + order, 2] - ends[BUTTON_SMALL + to_small, 2]


@kernel
def set_bases(cards, ends, current):
    """The matrices if the big blind never calls and the button never pushes. current [8, x, y]"""
    current[:] = 0
    hands = current.shape[1]
    for x in range(hands):
        for y in range(hands):
            both = cards.pairs[0, x, y] + cards.pairs[1, x, y] + cards.pairs[2, x, y]
            current[ON_STEAL, x, y] = both * (ends[BUTTON_STEALS, 0] - ends[NOBODY, 0])
            current[ON_FOLD, x, y] = both * (ends[SMALL_STEALS, 0] - ends[NOBODY, 0])
            current[STEALS, x, y] = both * (ends[SMALL_STEALS, 1] - ends[NOBODY, 1])
            on_call, calls, blind = 0.0, 0.0, 0.0
            for result in range(3):
                pair = cards.pairs[result, x, y]
                on_call += pair * (ends[BUTTON_SMALL + result, 0] - ends[NOBODY, 0])
                calls += pair * (ends[BUTTON_SMALL + result, 1] - ends[BUTTON_STEALS, 1])
                blind += pair * (ends[SMALL_BIG + result, 2] - ends[SMALL_STEALS, 2])
            current[ON_CALL, x, y] = on_call
            current[CALLS, x, y] = calls
            current[DEFENDS_BLIND, x, y] = blind


@kernel
def changed(cards, matrices, decision, hand, by):
    """Update the matrices after a hand's probability of playing changed by this amount."""
    slab, coefficients, current = cards.orders[hand], matrices.coefficients, matrices.current
    if decision == DEFEND:
        add_slab(slab, coefficients[ON_STEAL], by, current[ON_STEAL])
        add_slab(slab, coefficients[8], by, current[CALLS])
    elif decision == DEFEND_BLIND:
        add_slab(slab, coefficients[ON_FOLD], by, current[ON_FOLD])
        add_slab(slab, coefficients[STEALS], by, current[STEALS])
    elif decision == OVERCALL:
        add_slab(slab, coefficients[ON_CALL], by, current[ON_CALL])
        add_slab(slab, coefficients[CALLS], by, current[CALLS])
    elif decision == PUSH:
        add_slab(slab, coefficients[DEFENDS], by, current[DEFENDS])
        add_slab(slab, coefficients[DEFENDS_BLIND], by, current[DEFENDS_BLIND])
        add_slab(slab, coefficients[OVERCALLS], by, current[OVERCALLS])


@kernel(fastmath=True)
def moved_sum(mean, current, step, weights):
    """Move a row towards another by a step, and sum it with weights. All [hand] float32"""
    total = np.float32(0.0)
    for y in range(len(mean)):
        here = mean[y] + step * (current[y] - mean[y])
        mean[y] = here
        total += here * weights[y]
    return total


@kernel(fastmath=True)
def moved_add(mean, current, step, factor, sums):
    """Move a row towards another by a step, and add it to sums by a factor. Rows and sums [hand] float32"""
    for y in range(len(mean)):
        here = mean[y] + step * (current[y] - mean[y])
        mean[y] = here
        sums[y] += factor * here


@kernel
def weigh(matrices, profile, step):
    """Move means towards current matrices by a step, and weigh every decision against the averages."""
    current, mean = matrices.current, matrices.mean
    average, margins = profile.average, profile.margins
    move = np.float32(step)
    call, steal = average[CALL].astype(np.float32), average[STEAL].astype(np.float32)
    uncalled = np.float32(1.0) - call
    hands = mean.shape[1]
    sums = np.zeros((8, hands), np.float32)
    for x in range(hands):
        push = np.float32(average[PUSH, x])
        total = moved_sum(mean[ON_STEAL, x], current[ON_STEAL, x], move, uncalled)
        total += moved_sum(mean[ON_CALL, x], current[ON_CALL, x], move, call)
        total -= moved_sum(mean[ON_FOLD, x], current[ON_FOLD, x], move, steal)
        margins[PUSH, x] = total
        moved_add(mean[CALLS, x], current[CALLS, x], move, push, sums[CALLS])
        moved_add(mean[STEALS, x], current[STEALS, x], move, np.float32(1.0) - push, sums[STEALS])
        moved_add(mean[DEFENDS, x], current[DEFENDS, x], move, uncalled[x], sums[DEFENDS])
        moved_add(mean[DEFENDS_BLIND, x], current[DEFENDS_BLIND, x], move, steal[x], sums[DEFENDS_BLIND])
        moved_add(mean[OVERCALLS, x], current[OVERCALLS, x], move, call[x], sums[OVERCALLS])
    for y in range(hands):
        margins[CALL, y], margins[STEAL, y] = sums[CALLS, y], sums[STEALS, y]
        margins[DEFEND, y], margins[DEFEND_BLIND, y] = sums[DEFENDS, y], sums[DEFENDS_BLIND, y]
        margins[OVERCALL, y] = sums[OVERCALLS, y]


@kernel
def begin(cards, ends, matrices, profile):
    """Build the matrices of the averages, which also become the current strategies, and weigh every decision.

    ends [25, 3]: the value of each terminal node to each player
    """
    set_coefficients(cards, ends, matrices.coefficients)
    set_bases(cards, ends, matrices.current)
    for decision in range(6):
        for hand in range(profile.average.shape[1]):
            profile.current[decision, hand] = profile.average[decision, hand]
            if profile.average[decision, hand] != 0:
                changed(cards, matrices, decision, hand, profile.average[decision, hand])
    matrices.mean[:] = matrices.current
    weigh(matrices, profile, 0.0)


@kernel
def fictitious_play(cards, matrices, profile, weight, played, iterations):
    """Iterations of fictitious play, all players at once, from averages that count as `played` iterations.

    Each counts `weight` times as much in the average as with equal weights. Returns how many hands changed.
    """
    hands = profile.average.shape[1]
    changes = 0
    for iteration in range(iterations):
        step = weight / (played + iteration + weight)
        for decision in range(6):
            if profile.decides[decision]:
                for hand in range(hands):
                    best = 1.0 if profile.margins[decision, hand] > 0 else 0.0
                    by = best - profile.current[decision, hand]
                    if by != 0:
                        changed(cards, matrices, decision, hand, by)
                        profile.current[decision, hand] = best
                        changes += 1
                    profile.average[decision, hand] += step * (best - profile.average[decision, hand])
        weigh(matrices, profile, step)
    return changes


@kernel
def regret_matching(cards, matrices, profile, regrets, averages, played, iterations):
    """Iterations of regret matching+, all players at once; later strategies weigh more in the averages.

    Both strategies of the profile are the current ones. regrets [6, 2, hand] float64, averages [6, hand] float64
    """
    for iteration in range(iterations):
        step = 2.0 / (played + iteration + 2.0)
        for decision in range(6):
            if profile.decides[decision]:
                for hand in range(profile.current.shape[1]):
                    push, margin = profile.current[decision, hand], profile.margins[decision, hand]
                    regrets[decision, 0, hand] = max(regrets[decision, 0, hand] - push * margin, 0.0)
                    regrets[decision, 1, hand] = max(regrets[decision, 1, hand] + (1.0 - push) * margin, 0.0)
                    total = regrets[decision, 0, hand] + regrets[decision, 1, hand]
                    following = regrets[decision, 1, hand] / total if total > 0 else push
                    if following != push:
                        changed(cards, matrices, decision, hand, following - push)
                        profile.current[decision, hand] = following
                        profile.average[decision, hand] = following
                    averages[decision, hand] += step * (following - averages[decision, hand])
        weigh(matrices, profile, 1.0)
