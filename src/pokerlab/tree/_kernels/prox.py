"""Prox functions of treeplexes and their prox maps.

A prox function is a sum over a player's infosets of weight * reach * (a convex function of the behaviour there). So a
prox map is one sweep upwards, which solves a small problem at each infoset, and one downwards. Points are stored in the
coordinates of the function: logarithms of probabilities for entropy, so that no zero comes up that later steps could
not leave, and the probabilities themselves for the Euclidean one.

Arrays by sequence [S] hold both players' together (see tree/sequence.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.tree._kernels.treeplex import ONE, descend

MATH = {"contract", "nsz", "nnan"}
NEVER = -60.0  # logarithm of a probability too small to change a sum; products of smaller ones become slow denormals


class Prox(NamedTuple):
    """The prox functions of both players."""

    entropy: object  # bool: dilated entropy; otherwise dilated Euclidean
    weight: object  # [I] float64: of each infoset
    diameter: object  # [2] float64: how much larger each player's function becomes, the centre being uniform


class Workspace(NamedTuple):
    """What a prox map works in."""

    value: object  # [S] float64: payoffs that flow upwards
    choice: object  # [S] float64: behaviour


@kernel
def weigh(form, entropy, weight, diameter):
    """Weights that make the prox function of each player strongly convex: of modulus 1 in the Euclidean norm.

    A weight is twice one plus the largest sum of weights after one of the infoset's actions, and half of that for the
    first infosets of a player. weight [I] and diameter [2] are written.
    """
    sequences = form.start[-1]
    after, farthest = np.zeros(sequences), np.zeros(sequences)
    for infoset in range(len(form.parent) - 1, -1, -1):
        first, last, above = form.start[infoset], form.start[infoset + 1], form.parent[infoset]
        heaviest, far = 0.0, 0.0
        for sequence in range(first, last):
            heaviest = max(heaviest, after[sequence])
            far = max(far, farthest[sequence])
        weight[infoset] = (1.0 + heaviest) * (1.0 if above < 2 else 2.0)
        count = float(last - first)
        local = math.log(count) if entropy else 0.5 - 0.5 / count
        after[above] += weight[infoset]
        farthest[above] += weight[infoset] * local + far
    diameter[0], diameter[1] = farthest[0], farthest[1]


@kernel(allocates=False, fastmath=MATH, forceinline=True)
def mix_by_entropy(first, last, scale, value, prior, point, choice):
    """At one infoset the mix that is best less its scaled relative entropy to a prior; gives what it is worth.

    Its actions are sequences first .. last-1; prior and point are logarithms of mixes, choice the mix itself.
    """
    inverse, most = 1.0 / scale, -math.inf
    for action in range(first, last):
        moved = prior[action] + value[action] * inverse
        point[action] = moved
        most = max(most, moved)
    total = 0.0
    for action in range(first, last):
        below = point[action] - most
        likely = math.exp(below) if below > NEVER else 0.0
        choice[action] = likely
        total += likely
    logarithm, share = most + math.log(total), 1.0 / total
    for action in range(first, last):
        point[action] -= logarithm
        choice[action] *= share
    return scale * logarithm


@kernel(allocates=False, fastmath=MATH, forceinline=True)
def mix_by_distance(first, last, scale, value, prior, point, choice):
    """The same less half a scaled squared distance to a prior: a projection onto the simplex.

    Entries above a threshold are positive and sum to one; the threshold rises until their number stays the same
    (Michelot, "A finite algorithm for finding the projection of a point onto the canonical simplex", 1986).
    """
    inverse, most = 1.0 / scale, -math.inf
    for action in range(first, last):
        moved = prior[action] + value[action] * inverse
        point[action] = moved
        most = max(most, moved)
    last_excess, threshold = math.inf, -math.inf
    while True:
        above, total = 0.0, 0.0
        for action in range(first, last):
            if point[action] - most > threshold:
                above += 1.0
                total += point[action] - most
        if above >= last_excess:
            break
        last_excess, threshold = above, (total - 1.0) / above  # below zero, so that the largest is positive
    best_value = 0.0
    for action in range(first, last):
        chosen = max(point[action] - most - threshold, 0.0)
        away = chosen - prior[action]
        best_value += chosen * value[action] - 0.5 * scale * away * away
        point[action] = chosen
        choice[action] = chosen
    return best_value


@kernel(allocates=False, fastmath=MATH)
def prox_map(player, smoothing, form, prox, prior, point, plan, work):
    """The plan that is best by given values less `smoothing` times its divergence from a prior; its worth.

    work.value [S] holds what each sequence is worth, and is used up; prior and point [S] are coordinates
    """
    start, parent, weight = form.start, form.parent, prox.weight
    value, choice = work.value, work.choice
    low, high = form.infosets[player]
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        scale = smoothing * weight[infoset]
        if prox.entropy:
            best_value = mix_by_entropy(first, last, scale, value, prior, point, choice)
        else:
            best_value = mix_by_distance(first, last, scale, value, prior, point, choice)
        value[parent[infoset]] += best_value
    descend(low, high, form, choice, plan)
    return value[player]


@kernel(allocates=False, fastmath=MATH)
def blend(share, old, new, out):
    """out <- (1 - share) * old + share * new; `out` may be one of them."""
    for k in range(len(out)):
        out[k] = (1.0 - share) * old[k] + share * new[k]
