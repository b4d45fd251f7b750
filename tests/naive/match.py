"""Plain twins of the kernels of matches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.tree.history.layout import HistoryTree

_WORD = 2**64


def uniform(place: int) -> float:
    """splitmix64 at a place of its stream, as a number in [0, 1)."""
    word = place * 0x9E3779B97F4A7C15 % _WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
    return ((word ^ (word >> 31)) >> 11) / 2**53


def drawn(chances: Sequence[float], point: float) -> int:
    """The first choice at which the chances add up to more than the point."""
    total = 0.0
    for choice, chance in enumerate(chances):
        total += chance
        if total > point:
            return choice
    return len(chances) - 1


def play_hand(tree: HistoryTree, profiles: Sequence[np.ndarray], *, moved: int, dealt: int, chosen: int) -> list[float]:
    """One hand on a tree: payoffs by agent; agent a sits in seat a + moved."""
    node = 0
    while tree.child_count[node]:
        first, count = int(tree.first_child[node]), int(tree.child_count[node])
        if tree.actor[node] < 0:
            chances, point = tree.probability[first : first + count], uniform(dealt)
            dealt += 1
        else:
            agent = (int(tree.actor[node]) - moved) % tree.players
            slot = int(tree.start[tree.label[node]])
            chances, point = profiles[agent][slot : slot + count], uniform(chosen)
            chosen += 1
        node = first + drawn(chances.tolist(), point)
    won = tree.returns[tree.label[node]]
    return [float(won[(agent + moved) % tree.players]) for agent in range(tree.players)]
