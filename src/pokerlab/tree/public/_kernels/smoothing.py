"""Prox maps over a public tree: smoothed best responses upwards, board by board, and their plans downwards.

See solvers/cfr/public/_kernels: arrays of a round are ordered [board, block, slot, BLOCK], and these are all float64.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pokerlab.tree._kernels.prox import NEVER
from pokerlab.tree.public._kernels.lanes import (
    BLOCK,
    any_positive,
    draw_number,
    fill,
    fused,
    largest,
    powers_of_two,
    put,
    take,
    where_positive,
)
from pokerlab.tree.public._kernels.memory import inner, outer
from pokerlab.tree.public._kernels.reach import (
    arrive,
    clear,
    collect,
    depart,
    descend,
    return_above,
    spread,
    start_values,
    sum_sources,
    value_lanes,
)

LOG_TWO_HIGH = 0.693147180369123816490  # whose last bits are zero, so small multiples are exact
LOG_TWO_LOW = 1.90821492927058770002e-10
SERIES = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))  # of the exponential, last term first


class Mixing(NamedTuple):
    """How a player mixes in a round, and the result."""

    entropy: object  # bool: dilated entropy; otherwise dilated Euclidean
    scale: object  # [node] float64: smoothing times the weight of the infoset
    prior: object  # like the arrays of a round: in coordinates
    point: object  # the same, written
    choice: object  # the behaviour, written


@inner
def exponential(lanes, like):
    """e to the power of numbers from -700 to 700: a power of two times a series. `like` is an array of their type."""
    rounding = fill(like, 1.5 * 2.0**52)  # adding and subtracting this rounds to an integer
    whole = lanes * fill(like, 1.4426950408889634) + rounding - rounding
    rest = fused(whole, fill(like, -LOG_TWO_HIGH), lanes)
    rest = fused(whole, fill(like, -LOG_TWO_LOW), rest)
    total = fill(like, SERIES[0])
    for k in range(1, len(SERIES)):
        total = fused(total, rest, fill(like, SERIES[k]))
    return total * powers_of_two(whole)


@inner
def mix_by_entropy(actions, first, scale, action_value, mixing, total):
    """The mixture at a block of infosets that is best less its scaled relative entropy to a prior; returns its value.

    worth [action, BLOCK] are the values of actions, total [BLOCK] is a buffer; see _kernels/prox.py
    """
    prior, point, choice = mixing.prior, mixing.point, mixing.choice
    inverse, never, zero = fill(action_value, 1.0 / scale), fill(action_value, -NEVER), fill(action_value, 0.0)
    most = fill(action_value, -np.inf)
    for k in range(0, actions * BLOCK, BLOCK):
        moved = fused(take(action_value, k), inverse, take(prior, first + k))
        put(point, first + k, moved)
        most = largest(most, moved)
    weight_sum = zero
    for k in range(0, actions * BLOCK, BLOCK):
        below = take(point, first + k) - most
        likely = where_positive(
            below + never, exponential(largest(below, fill(action_value, NEVER)), action_value), zero
        )
        put(choice, first + k, likely)
        weight_sum = weight_sum + likely
    share = fill(action_value, 1.0) / weight_sum
    put(total, 0, weight_sum)
    for hand in range(BLOCK):
        total[hand] = math.log(total[hand])
    logarithm = take(total, 0) + most
    for k in range(0, actions * BLOCK, BLOCK):
        put(point, first + k, take(point, first + k) - logarithm)
        put(choice, first + k, take(choice, first + k) * share)
    return logarithm * fill(action_value, scale)


@inner
def mix_by_distance(actions, first, scale, action_value, mixing, total):
    """The same with half the scaled squared distance to a prior, a projection onto the simplex; `total` is not used."""
    prior, point, choice = mixing.prior, mixing.point, mixing.choice
    inverse, zero, one = fill(action_value, 1.0 / scale), fill(action_value, 0.0), fill(action_value, 1.0)
    most = fill(action_value, -np.inf)
    for k in range(0, actions * BLOCK, BLOCK):
        moved = fused(take(action_value, k), inverse, take(prior, first + k))
        put(point, first + k, moved)
        most = largest(most, moved)
    threshold, last_excess = fill(action_value, -np.inf), fill(action_value, np.inf)
    while True:
        above, summed = zero, zero
        for k in range(0, actions * BLOCK, BLOCK):
            below = take(point, first + k) - most
            over = below - threshold
            above = above + where_positive(over, one, zero)
            summed = summed + where_positive(over, below, zero)
        if not any_positive(last_excess - above):
            break
        last_excess, threshold = above, (summed - one) / above
    value, half = zero, fill(action_value, -0.5 * scale)
    for k in range(0, actions * BLOCK, BLOCK):
        chosen = largest(take(point, first + k) - most - threshold, zero)
        away = chosen - take(prior, first + k)
        value = fused(chosen, take(action_value, k), value) + half * away * away
        put(point, first + k, chosen)
        put(choice, first + k, chosen)
    return value


@inner
def mix(plex, mixing, at, value, nodes_at, action_value, total):
    """Smoothed values of a block's infosets, deepest first, and the behaviour there.

    value like Scratch.value, worth like Scratch.worth; total [BLOCK] is a buffer
    """
    for node in range(plex.nodes - 1, -1, -1):
        actions, slot = plex.node_actions[node], plex.node_slot[node]
        for k in range(actions):
            put(action_value, k * BLOCK, sum_sources(plex, plex.roots + slot + k, value))
        first, scale = at + slot * BLOCK, mixing.scale[node]
        if mixing.entropy:
            smoothed = mix_by_entropy(actions, first, scale, action_value, mixing, total)
        else:
            smoothed = mix_by_distance(actions, first, scale, action_value, mixing, total)
        put(value, nodes_at + node * BLOCK, smoothed)


@outer
def respond_board(facing, board, mixing, to_above):
    """The smoothed best response on a board, given the values of its deals and the opponent's reach.

    to_above [row of the round above + 1, root]: own values, which are added to
    """
    plex, seat, scratch = facing.own.plex, facing.own.seat, facing.scratch
    group = start_values(facing, board)
    other = facing.other.plex
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    for row in range(0, seat.rows, BLOCK):
        group = value_lanes(facing, board, row, group)
        deals = len(plex.deal_sequence)
        nodes_at = collect(facing.own.tiles.action_value, deals, row, scratch.plain, scratch.value, deals_at)
        at = (board * seat.rows + row) * plex.slots
        mix(plex, mixing, at, scratch.value, nodes_at, scratch.action_value, scratch.strategy)
        return_above(facing, board, row, scratch.value, to_above)


@outer
def respond_boards(portions, facing, mixing, other_plan, from_above, to_above):
    """The same on portions of the boards of the last round until none is left.

    from_above [row of the round above + 1, root] is the opponent's reach; to_above [portion, tile]
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        clear(to_above[portion])
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            descend(facing.other, facing.level, board, other_plan, other_plan, 0.0, from_above, facing.scratch)
            respond_board(facing, board, mixing, to_above[portion])


@outer
def realise_board(side, board, choice, plan, from_above, scratch):
    """A player's own reach of every slot of a board, into `plan`, and of its deals, from that of the deals above."""
    plex, seat = side.plex, side.seat
    roots = plex.roots * BLOCK
    for row in range(0, seat.rows, BLOCK):
        at = (board * seat.rows + row) * plex.slots
        arrive(plex, seat, board, row, from_above, scratch.reach)
        spread(plex, choice, choice, 0.0, at, scratch.reach)
        for k in range(0, plex.slots * BLOCK, BLOCK):
            put(plan, at + k, take(scratch.reach, roots + k))
        depart(plex.deal_sequence, row, scratch.reach, side.tiles.deals)


@outer
def realise_boards(portions, side, choice, plan, from_above, scratch):
    """The same on portions of the boards of the last round until none is left."""
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            realise_board(side, board, choice, plan, from_above, scratch)
