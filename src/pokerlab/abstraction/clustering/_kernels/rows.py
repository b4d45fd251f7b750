"""Rows of numbers: hashes to detect equal rows, samples by weight, thresholds, moments, and means of positions."""

from __future__ import annotations

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel


@kernel(allocates=False)
def hash_rows(words, hashes):
    """A 64-bit hash of each row.  # words: [n, m] unsigned integers; hashes: [n] uint64"""
    for row in range(words.shape[0]):
        value = STRIDE
        for column in range(words.shape[1]):
            value = mixed(value ^ np.uint64(words[row, column])) + STRIDE
        hashes[row] = value


@kernel(allocates=False)
def mark_first(words, hashes, order, is_first):
    """Which rows, ordered so that equal hashes are adjacent, differ from the row before them."""
    for place in range(order.shape[0]):
        row, before = order[place], order[place - 1]
        same = place > 0 and hashes[row] == hashes[before]
        if same:
            for column in range(words.shape[1]):
                same &= words[row, column] == words[before, column]
        is_first[place] = not same


@kernel(allocates=False)
def add_weights(weights, order, is_first, totals):
    """The weight of each run of equal rows."""
    run = -1
    for place in range(order.shape[0]):
        run += is_first[place]
        totals[run] += weights[order[place]]


@kernel(allocates=False)
def sample_rows(weights, total, jitter, rows):
    """One row from each of m equal shares of the weight, at a random offset within the share; indices ascend."""
    row, reached = 0, np.float64(weights[0])
    for share in range(rows.shape[0]):
        wanted = (share + jitter[share]) * total / rows.shape[0]
        while reached <= wanted and row < weights.shape[0] - 1:
            row += 1
            reached += weights[row]
        rows[share] = row


@kernel(allocates=False)
def last_at_or_below(number, starts, first, last):
    """The last index in the range whose start does not exceed a number; the first index if all starts exceed it."""
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if starts[middle] <= number:
            low = middle
        else:
            high = middle
    return low


@kernel(allocates=False)
def place_nested(points, outer_starts, inner_starts, offsets, labels):
    """Label points by their first number, then by their second within that share.

    # points: [n, 2]; outer_starts: [share]; inner_starts: [cluster]; offsets: [share + 1]: clusters of each share
    """
    for place in range(points.shape[0]):
        share = last_at_or_below(points[place, 0], outer_starts, 0, outer_starts.shape[0])
        labels[place] = last_at_or_below(points[place, 1], inner_starts, offsets[share], offsets[share + 1])


@kernel(allocates=False)
def add_moments(points, weights, labels, sums, squares, totals):
    """Add weighted points, their squares and their weights to sums by label.

    # sums: [cluster, dims] float64; squares: [cluster] float64; totals: [cluster] float64
    """
    for place in range(points.shape[0]):
        label, weight = labels[place], np.float64(weights[place])
        totals[label] += weight
        for axis in range(points.shape[1]):
            value = np.float64(points[place, axis])
            sums[label, axis] += weight * value
            squares[label] += weight * value * value


@kernel(allocates=False)
def embed(starts, entries, shares, places, points):
    """Sparse distributions as points: the mean position of each row's entries, always added in the same order.

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
