"""A table of unordered triples, spread out over ordered ones."""

from __future__ import annotations

import numpy as np

from naive.tournament import PLACES
from pokerlab.tree.pushes._kernels.three import spread
from pokerlab.tree.pushes.evaluator import rearranged

CLASSES = 5


def test_every_arrangement_finds_its_triple() -> None:
    """Each triple's number and order are read back wherever its hands stand; equal classes stand in their own order."""
    left = CLASSES - np.arange(CLASSES)
    first = np.concatenate(([0], np.cumsum(left * (left + 1) // 2)[:-1]))
    second = np.concatenate(([0], np.cumsum(left)[:-1]))
    triples = [(a, b, c) for a in range(CLASSES) for b in range(a, CLASSES) for c in range(b, CLASSES)]
    chances = np.arange(len(triples) * 13, dtype=np.float32).reshape(-1, 13)
    found = np.full((CLASSES, 13, CLASSES, CLASSES), -1, np.float32)
    spread(chances, np.stack([first, second]), rearranged(PLACES), found)
    for x in range(CLASSES):
        for y in range(CLASSES):
            for z in range(CLASSES):
                seats = sorted(range(3), key=lambda seat: ((x, y, z)[seat], seat))
                row = triples.index(tuple(sorted((x, y, z))))
                for order, places in enumerate(PLACES):
                    expected = chances[row, PLACES.index(tuple(places[seat] for seat in seats))]
                    assert found[z, order, x, y] == expected
