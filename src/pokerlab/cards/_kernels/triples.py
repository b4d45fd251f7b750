"""Kernels for three classes of hands: sorting, and indices into a table of unordered triples."""

from pokerlab.compiled import kernel


@kernel(allocates=False)
def sorted_three(a, b, c):
    """The permutation that sorts three classes, and the smallest, middle and largest; the sort is stable.

    The permutation is numbered as in itertools.permutations: 0 abc, 1 acb, 2 bac, 3 bca, 4 cab, 5 cba.
    """
    if a <= b:
        if b <= c:
            return 0, a, b, c
        if a <= c:
            return 1, a, c, b
        return 4, c, a, b
    if a <= c:
        return 2, b, a, c
    if b <= c:
        return 3, b, c, a
    return 5, c, b, a


@kernel(allocates=False)
def triple_row(places, low, middle, high):
    """The row of sorted classes. places [2, class] int64: triples and pairs with a smaller first class"""
    return places[0, low] + places[1, middle] - places[1, low] + high - middle
