"""Kernels of one three-player hand: its cards, fictitious play, the outcomes of a profile, and best responses.

Hands are the 169 classes, or any others. The cards are one table, [z, order, x, y] float32: the probability that
players hold x, y and z and that these rank in that order on the board, with ties as separate orders. It is symmetric,
so that any of the three players can be z: a strategy of the big blind is summed out over z with (x, y) = (button, small
blind), one of the button with (x, y) = (small blind, big blind). The contribution of a hand of z is then a matrix of
the other two, a *slab*. In fictitious play best responses are pure and few hands change from one to the next, so the
matrices of the current best responses are stored and only the slabs of the hands that changed are added.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.triples import sorted_three, triple_row
from pokerlab.compiled import kernel

PUSH, CALL, STEAL, DEFEND, DEFEND_BLIND, OVERCALL = range(6)
# the matrices: three of the button's decision, two of the small blind's [button, small]; three of the big blind's
# [small, big]
ON_STEAL, ON_CALL, ON_FOLD, CALLS, STEALS, DEFENDS, DEFENDS_BLIND, OVERCALLS = range(8)
NOBODY, BUTTON_STEALS, SMALL_STEALS, BUTTON_SMALL, BUTTON_BIG, SMALL_BIG, ALL = 0, 1, 2, 3, 6, 9, 12


class Cards(NamedTuple):
    """Three hands, and how they compare."""

    orders: object  # [z, order, x, y] float32, sums to 1
    pairs: object  # [3, x, y] float64: x beats y, they tie, y beats x; sums to 1
    compared: object  # [3, order] int64: x to y, x to z, y to z: 0 beats, 1 ties, 2 loses
    turned: object  # [order] int64: of (x, y, z) for the order of (y, z, x) of that number


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
def spread(chances, places, relabelled, orders):
    """Each order of each three hands, wherever they stand.

    chances [triple, order], smallest class first; places [2, class] int64, see `triple_row`; relabelled
    [arrangement, order] int64: the number that an order of (x, y, z) has for the sorted three, by which of x, y, z come
    first, second and third among them, arrangements as itertools.permutations(range(3)); orders [z, order, x, y]
    """
    count, order_count = orders.shape[0], orders.shape[1]
    for z in range(count):
        for x in range(count):
            for y in range(count):
                arrangement, low, middle, high = sorted_three(x, y, z)
                row = triple_row(places, low, middle, high)
                for order in range(order_count):
                    orders[z, order, x, y] = chances[row, relabelled[arrangement, order]]


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
def fictitious_play(cards, ends, matrices, profile, played, iterations):
    """Iterations of fictitious play from averages that count as `played` iterations; returns how many hands
    changed.

    All players respond to the averages simultaneously. ends [25, 3]: the value of each terminal node to each
    player.
    """
    hands = profile.average.shape[1]
    set_coefficients(cards, ends, matrices.coefficients)
    set_bases(cards, ends, matrices.current)
    for decision in range(6):
        for hand in range(hands):
            if not profile.decides[decision]:
                profile.average[decision, hand] = 1.0
            profile.current[decision, hand] = profile.average[decision, hand]
            if profile.average[decision, hand] != 0:
                changed(cards, matrices, decision, hand, profile.average[decision, hand])
    matrices.mean[:] = matrices.current
    weigh(matrices, profile, 0.0)
    changes = 0
    for iteration in range(iterations):
        step = 1.0 / (played + iteration + 1.0)
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


@kernel(fastmath=True)
def assess(cards, average, leads):
    """The probability that each hand at each decision reaches each terminal node, by staying in or folding there.

    Terminal nodes after staying in and after folding are distinct, so one table holds both. average [6, hand]
    float64, leads [6, hand, 25] float64
    """
    leads[:] = 0
    hands = average.shape[1]
    call, steal = average[CALL].astype(np.float32), average[STEAL].astype(np.float32)
    push = average[PUSH].astype(np.float32)
    pushed = np.empty(hands, np.float32)  # by small blind's hand: with the button's pushes, and with any
    dealt = np.empty(hands, np.float32)
    for z in range(hands):
        defend, blind, over = average[DEFEND, z], average[DEFEND_BLIND, z], average[OVERCALL, z]
        for order in range(cards.compared.shape[1]):
            slab = cards.orders[z, order]
            small, defended = BUTTON_SMALL + cards.compared[0, order], BUTTON_BIG + cards.compared[1, order]
            met = SMALL_BIG + cards.compared[2, order]
            pushed[:] = 0
            dealt[:] = 0
            unopposed, stolen, called = 0.0, 0.0, 0.0
            for x in range(hands):
                total, calls, steals = np.float32(0), np.float32(0), np.float32(0)
                for y in range(hands):
                    here = slab[x, y]
                    total += here
                    calls += here * call[y]
                    steals += here * steal[y]
                    pushed[y] += push[x] * here
                    dealt[y] += here
                leads[PUSH, x, ALL + order] += over * calls
                leads[PUSH, x, small] += (1 - over) * calls
                leads[PUSH, x, defended] += defend * (total - calls)
                leads[PUSH, x, BUTTON_STEALS] += (1 - defend) * (total - calls)
                leads[PUSH, x, met] += blind * steals
                leads[PUSH, x, SMALL_STEALS] += (1 - blind) * steals
                leads[PUSH, x, NOBODY] += total - steals
                unopposed += push[x] * (total - calls)
                stolen += (1 - push[x]) * steals
                called += push[x] * calls
            leads[DEFEND, z, defended] += unopposed
            leads[DEFEND, z, BUTTON_STEALS] += unopposed
            leads[DEFEND_BLIND, z, met] += stolen
            leads[DEFEND_BLIND, z, SMALL_STEALS] += stolen
            leads[OVERCALL, z, ALL + order] += called
            leads[OVERCALL, z, small] += called
            for y in range(hands):
                leads[CALL, y, ALL + order] += over * pushed[y]
                leads[CALL, y, small] += (1 - over) * pushed[y]
                leads[CALL, y, defended] += defend * pushed[y]
                leads[CALL, y, BUTTON_STEALS] += (1 - defend) * pushed[y]
                folded = dealt[y] - pushed[y]
                leads[STEAL, y, met] += blind * folded
                leads[STEAL, y, SMALL_STEALS] += (1 - blind) * folded
                leads[STEAL, y, NOBODY] += folded


@kernel
def respond(leads, ends, decides, stays, decider, chances):
    """Add where the better of staying in and folding leads, hand by hand.

    leads [state, 6, hand, end] float32, ends [state, end, 3] float64, decides [state, 6] bool, stays [6, end] bool,
    decider [6] int64, chances [state, seat, end] float64
    """
    count, _, hands, end_count = leads.shape
    for state in range(count):
        for decision in range(len(decider)):
            seat = decider[decision]
            for hand in range(hands):
                staying, folding = 0.0, 0.0
                for end in range(end_count):
                    value = leads[state, decision, hand, end] * ends[state, end, seat]
                    if stays[decision, end]:
                        staying += value
                    else:
                        folding += value
                stay = staying > folding or not decides[state, decision]
                for end in range(end_count):
                    if stays[decision, end] == stay:
                        chances[state, seat, end] += leads[state, decision, hand, end]
