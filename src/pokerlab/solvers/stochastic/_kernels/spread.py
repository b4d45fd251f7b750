"""A table of unordered triples of classes, spread out over all ordered ones."""

from __future__ import annotations

from pokerlab.cards._kernels.triples import sorted_three, triple_row
from pokerlab.compiled import kernel


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
