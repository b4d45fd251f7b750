"""The steps of the excessive gap technique."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.first_order._kernels.prox import MATH, blend, prox_map
from pokerlab.solvers.sequence._kernels import ONE, gather, respond

MOST_TRIES = 20  # of one step, each half as long as the one before
RESTART = 0.25  # of the gap at the last centre


class Answers(NamedTuple):
    """Both players' smoothed best responses."""

    point: object  # [S] float64: in coordinates
    plan: object  # [S] float64
    worth: object  # [2] float64: their smoothed values


class Gap(NamedTuple):
    """A point of the excessive gap technique."""

    plan: object  # [S] float64
    gradient: object  # [S] float64: payoff of each sequence against the other's plan
    smoothing: object  # [2] float64: mu of each player
    answers: object  # Answers to the gradient, smoothed by mu


class GapRules(NamedTuple):
    """How the excessive gap technique steps."""

    aggressive: object  # bool: steps as long as the condition holds after them; otherwise 2 / (k + 3)
    balancing: object  # bool: the player whose part of the bound is larger; otherwise in turn
    restarts: object  # bool: whether to stop for a new centre
    slack: object  # float64: what rounding may add to the sum that must not be above zero
    least: object  # float64: smoothing is not shrunk below


class Progress(NamedTuple):
    """How far a run has come."""

    counts: object  # [2] int64: steps done, gradients evaluated
    numbers: object  # [2] float64: the share of the last step; the gap at the last centre


@kernel(allocates=False, fastmath=MATH)
def answer(form, prox, gap, room):
    """Both smoothed best responses at a point; the sum of their values: not above zero where the gap is excessive."""
    found = gap.answers
    for player in range(np.uint64(2)):
        mu = gap.smoothing[player]
        found.worth[player] = prox_map(
            player, mu, form, prox, gap.gradient, prox.centre, found.point, found.plan, room.value, room.choice
        )
    return found.worth[0] + found.worth[1]


@kernel(allocates=False, fastmath=MATH)
def begin_gap(form, prox, gap, room):
    """The first point for some smoothing; the sum that is not above zero where its gap is excessive.

    gap.plan is the centre before. The second player answers the first's centre, smoothed, and the first takes a prox
    step from the centre against that: three gradients.
    """
    one, other = np.uint64(0), ONE
    gather(other, False, form, gap.plan, gap.gradient)
    prox_map(
        other, gap.smoothing[1], form, prox, gap.gradient, prox.centre, room.point, gap.plan, room.value, room.choice
    )
    gather(one, False, form, gap.plan, gap.gradient)
    prox_map(
        one, gap.smoothing[0], form, prox, gap.gradient, prox.centre, room.point, gap.plan, room.value, room.choice
    )
    gather(other, False, form, gap.plan, gap.gradient)
    return answer(form, prox, gap, room)


@kernel(allocates=False, fastmath=MATH)
def shrink(player, share, form, prox, gap, against, tried, room):
    """The point after a step that leaves 1 - share of a player's smoothing, into `tried`; its sum, as of `answer`.

    against [S]: what the other's sequences win against the player's smoothed best response
    """
    rival = ONE - player
    mu, met = gap.smoothing[player], gap.smoothing[rival]
    blend(rival, share, form, gap.gradient, against, room.gradient)
    value, choice = room.value, room.choice
    prox_map(rival, met, form, prox, room.gradient, prox.centre, room.point, room.plan, value, choice)
    gather(player, False, form, room.plan, room.gradient)
    left = (1.0 - share) * mu
    prior = gap.answers.point
    prox_map(player, left / share, form, prox, room.gradient, prior, room.point, room.plan, value, choice)
    gather(rival, False, form, room.plan, room.gradient)
    for each in range(np.uint64(2)):
        blend(each, share, form, gap.plan, room.plan, tried.plan)
        blend(each, share, form, gap.gradient, room.gradient, tried.gradient)
    tried.smoothing[player], tried.smoothing[rival] = left, met
    return answer(form, prox, tried, room)


@kernel(allocates=False, fastmath=MATH)
def take(form, tried, gap):
    """gap <- tried."""
    for player in range(np.uint64(2)):
        blend(player, 1.0, form, tried.plan, tried.plan, gap.plan)
        blend(player, 1.0, form, tried.gradient, tried.gradient, gap.gradient)
        blend(player, 1.0, form, tried.answers.plan, tried.answers.plan, gap.answers.plan)
        blend(player, 1.0, form, tried.answers.point, tried.answers.point, gap.answers.point)
        gap.smoothing[player] = tried.smoothing[player]
        gap.answers.worth[player] = tried.answers.worth[player]


@kernel(allocates=False, fastmath=MATH)
def distance(form, gradient, room):
    """What best responses to a gradient win in all: the gap itself, without smoothing."""
    total = 0.0
    for player in range(np.uint64(2)):
        blend(player, 1.0, form, gradient, gradient, room.value)
        low, high = form.infosets[player]
        respond(low, high, form, room.value, room.choice)
        total += room.value[player]
    return total


@kernel(allocates=False, fastmath=MATH)
def whose_turn(done, rules, prox, gap):
    """The player whose smoothing shrinks next; 2 where both have come to its end."""
    player = np.uint64(done % 2)
    if rules.balancing:
        one, other = gap.smoothing[0] * prox.diameter[0], gap.smoothing[1] * prox.diameter[1]
        player = np.uint64(0) if one >= other else ONE
    if gap.smoothing[player] > rules.least:
        return player
    return ONE - player if gap.smoothing[ONE - player] > rules.least else np.uint64(2)


@kernel(allocates=False, fastmath=MATH)
def advance_gap(count, rules, form, prox, gap, tried, against, progress, room):
    """Some steps of the excessive gap technique; stops early, with True, where a new centre is due."""
    counts, numbers = progress.counts, progress.numbers
    for _ in range(count):
        player = whose_turn(counts[0], rules, prox, gap)
        counts[0] += 1
        if player == np.uint64(2):
            continue
        share = numbers[0] if rules.aggressive else 2.0 / (counts[0] + 2.0)
        gather(ONE - player, False, form, gap.answers.plan, against)
        counts[1] += 1
        for _ in range(MOST_TRIES):
            excess = shrink(player, share, form, prox, gap, against, tried, room)
            counts[1] += 2
            if excess <= rules.slack or not rules.aggressive:
                take(form, tried, gap)
                numbers[0] = share
                break
            share *= 0.5
        if rules.restarts:
            left = distance(form, gap.gradient, room)
            if rules.slack < left <= RESTART * numbers[1]:
                numbers[1] = left
                return True
    return False
