"""A table of unordered triples of classes, spread out over all ordered ones."""

from __future__ import annotations

from pokerlab.compiled import kernel


@kernel
def spread(chances, first_place, second_place, relabelled, orders):
    """Each order of each three hands, wherever they stand.

    chances [triple, order], smallest class first; relabelled [arrangement, order] int64: the number that an order of
    (x, y, z) has for the sorted three, by which of x, y, z come first, second and third among them, arrangements as
    itertools.permutations(range(3)); orders [z, order, x, y]
    """
    count, order_count = orders.shape[0], orders.shape[1]
    for z in range(count):
        for x in range(count):
            for y in range(count):
                if x <= y:
                    if y <= z:
                        arrangement, a, b, c = 0, x, y, z
                    elif x <= z:
                        arrangement, a, b, c = 1, x, z, y
                    else:
                        arrangement, a, b, c = 4, z, x, y
                elif x <= z:
                    arrangement, a, b, c = 2, y, x, z
                elif y <= z:
                    arrangement, a, b, c = 3, y, z, x
                else:
                    arrangement, a, b, c = 5, z, y, x
                row = first_place[a] + second_place[b] - second_place[a] + c - b
                for order in range(order_count):
                    orders[z, order, x, y] = chances[row, relabelled[arrangement, order]]
