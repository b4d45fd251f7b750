"""Kernels of values by class: orders of three seats with ranges, and walks of the decisions below a seat's own."""

import numpy as np

from pokerlab.cards._kernels.triples import sorted_three, triple_row
from pokerlab.compiled import kernel

LANES = 16  # 13 orders and 3 zeros: one line of the processor's cache


@kernel
def order_weights(
    table,  # [818805, 16] float32: hands of three classes that fit together times the chance of each order
    places,  # [2, 169] int64: FIRST_PLACE and SECOND_PLACE of cards/multiway.py
    roles,  # [6, 13] int64: the order of the roles by how the roles are sorted by class, see ROLE_ORDERS
    ranges,  # [row, 2, 169] float64: the second and the third seat's
    least,  # float64: classes with less than this part of a range's largest weight are left out
    row,
    out,  # [row, 169, 13] float64: the row is written
):
    """Weigh the orders of three seats by the ranges of the second and third, for each class of the first."""
    second, third = np.empty((2, 169), np.int64)
    sums = np.empty((6, LANES), np.float32)
    seconds, thirds = support(ranges[row, 0], least, second), support(ranges[row, 1], least, third)
    for own in range(169):
        sums[:] = 0.0
        for b in second[:seconds]:
            for c in third[:thirds]:
                add_orders(own, b, c, np.float32(ranges[row, 0, b] * ranges[row, 1, c]), table, places, sums)
        out[row, own] = 0.0
        for sorting in range(6):
            for order in range(13):
                out[row, own, roles[sorting, order]] += sums[sorting, order]


@kernel(allocates=False)
def support(weights, least, out):
    """Write the classes that count into out [169]; returns how many there are."""
    most = 0.0
    for weight in weights:
        most = max(most, weight)
    floor = least * most
    count = 0
    for number in range(169):
        if weights[number] > floor:
            out[count] = number
            count += 1
    return count


@kernel(allocates=False)
def add_orders(a, b, c, weight, table, places, sums):
    """Add the orders of one triple to those of its sorting of the roles, see `sorted_three`."""
    sorting, low, middle, high = sorted_three(a, b, c)
    line = table[triple_row(places, low, middle, high)]
    own = sums[sorting]
    for order in range(LANES):
        own[order] += weight * line[order]


@kernel
def action_values(
    child,  # [node, 2] int64: decisions, or -1 - the number of a terminal
    last,  # [node] int64: one past the last decision below
    seats,  # [node] int64: who decides
    calls,  # [pair, 169] float64: chance of a push at a decision, given the class held at one above it
    pairs,  # [node, node depth] int64: the row of `calls` by a decision and the depth of the one above it
    depths,  # [node] int64: how many decisions lie above
    values,  # [terminal, seat, 169] float64: the value of a terminal to a seat by its class
    nodes,  # [n] int64: the decisions of this piece of work
    scratch,  # [node + 1, 169] float64
    out,  # [node, 2, 169] float64, written: of folding and pushing there
):
    """The values of both actions at some decisions, everyone after them playing on."""
    for node in nodes:
        seat, depth = seats[node], depths[node]
        for below in range(last[node] - 1, node, -1):
            chance = calls[pairs[below, depth]]
            into = scratch[below]
            quiet = value_of(child[below, 0], seat, values, scratch)
            acting = value_of(child[below, 1], seat, values, scratch)
            for hand in range(169):
                into[hand] = quiet[hand] + chance[hand] * (acting[hand] - quiet[hand])
        for action in range(2):
            out[node, action] = value_of(child[node, action], seat, values, scratch)


@kernel
def value_of(number, seat, values, scratch):
    """The value of a decision or a terminal: [169]."""
    if number < 0:
        return values[-1 - number, seat]
    return scratch[number]
