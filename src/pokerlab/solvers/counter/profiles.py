"""Strategies of a public form as one flat array, as counter-strategies are computed with them in every form.

A profile [A] has a number for each action of each infoset, padding included: all of player 0's, round by round as
solvers store them, then all of player 1's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.tree.public.layout import BLOCK, PublicTree

Sums = Sequence[Sequence[np.ndarray]]  # [round][player]: what strategies are in proportion to


def slots_of(tree: PublicTree, player: int) -> slice:
    """Where a player's numbers lie in a profile."""
    first = sum(tree.stored(number, 0) for number in range(len(tree.rounds)))
    return slice(0, first) if player == 0 else slice(first, tree.slots)


def parts(tree: PublicTree, profile: np.ndarray) -> list[list[np.ndarray]]:
    """[round][player] A profile as solvers store it, no number copied."""
    found: list[list[np.ndarray]] = [[] for _ in tree.rounds]
    start = 0
    for player in (0, 1):
        for number, pair in enumerate(found):
            count = tree.stored(number, player)
            pair.append(profile[start : start + count])
            start += count
    return found


def joined(sums: Sums) -> np.ndarray:
    """The profile that such parts are of.  # [A]"""
    return np.concatenate([np.asarray(pair[player], np.float32) for player in (0, 1) for pair in sums])


def totals(tree: PublicTree, numbers: np.ndarray) -> np.ndarray:
    """The sum over the actions of each infoset, at each of them.  # [A] -> [A]"""
    found = np.empty_like(numbers)
    for pair, result, level in zip(parts(tree, numbers), parts(tree, found), tree.rounds, strict=True):
        for plex, given, to in zip(level.treeplexes, pair, result, strict=True):
            if plex.nodes:
                blocks = given.reshape(-1, plex.slots, BLOCK)
                sums = np.add.reduceat(blocks, plex.node_slot, axis=1)
                to.reshape(blocks.shape)[:] = np.repeat(sums, plex.node_actions, axis=1)
    return found


def shares(tree: PublicTree, numbers: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to some numbers, none below 0; uniform where all are 0.  # [A] -> [A] float32"""
    kept = np.asarray(numbers, np.float64)
    sums = totals(tree, kept)
    found = np.divide(kept, sums, out=1 / totals(tree, np.ones_like(kept)), where=sums > 0)
    return np.asarray(found, np.float32)
