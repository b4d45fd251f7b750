"""Finding the interval between thresholds that a number falls into."""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel


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
