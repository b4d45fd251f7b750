"""Regret matching on four-byte numbers, shared by the samplers of the bucketed form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import S11, STRIDE, TO_UNIT, mixed
from pokerlab.compiled import kernel

ROUNDING = 1024  # first index of a decision's random numbers for rounding averages; lower ones choose actions
ZERO, ONE = np.float32(0.0), np.int32(1)


class FloatSums(NamedTuple):
    """The learned arrays: the numbers of all infosets, in the form's layout."""

    play: object  # [number]: the basis of the behaviour: the regrets, or a profile being estimated
    regret: object  # [number] float32, in units of the payoffs
    average: object  # [number] float32: weighted behaviours, summed


@kernel(allocates=False, forceinline=True)
def decision_word(key, node):
    """The seed of all random numbers of a decision in a walk."""
    return mixed(key + STRIDE * np.uint64(node + 1))


@kernel(allocates=False, forceinline=True)
def point(base, number):
    """One of the random numbers of a decision, in [0, 1)."""
    return np.int64(mixed(base + STRIDE * np.uint64(number)) >> S11) * TO_UNIT


@kernel(allocates=False, forceinline=True)
def positive(play, offset, moves):
    """The sum of the positive numbers of a decision."""
    total = 0.0
    for index in range(offset, offset + moves):
        total += max(np.float64(play[index]), 0.0)
    return total


@kernel(allocates=False, forceinline=True)
def matched(play, index, moves, total):
    """The probability of an action: in proportion to its positive number, uniform if there is none."""
    return max(np.float64(play[index]), 0.0) / total if total > 0.0 else 1.0 / moves


@kernel(allocates=False, forceinline=True)
def drawn(play, offset, moves, total, where):
    """The action at a point of [0, 1), by those probabilities."""
    if total <= 0.0:
        return np.int64(where * moves)
    goal, chosen, sofar = where * total, np.int64(0), 0.0
    for index in range(offset, offset + moves - 1):
        sofar += max(np.float64(play[index]), 0.0)
        chosen += np.int64(sofar <= goal)
    return chosen


@kernel(allocates=False)
def rounded(exact, where):
    """Stochastic rounding to float32: one of the two neighbours, so that the mean over points of [0, 1) is exact.

    Otherwise averages would stop growing, or grow in the wrong proportions, once a sum is millions of times its
    increments.
    """
    nearest = np.float32(exact)
    if np.float64(nearest) == exact:
        return nearest
    bits = nearest.view(np.int32)  # the next float has the next bits, since sums are not negative
    first = np.int32(bits - np.int32(np.float64(nearest) > exact))
    second = np.int32(first + ONE)
    low, high = first.view(np.float32), second.view(np.float32)
    step = np.float64(high) - np.float64(low)
    return high if where * step < exact - np.float64(low) else low


@kernel(allocates=False, forceinline=True)
def add_average(average, index, gained, base, number):
    """Add to an average; `number` is the action's among those of its decision."""
    if gained > 0.0:
        average[index] = rounded(np.float64(average[index]) + gained, point(base, ROUNDING + number))


@kernel(allocates=False)
def fade(regret, average, keep):
    """Multiply all sums: positive regret, negative regret and averages by keep [3]."""
    for index in range(regret.shape[0]):
        old = regret[index]
        if old != ZERO:  # untouched memory stays unallocated
            regret[index] = old * np.float32(keep[0] if old > ZERO else keep[1])
        if average[index] != ZERO:
            average[index] *= np.float32(keep[2])
