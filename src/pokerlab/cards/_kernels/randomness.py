"""Random numbers inside kernels: splitmix64, whose state is one 64-bit counter, so a run can be split anywhere.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
"""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel

STRIDE = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
TO_UNIT = 1.0 / 9007199254740992.0  # 2 ** -53
S11, S27, S30, S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)


@kernel(allocates=False)
def mixed(word):
    """A hash of a 64-bit word: distinct words, even adjacent ones, give words that look independent."""
    word = (word ^ (word >> S30)) * FIRST
    word = (word ^ (word >> S27)) * SECOND
    return word ^ (word >> S31)


@kernel(allocates=False)
def draw(state):
    """A random 64-bit word; advances state [1] uint64."""
    state[0] += STRIDE
    return mixed(state[0])


@kernel(allocates=False)
def unit(state):
    """A random number in [0, 1)."""
    return np.int64(draw(state) >> S11) * TO_UNIT  # signed, because unsigned to float is slow
