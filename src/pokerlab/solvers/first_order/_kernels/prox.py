"""Prox functions of treeplexes and their prox maps.

A prox function is a sum over a player's infosets of weight * reach * (a convex function of the behaviour there). So a
prox map is one sweep upwards, which solves a small problem at each infoset, and one downwards. Points are kept in the
coordinates of the function: logarithms of probabilities for entropy, so that no zero comes up that later steps could
not leave, and the probabilities themselves for the Euclidean one.

Arrays by sequence [S] hold both players' together (see tree/sequence.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.sequence._kernels import ONE, descend

MATH = {"contract", "nsz", "nnan"}
NEVER = (
    -60.0
)  # the logarithm of what is too unlikely to change any sum; products of such numbers are slow to reckon with


class Prox(NamedTuple):
    """The prox functions of both players."""

    entropy: object  # bool: dilated entropy; otherwise dilated Euclidean
    weight: object  # [I] float64: of each infoset
    centre: object  # [S] float64: where the function is least, in coordinates; uniform behaviour at first
    diameter: object  # [2] float64: how much larger each player's function becomes, the centre being uniform


class Room(NamedTuple):
    """What a step works in."""

    value: object  # [S] float64: payoffs that flow upwards
    choice: object  # [S] float64: behaviour
    point: object  # [S] float64: coordinates
    plan: object  # [S] float64
    gradient: object  # [S] float64: payoff of each sequence against the other's plan


@kernel
def weigh(form, entropy, weight, diameter):
    """Weights that make the prox function of each player strongly convex: of modulus 1 in the Euclidean norm.

    A weight is twice one plus the largest sum of weights after one of the infoset's actions, and half of that for the
    first infosets of a player. weight [I] and diameter [2] are written.
    """
    sequences = len(form.row) - 1
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


@kernel(allocates=False, fastmath=MATH)
def sweep_by_entropy(low, high, smoothing, form, prox, value, prior, point, choice):
    """At infosets high-1 .. low the mix that is best less its scaled relative entropy to a prior; its worth flows up.

    prior and point [S] are logarithms of mixes, choice [S] the mix itself
    """
    start, parent, weight = form.start, form.parent, prox.weight
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        scale = smoothing * weight[infoset]
        inverse, most = 1.0 / scale, -math.inf
        for sequence in range(first, last):
            moved = prior[sequence] + value[sequence] * inverse
            point[sequence] = moved
            most = max(most, moved)
        total = 0.0
        for sequence in range(first, last):
            below = point[sequence] - most
            likely = math.exp(below) if below > NEVER else 0.0
            choice[sequence] = likely
            total += likely
        logarithm, share = most + math.log(total), 1.0 / total
        for sequence in range(first, last):
            point[sequence] -= logarithm
            choice[sequence] *= share
        value[parent[infoset]] += scale * logarithm


@kernel(allocates=False, fastmath=MATH)
def sweep_by_distance(low, high, smoothing, form, prox, value, prior, point, choice):
    """The same less half a scaled squared distance to a prior: at each infoset a projection onto the simplex.

    What lies above a threshold is kept and sums to one; the threshold rises until what is kept stays the same
    (Michelot, "A finite algorithm for finding the projection of a point onto the canonical simplex", 1986).
    """
    start, parent, weight = form.start, form.parent, prox.weight
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        scale = smoothing * weight[infoset]
        inverse, most = 1.0 / scale, -math.inf
        for sequence in range(first, last):
            moved = prior[sequence] + value[sequence] * inverse
            point[sequence] = moved
            most = max(most, moved)
        kept, threshold = last - first + ONE, -math.inf
        while True:
            above, total = np.uint64(0), 0.0
            for sequence in range(first, last):
                if point[sequence] - most > threshold:
                    above += ONE
                    total += point[sequence] - most
            if above >= kept:
                break
            kept, threshold = above, (total - 1.0) / float(above)  # below zero, so that the largest is kept
        worth = 0.0
        for sequence in range(first, last):
            chosen = max(point[sequence] - most - threshold, 0.0)
            away = chosen - prior[sequence]
            worth += chosen * value[sequence] - 0.5 * scale * away * away
            point[sequence] = chosen
            choice[sequence] = chosen
        value[parent[infoset]] += worth


@kernel(allocates=False, fastmath=MATH)
def prox_map(player, smoothing, form, prox, gradient, prior, point, plan, value, choice):
    """The plan that is best against a gradient less `smoothing` times its divergence from a prior; its worth.

    gradient [S] is left as it is; prior and point [S] are coordinates; value and choice [S] are room
    """
    low, high = form.infosets[player]
    value[player] = gradient[player]
    for sequence in range(form.own[player, 0], form.own[player, 1]):
        value[sequence] = gradient[sequence]
    if prox.entropy:
        sweep_by_entropy(low, high, smoothing, form, prox, value, prior, point, choice)
    else:
        sweep_by_distance(low, high, smoothing, form, prox, value, prior, point, choice)
    descend(low, high, form, choice, plan)
    return value[player]


@kernel(allocates=False, fastmath=MATH)
def blend(player, share, form, old, new, blended):
    """blended <- (1 - share) * old + share * new, for the sequences of a player, the empty one too."""
    blended[player] = (1.0 - share) * old[player] + share * new[player]
    for sequence in range(form.own[player, 0], form.own[player, 1]):
        blended[sequence] = (1.0 - share) * old[sequence] + share * new[sequence]
