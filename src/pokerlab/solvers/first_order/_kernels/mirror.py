"""The steps of mirror prox."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.first_order._kernels.prox import MATH, blend, prox_map
from pokerlab.solvers.sequence._kernels import gather

MOST_TRIES = 50  # of one step, each half as long as the one before
GROWTH = 1.1  # of an aggressive step over the last


class Mirror(NamedTuple):
    """Where mirror prox stands."""

    point: object  # [S] float64: in coordinates
    plan: object  # [S] float64: the same as plans
    average: object  # [S] float64: the weighted mean of the plans between


class MirrorRules(NamedTuple):
    """How mirror prox steps."""

    aggressive: object  # bool: steps as long as the condition of the proof holds; otherwise of one length
    power: object  # float64: step t weighs t to this power times its length in the average
    slack: object  # float64: what rounding may add to the sum that must not be above zero
    least: object  # float64: one over the length of a step is not less


class MirrorProgress(NamedTuple):
    """How far a run has come."""

    counts: object  # [2] int64: steps done, gradients evaluated
    numbers: object  # [2] float64: one over the length of the next step; the sum of the weights in the average


@kernel(allocates=False, fastmath=MATH)
def gradients(form, plan, gradient):
    """Payoff of each sequence against the other's plan."""
    for player in range(np.uint64(2)):
        gather(player, False, form, plan, gradient)


@kernel(allocates=False, fastmath=MATH)
def move(smoothing, form, prox, gradient, mirror, room):
    """A prox step of both players from where they stand, into room.point and room.plan; the sum of what they win."""
    worth = 0.0
    for player in range(np.uint64(2)):
        point, plan, value, choice = room.point, room.plan, room.value, room.choice
        worth += prox_map(player, smoothing, form, prox, gradient, mirror.point, point, plan, value, choice)
    return worth


@kernel(allocates=False, fastmath=MATH)
def advance_mirror(count, rules, form, prox, mirror, between, progress, room):
    """Some steps: a prox step by the gradient here, to `between` [S]; then, from here again, one by the gradient there.

    The proof needs that this second step wins no more than its divergence costs: players win from each other, so what
    plans between win is nothing in all, and the condition is that the worth of both prox steps is not above zero.
    """
    counts, numbers = progress.counts, progress.numbers
    for _ in range(count):
        counts[0] += 1
        for _ in range(MOST_TRIES):
            smoothing = numbers[0]
            gradients(form, mirror.plan, room.gradient)
            move(smoothing, form, prox, room.gradient, mirror, room)
            for player in range(np.uint64(2)):
                blend(player, 1.0, form, room.plan, room.plan, between)
            gradients(form, between, room.gradient)
            worth = move(smoothing, form, prox, room.gradient, mirror, room)
            counts[1] += 4
            if worth <= rules.slack or not rules.aggressive:
                break
            numbers[0] = 2.0 * smoothing
        weight = float(counts[0]) ** rules.power / numbers[0]
        numbers[1] += weight
        for player in range(np.uint64(2)):
            blend(player, weight / numbers[1], form, mirror.average, between, mirror.average)
            blend(player, 1.0, form, room.point, room.point, mirror.point)
            blend(player, 1.0, form, room.plan, room.plan, mirror.plan)
        if rules.aggressive:
            numbers[0] = max(numbers[0] / GROWTH, rules.least)  # at rest on a saddle, steps would grow for ever
