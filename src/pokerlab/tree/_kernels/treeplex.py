"""Treeplexes at work: payoffs gathered from leaves, best responses upwards, realization plans downwards.

Arrays by sequence [S] hold all players' together (see tree/treeplex.py).

Indices stay unsigned throughout: a signed one costs a check at each access, and mixing the two makes a float.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

ONE = np.uint64(1)
_MATH = {"contract", "nsz", "nnan"}


class TreeplexArrays(NamedTuple):
    """A sequence form of P players, I infosets, S sequences and Z leaves that pay; see tree/treeplex.py."""

    infosets: object  # [P, 2] uint64: each player's first and last infoset
    own: object  # [P, 2] uint64: each player's first and last sequence but the empty one
    start: object  # [I + 1] uint32
    parent: object  # [I] uint32
    row: object  # [S + 1] uint64
    other: object  # [Z * (P - 1)] uint32
    payoff: object  # [Z] float64


@kernel(allocates=False, fastmath=_MATH)
def gather_two(first, last, form, plan, value):
    """Payoff of each sequence first .. last-1 against the plan of the one other player; returns the leaves read."""
    row, other, payoff = form.row, form.other, form.payoff
    for sequence in range(first, last):
        total = 0.0
        for leaf in range(row[sequence], row[sequence + ONE]):
            total += payoff[leaf] * plan[other[leaf]]
        value[sequence] = total
    return row[last] - row[first]


@kernel(allocates=False, fastmath=_MATH)
def gather_many(first, last, others, form, plan, value):
    """The same against any number of other players; a leaf is left at the first plan that never comes there."""
    row, other = form.row, form.other
    for sequence in range(first, last):
        total = 0.0
        for leaf in range(row[sequence], row[sequence + ONE]):
            weighted = form.payoff[leaf]
            place = leaf * others
            for index in range(place, place + others):
                reach = plan[other[index]]
                weighted *= reach
                if reach == 0.0:
                    break
            total += weighted
        value[sequence] = total
    return row[last] - row[first]


@kernel(allocates=False, fastmath=_MATH)
def scatter_two(first, last, form, plan, value):
    """Partial pruning for two players and zero sum: only the sequences that the opponent plays are visited.

    first .. last-1 are the opponent's sequences; `value` must be zero at the player's before. Returns the leaves read.
    """
    row, other, payoff = form.row, form.other, form.payoff
    read = np.uint64(0)
    for sequence in range(first, last):
        reach = plan[sequence]
        if reach > 0.0:
            for leaf in range(row[sequence], row[sequence + ONE]):
                value[other[leaf]] -= payoff[leaf] * reach
            read += row[sequence + ONE] - row[sequence]
    return read


@kernel(allocates=False, fastmath=_MATH)
def gather(player, pruning, form, plan, value):
    """Counterfactual values of one player's sequences: all but the empty one, then that. Returns the leaves read."""
    players = np.uint64(len(form.own))
    first, last = form.own[player]
    if pruning:
        for sequence in range(first, last):
            value[sequence] = 0.0
        value[player] = 0.0
        rival = ONE - player
        read = scatter_two(form.own[rival, 0], form.own[rival, 1], form, plan, value)
        return read + scatter_two(rival, rival + ONE, form, plan, value)
    if players == 2:
        read = gather_two(first, last, form, plan, value)
        return read + gather_two(player, player + ONE, form, plan, value)
    read = gather_many(first, last, players - ONE, form, plan, value)
    return read + gather_many(player, player + ONE, players - ONE, form, plan, value)


@kernel(allocates=False, fastmath=_MATH)
def descend(low, high, form, current, plan):
    """The realisation plan of the current behaviour of infosets low .. high-1."""
    start, parent = form.start, form.parent
    for infoset in range(low, high):
        above = plan[parent[infoset]]
        for sequence in range(np.uint64(start[infoset]), np.uint64(start[infoset + ONE])):
            plan[sequence] = above * current[sequence]


@kernel(allocates=False, fastmath=_MATH)
def respond(low, high, form, value, choice):
    """Best response of infosets high-1 .. low: the best value flows to the parent; choice [S] becomes 0 and 1."""
    start, parent = form.start, form.parent
    infoset = high
    while infoset > low:
        infoset -= ONE
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        best = first
        for sequence in range(first, last):
            choice[sequence] = 0.0
            if value[sequence] > value[best]:
                best = sequence
        choice[best] = 1.0
        value[parent[infoset]] += value[best]


@kernel(allocates=False, fastmath=_MATH)
def back_up(low, high, form, value, behaviour):
    """Values of infosets high-1 .. low under a behaviour [S] flow to the parents."""
    start, parent = form.start, form.parent
    infoset = high
    while infoset > low:
        infoset -= ONE
        total = 0.0
        for sequence in range(np.uint64(start[infoset]), np.uint64(start[infoset + ONE])):
            total += behaviour[sequence] * value[sequence]
        value[parent[infoset]] += total
