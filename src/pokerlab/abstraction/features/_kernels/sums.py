"""Kernels that sum the results of each holding of a board over its run-outs, and count the buckets that hands reach.

The `add_` kernels write into sums [board, holding, number] int64, at the representative of each suit-isomorphic set of
holdings (see features/run_outs.py).
"""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.features._kernels.showdown import HOLDING_MASK, sweep, sweep_buffers
from pokerlab.compiled import kernel


@kernel
def add_strengths(final, holdings, sums):
    """Add the score, twice the wins plus the ties, and its square if sums has a column for it."""
    buffers = sweep_buffers(holdings)
    with_square = sums.shape[2] > 1
    for f in range(final.owners.shape[0]):
        count = sweep(final.strengths[f], holdings, buffers)
        weight, owned = final.weights[f], sums[final.owners[f]]
        for i in range(count):
            h = buffers.items[i] & HOLDING_MASK
            score = buffers.weaker[i] + buffers.reached[i]
            owned[final.orbits[h], 0] += weight * score
            if with_square:
                owned[final.orbits[h], 1] += weight * score * score


@kernel
def add_histograms(final, holdings, most, sums):
    """Count the scores, at most `most`, into as many equal bins as sums has columns."""
    buffers = sweep_buffers(holdings)
    bins = sums.shape[2]
    bin_of = np.minimum(np.arange(most + 1) * bins // most, bins - 1)
    for f in range(final.owners.shape[0]):
        count = sweep(final.strengths[f], holdings, buffers)
        weight, owned = final.weights[f], sums[final.owners[f]]
        for i in range(count):
            h = buffers.items[i] & HOLDING_MASK
            owned[final.orbits[h], bin_of[buffers.weaker[i] + buffers.reached[i]]] += weight


@kernel
def add_rates(final, holdings, sums):
    """Add wins and ties."""
    buffers = sweep_buffers(holdings)
    for f in range(final.owners.shape[0]):
        count = sweep(final.strengths[f], holdings, buffers)
        weight, owned = final.weights[f], sums[final.owners[f]]
        for i in range(count):
            h = buffers.items[i] & HOLDING_MASK
            owned[final.orbits[h], 0] += weight * buffers.weaker[i]
            owned[final.orbits[h], 1] += weight * (buffers.reached[i] - buffers.weaker[i])


@kernel
def gather(boards, holdings, orbits, sizes, sums, rows, values):
    """One row of cards and of sums for each representative holding of each board; returns how many.

    boards [board, cards] uint8; orbits [holding] int64; sizes [holding] int64: how many each represents; sums [board,
    holding, number]; rows [m, private + cards] uint8 and values [m, number] int64 are written, the sums divided by the
    size, without remainder.
    """
    private = holdings.cards.shape[1]
    place = 0
    for i in range(boards.shape[0]):
        blocked = np.int64(0)
        for card in boards[i]:
            blocked |= np.int64(1) << np.int64(card)
        for h in range(orbits.shape[0]):
            if orbits[h] == h and not holdings.bits[h] & blocked:
                for j in range(private):
                    rows[place, j] = holdings.cards[h, j]
                for j in range(boards.shape[1]):
                    rows[place, private + j] = boards[i, j]
                for k in range(sums.shape[2]):
                    values[place, k] = sums[i, h, k] // sizes[h]
                place += 1
    return place


@kernel
def scatter(indices, values, out):
    """Write values [m, number] into the rows of out given by indices [m]."""
    for i in range(indices.shape[0]):
        for k in range(values.shape[1]):
            out[indices[i], k] = values[i, k]


@kernel
def count_buckets(reached, deals, starts, buckets, counts):
    """Sort the buckets that each hand reaches and count equal ones; returns the number of entries.

    reached [n * deals] uint32 is modified; starts [n + 1] int64, buckets and counts [n * deals] uint32 are written
    """
    place = 0
    for i in range(starts.shape[0] - 1):
        starts[i] = place
        own = reached[i * deals : (i + 1) * deals]
        own.sort()
        for j in range(deals):
            if j == 0 or own[j] != own[j - 1]:
                buckets[place] = own[j]
                counts[place] = 0
                place += 1
            counts[place - 1] += 1
    starts[-1] = place
    return place
