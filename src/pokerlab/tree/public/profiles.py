"""Strategies of a public form as one flat array: what counter-strategies and first-order methods compute with.

A profile [A] has a number for each action of each infoset, padding included: all of player 0's, round by round as
solvers store them, then all of player 1's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pokerlab.tree.public.alike import equivalent_rows
from pokerlab.tree.public.layout import BLOCK, PublicTree, Treeplex

ROUNDING = 1e-6  # tolerance for the sum of probabilities of an infoset
_PORTION = 2**20  # entries, approximately
Sums = Sequence[Sequence[np.ndarray]]  # [round][player]: strategies are proportional to these


def slots_of(tree: PublicTree, player: int) -> slice:
    """The range of a player's entries in a profile."""
    first = sum(tree.stored(number, 0) for number in range(len(tree.rounds)))
    return slice(0, first) if player == 0 else slice(first, tree.slots)


def parts(tree: PublicTree, profile: np.ndarray) -> list[list[np.ndarray]]:
    """[round][player] A profile as solvers store it, without copying."""
    found: list[list[np.ndarray]] = [[] for _ in tree.rounds]
    start = 0
    for player in (0, 1):
        for number, pair in enumerate(found):
            count = tree.stored(number, player)
            pair.append(profile[start : start + count])
            start += count
    return found


def held_by_hands(tree: PublicTree, player: int) -> np.ndarray:
    """Which of a player's entries belong to a hand and are not padding.  # [A of the player] bool"""
    found = []
    for level in tree.rounds:
        hands, slots = level.hands[player], level.treeplexes[player].slots
        rows = (np.arange(hands.rows) < hands.count[:, None]).reshape(-1, 1, BLOCK)
        found.append(np.repeat(rows, slots, axis=1).reshape(-1))
    return np.concatenate(found)


def joined(sums: Sums) -> np.ndarray:
    """The profile made of such parts.  # [A]"""
    return np.concatenate([np.asarray(pair[player], np.float32) for player in (0, 1) for pair in sums])


def totals(tree: PublicTree, numbers: np.ndarray) -> np.ndarray:
    """The sum over the actions of each infoset, repeated for each action.  # [A] -> [A]"""
    found = np.zeros_like(numbers)
    for place, plex in _portions(tree):
        sums = _infosets(plex, numbers[place])
        found[place] = np.repeat(sums, plex.node_actions, axis=1).reshape(-1)
    return found


def shares(tree: PublicTree, numbers: np.ndarray, *, kind: Any = np.float32) -> np.ndarray:
    """Probabilities in proportion to nonnegative weights; uniform where all are 0.  # [A] -> [A] of this type

    A float32 array that is already normalised is returned unchanged.
    """
    if kind == np.float32 and _are_shares(tree, numbers):
        return numbers
    found = np.empty(len(numbers), kind)
    for place, plex in _portions(tree):
        kept = numbers[place].astype(np.float64)
        sums = np.repeat(_infosets(plex, kept), plex.node_actions, axis=1).reshape(-1)
        actions = np.tile(
            np.repeat(np.repeat(plex.node_actions, plex.node_actions), BLOCK), len(kept) // plex.slots // BLOCK
        )
        found[place] = np.divide(kept, sums, out=1 / actions, where=sums > 0)
    return found


def count_positive(tree: PublicTree, numbers: np.ndarray) -> int:
    """The number of infosets with a positive entry.  # numbers [A], nonnegative"""
    return sum(int((_infosets(plex, numbers[place]) > 0).sum()) for place, plex in _portions(tree))


def _are_shares(tree: PublicTree, numbers: np.ndarray) -> bool:
    return numbers.dtype == np.float32 and all(
        np.allclose(_infosets(plex, numbers[place]), 1.0, rtol=0, atol=ROUNDING) for place, plex in _portions(tree)
    )


def _infosets(plex: Treeplex, numbers: np.ndarray) -> np.ndarray:
    """Sums over the actions of each infoset of some blocks.  # -> [block, infoset, hand of the block]"""
    return np.asarray(np.add.reduceat(numbers.reshape(-1, plex.slots, BLOCK), plex.node_slot, axis=1))


def _portions(tree: PublicTree) -> Iterator[tuple[slice, Treeplex]]:
    """A profile a few blocks at a time, so that temporaries stay small."""
    start = 0
    for player in (0, 1):
        for number, level in enumerate(tree.rounds):
            plex, end = level.treeplexes[player], start + tree.stored(number, player)
            step = max(1, _PORTION // max(plex.slots * BLOCK, 1)) * plex.slots * BLOCK
            for first in range(start, end, step) if step else ():
                yield slice(first, min(first + step, end)), plex
            start = end


# ---- suit isomorphism --------------------------------------------------------------------------------------------


def is_folded(tree: PublicTree) -> bool:
    """Whether a board of the form represents others, so that strategies must play suit-isomorphic hands the same."""
    return any(len(level.images) > len(level.boards) for level in tree.rounds)


def alike(tree: PublicTree, numbers: np.ndarray, *, summed: bool = False) -> np.ndarray:
    """The mean, or the sum, of some numbers over hands that are suit-isomorphic on their board.  # [A]

    Unchanged for a form that stores every board.
    """
    if not is_folded(tree):
        return numbers
    found = numbers.copy()
    for player in (0, 1):
        for pair, level, firsts in zip(parts(tree, found), tree.rounds, equivalent_rows(tree, player), strict=True):
            slots, (boards, rows) = level.treeplexes[player].slots, firsts.shape
            first = (firsts + rows * np.arange(boards)[:, None]).reshape(-1)
            blocks = pair[player].reshape(-1, slots, BLOCK)
            by_row = blocks.transpose(0, 2, 1).reshape(-1, slots)
            total = np.zeros(by_row.shape)
            np.add.at(total, first, by_row)
            merged = total[first] if summed else total[first] / np.bincount(first)[first][:, None]
            blocks[:] = merged.reshape(-1, BLOCK, slots).transpose(0, 2, 1)
    return found
