"""From histories to sequences: what each player last did, at every leaf and before every infoset."""

from __future__ import annotations

import numpy as np

from pokerlab.compiled import kernel

CHANCE = -1  # as in games/game.py


@kernel
def trace(actor, parent, first_child, label, probability, start, players, infoset_parent, leaf_sequence, leaf_chance):
    """Fill the parent sequence of each infoset, and the last sequences and chance probability of each leaf.

    Sequences 0 .. P-1 are the empty ones of each player; slot a is sequence P + a. Returns (-1, -1), or two nodes of
    one infoset whose player did not do the same before them: recall is not perfect there.

    actor [N], parent [N], first_child [N], label [N], probability [N], start [I+1]
    infoset_parent [I] int32 and -1 at first, leaf_sequence [T, P] int32, leaf_chance [T] float64
    """
    nodes = len(actor)
    last = np.empty((nodes, players), np.int32)
    chance = np.empty(nodes, np.float64)
    witness = np.full(len(infoset_parent), -1, np.int32)
    first, second = -1, -1
    for node in range(nodes):
        above = parent[node]
        if above < 0:
            for player in range(players):
                last[node, player] = player
            chance[node] = 1.0
        else:
            for player in range(players):
                last[node, player] = last[above, player]
            chance[node] = chance[above] * probability[node]
            if actor[above] >= 0:
                last[node, actor[above]] = players + start[label[above]] + node - first_child[above]
        if actor[node] >= 0:
            infoset = label[node]
            before = last[node, actor[node]]
            if witness[infoset] < 0:
                witness[infoset] = node
                infoset_parent[infoset] = before
            elif infoset_parent[infoset] != before and first < 0:
                first, second = witness[infoset], node
        elif first_child[node] == 0:
            for player in range(players):
                leaf_sequence[label[node], player] = last[node, player]
            leaf_chance[label[node]] = chance[node]
    return first, second


@kernel(allocates=False)
def realize(start, parent, plan):
    """Turn behaviour into a realization plan in place: each sequence times the plan of its infoset's parent.

    start [I+1], parent [I], plan [S] with 1 at the empty sequences. Plain arrays, since a record is slower to pass.
    """
    for infoset in range(len(parent)):
        above = plan[parent[infoset]]
        for sequence in range(start[infoset], start[infoset + 1]):
            plan[sequence] *= above


@kernel
def mark_private(actor, parent, first_child, child_count, label, infosets, private):
    """Mark the chance nodes with an infoset below two of their outcomes: somebody did not see the outcome.

    The nodes of an infoset are met in the order of a walk through the tree, and it is enough to look where the paths to
    neighbours in that order part. private [N] bool, false at first.
    """
    nodes = len(actor)
    depth = np.zeros(nodes, np.int32)
    for node in range(1, nodes):
        depth[node] = depth[parent[node]] + 1
    last = np.full(infosets, -1, np.int64)  # the node of each infoset met last
    stack = np.empty(nodes, np.int64)
    stack[0] = 0
    size = 1
    while size > 0:
        size -= 1
        node = stack[size]
        for child in range(first_child[node], first_child[node] + child_count[node]):
            stack[size] = child
            size += 1
        if actor[node] >= 0:
            one, other = last[label[node]], node
            last[label[node]] = node
            if one >= 0:
                while one != other:
                    if depth[one] >= depth[other]:
                        one = parent[one]
                    else:
                        other = parent[other]
                if actor[one] == CHANCE:
                    private[one] = True
