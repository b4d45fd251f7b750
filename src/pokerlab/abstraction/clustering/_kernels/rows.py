"""Rows of numbers: hashes to detect equal rows, and samples by weight."""

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
