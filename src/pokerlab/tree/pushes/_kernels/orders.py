"""Kernels of all-ins of three seats, each with a range: how often every order comes for each class of the first."""

import numpy as np

from pokerlab.cards._kernels.triples import sorted_three, triple_row
from pokerlab.compiled import kernel

LANES = 16  # 13 orders and 3 zeros: one line of the processor's cache


@kernel
def order_weights(
    table,  # [818805, 16] float32: hands of three classes that fit together times the chance of each order
    places,  # [2, 169] int64: FIRST_PLACE and SECOND_PLACE of cards/multiway.py
    roles,  # [6, 13] int64: the order of the roles by how the roles are sorted by class, see `role_orders`
    ranges,  # [row, 2, 169] float64: the second and the third seat's
    least,  # float64: classes with less than this part of a range's largest weight are left out
    begin,  # the first row of this piece of work
    end,  # one past its last row
    out,  # [row, 169, 13] float64, written
):
    """Weigh the orders of three seats by the ranges of the second and third, for each class of the first."""
    second = np.empty(169, np.int64)
    third = np.empty(169, np.int64)
    sums = np.empty((6, LANES), np.float32)
    for row in range(begin, end):
        seconds = support(ranges[row, 0], least, second)
        thirds = support(ranges[row, 1], least, third)
        for own in range(169):
            sums[:] = 0.0
            for i in range(seconds):
                b = second[i]
                for k in range(thirds):
                    c = third[k]
                    add_orders(own, b, c, np.float32(ranges[row, 0, b] * ranges[row, 1, c]), table, places, sums)
            out[row, own] = 0.0
            for sorting in range(6):
                for order in range(13):
                    out[row, own, roles[sorting, order]] += sums[sorting, order]


@kernel(allocates=False)
def support(weights, least, out):
    """The classes that count, into out [169]; gives how many."""
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
