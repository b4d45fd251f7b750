"""Kernels for matches between table strategies: hands are played on the game tree without Python."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import S11, STRIDE, TO_UNIT, mixed
from pokerlab.compiled import kernel


class PlayedTree(NamedTuple):
    """A game tree and the strategies of its players."""

    actor: object  # [N] int8: the player to act, negative at chance and terminal nodes
    first_child: object  # [N] int32
    child_count: object  # [N] int32
    label: object  # [N] int32: infoset, or row of returns
    chance: object  # [N] float64: cumulative chance probabilities among siblings
    start: object  # [I + 1] int32
    sums: object  # [agent, A] float64: cumulative action probabilities of each agent in each infoset
    returns: object  # [T, P] float64


@kernel
def uniform(place):
    """The number in [0, 1) at an offset of the random stream."""
    return float(mixed(place * STRIDE) >> S11) * TO_UNIT


@kernel
def pick(sums, first, count, point):
    """The first of `count` entries from `first` whose cumulative sum exceeds the point; the last one if none does."""
    low, high = first, first + count - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > point:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def play_tables(
    tree,
    place,  # uint64: offset of the match's first random number
    first_deal,  # the number of the first deal
    payoffs,  # [pass, deal, agent] float64 out
):
    """Play every deal once in each pass; chance uses the same random numbers in all passes of a deal."""
    actor, first_child, child_count, label = tree.actor, tree.first_child, tree.child_count, tree.label
    players = tree.returns.shape[1]
    passes, deals = payoffs.shape[0], payoffs.shape[1]
    stride = np.uint64(64 * (passes + 1))  # random numbers reserved for one deal
    for deal in range(deals):
        base = place + np.uint64(first_deal + deal) * stride
        for passed in range(passes):
            moved = (first_deal + deal + passed) % players
            dealt = base
            drawn = base + np.uint64(64 * (passed + 1))
            node = 0
            while child_count[node] > 0:
                if actor[node] < 0:
                    node = pick(tree.chance, first_child[node], child_count[node], uniform(dealt))
                    dealt += np.uint64(1)
                else:
                    agent = (actor[node] - moved) % players
                    slot = tree.start[label[node]]
                    chosen = pick(tree.sums[agent], slot, child_count[node], uniform(drawn))
                    drawn += np.uint64(1)
                    node = first_child[node] + chosen - slot
            for seat in range(players):
                payoffs[passed, deal, (seat - moved) % players] = tree.returns[label[node], seat]


@kernel
def watch_tables(
    tree,
    place,  # uint64: offset of the match's first random number
    deals,  # (number of the first deal, count)
    cards_known,  # [N] bool: terminal nodes after which the watched agent's cards are known
    path,  # [A] int64, scratch for the slots of one hand
    counts,  # [A] int64 out: how often the watched agent, 0, took each slot in hands with known cards
):
    """Play each deal once, two agents alternating seats, and count the first one's actions; returns the known hands."""
    actor, first_child, child_count, label = tree.actor, tree.first_child, tree.child_count, tree.label
    hands = 0
    for deal in range(deals[0], deals[0] + deals[1]):
        dealt = place + np.uint64(deal) * np.uint64(128)
        drawn = dealt + np.uint64(64)
        node, taken, moved = 0, 0, deal % 2
        while child_count[node] > 0:
            if actor[node] < 0:
                node = pick(tree.chance, first_child[node], child_count[node], uniform(dealt))
                dealt += np.uint64(1)
            else:
                agent = (actor[node] - moved) % 2
                slot = tree.start[label[node]]
                chosen = pick(tree.sums[agent], slot, child_count[node], uniform(drawn))
                drawn += np.uint64(1)
                if agent == 0:
                    path[taken] = chosen
                    taken += 1
                node = first_child[node] + chosen - slot
        if cards_known[node]:
            hands += 1
            for step in range(taken):
                counts[path[step]] += 1
    return hands
