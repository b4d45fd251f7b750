"""Payoffs in a unit of their own: tolerances are fractions of the largest payoff, never chips.

A game in millionths of a chip and one in millions are the same game. If a method compares with a tolerance or needs
integers, payoffs are first scaled to a unit. Scales are powers of two, so that scaling does not round.
"""

from __future__ import annotations

import math

import numpy as np

MOST_WHOLE = 2**31  # bound on integer payoffs
MOST_PARTS = 10**6  # the smallest payoff is at most this many units


def power_of_two(numbers: np.ndarray) -> float:
    """The power of two that scales the largest of some numbers to between 1 and 2 when they are divided by it.

    >>> power_of_two(np.array([0.0, -5.0])), power_of_two(np.zeros(3))
    (4.0, 1.0)
    """
    largest = float(np.abs(numbers).max(initial=0.0))
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0 else 1.0


def middle_power(numbers: np.ndarray) -> float:
    """The power of two in the middle of the magnitudes of some numbers, whose range may be wide.

    It is at least a millionth of the largest, since much smaller numbers may be rounding errors.

    >>> middle_power(np.array([0.0, -4.0, 1.0])), middle_power(np.zeros(3))
    (2.0, 1.0)
    """
    sizes = np.abs(numbers[numbers != 0])
    if not len(sizes):
        return 1.0
    most = math.log2(sizes.max())
    return math.ldexp(1.0, round(max((math.log2(sizes.min()) + most) / 2, most - 20)))


def far_middle(payoffs: np.ndarray) -> float:
    """The middle of payoffs that are all on one side of zero, farther from it than from each other; else 0.

    >>> far_middle(np.array([99.0, 101.0])), far_middle(np.array([1.0, 5.0]))
    (100.0, 0.0)
    """
    low, high = float(payoffs.min(initial=math.inf)), float(payoffs.max(initial=-math.inf))
    middle = low + (high - low) / 2
    return middle if abs(middle) > high - low else 0.0


def whole_payoffs(payoffs: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Payoffs as integers in the largest unit that divides them all, and that unit; or None.  # [...] int64

    >>> whole_payoffs(np.array([[0.5, -0.5], [2.0, -2.0]]))
    (array([[ 1, -1],
           [ 4, -4]]), 0.5)
    """
    sizes = np.unique(np.abs(payoffs))
    sizes = sizes[sizes > 0]
    if not len(sizes):
        return np.zeros(payoffs.shape, np.int64), 1.0
    parts = 1  # units of the smallest magnitude
    if sizes[-1] >= MOST_WHOLE * sizes[0]:
        return None
    for ratio in (sizes / sizes[0]).tolist():
        parts = math.lcm(parts, _denominator(ratio))
        if parts > MOST_PARTS or parts * ratio >= MOST_WHOLE - 0.5:
            return None
    unit = float(sizes[-1]) / round(parts * float(sizes[-1] / sizes[0]))
    scaled = payoffs / unit
    whole = np.rint(scaled)
    if (np.abs(scaled - whole) > 4 * np.finfo(float).eps * np.abs(scaled)).any():
        return None
    return whole.astype(np.int64), unit


def _denominator(ratio: float) -> int:
    """The denominator of the simplest fraction equal to this ratio up to rounding, from its continued fraction."""
    above, below, before = 1, 0, (0, 1)  # the last convergent, and the one before it
    rest = ratio
    while True:
        whole = math.floor(rest)
        (above, below), before = (whole * above + before[0], whole * below + before[1]), (above, below)
        if abs(above / below - ratio) <= 4 * math.ulp(ratio) or below > MOST_PARTS:
            return below
        rest = 1 / (rest - whole)
