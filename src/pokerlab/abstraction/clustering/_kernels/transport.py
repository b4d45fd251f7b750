"""Sparse distributions as points of an L1 space."""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel


@kernel(allocates=False)
def embed(starts, entries, shares, places, points):
    """The mean position of each row's entries, always added in the same order.

    # starts: [n + 1]; entries, shares: [nonzero] buckets and their shares; places: [bucket, cut] float32;
    # points: [n, cut] float32
    """
    for row in range(points.shape[0]):
        for cut in range(points.shape[1]):
            points[row, cut] = np.float32(0)
        for at in range(starts[row], starts[row + 1]):
            bucket, share = entries[at], np.float32(shares[at])
            for cut in range(points.shape[1]):
                points[row, cut] += share * places[bucket, cut]
