"""Hands of a public form that must play alike, since a board stands for several that differ by names of suits alone.

On an image of a board a hand plays as the hand that the image is made of does on the board itself. That is one strategy
only where both hands come there alike; by rounding, or where actions are equally good, they may not.
"""

from __future__ import annotations

import numpy as np

from pokerlab.tree.public.layout import BLOCK, PublicRound, PublicTree


def alike_rows(tree: PublicTree, player: int) -> list[np.ndarray]:
    """The first row of each board whose hand must play as that of a row does.  # [round] of [board, row]

    Hands of the last round play by themselves alone. Where two hands of a round are alike, so were they before.
    """
    found = [np.tile(np.arange(level.hands[player].rows), (len(level.boards), 1)) for level in tree.rounds]
    for number in range(len(tree.rounds) - 2, -1, -1):
        rows = found[number].shape[1]
        pairs = _pairs(tree.rounds[number + 1], player, found[number + 1], rows)
        found[number] = _firsts(pairs, found[number].size).reshape(found[number].shape) % rows
    return found


def _pairs(level: PublicRound, player: int, alike: np.ndarray, rows: int) -> np.ndarray:
    """Rows of the round before that its images, or hands of this round that are alike, bring together.  # [pair, 2]

    A row is numbered by its board, of so many rows each: board * rows + row.
    """
    hands, images = level.hands[player], np.diff(level.image_start)
    present = np.arange(hands.rows) < hands.count[:, None]  # [board, row]
    above = hands.above.astype(np.int64) + level.parent[:, None].astype(np.int64) * rows
    board = np.repeat(np.arange(len(level.boards)), images)
    moved = hands.image_row.astype(np.int64) + level.parent[board][:, None].astype(np.int64) * rows  # [image, row]
    one = np.concatenate([above[board][present[board]], above[present]])
    other = np.concatenate([moved[present[board]], np.take_along_axis(above, alike, axis=1)[present]])
    return np.asarray(np.stack([one, other], axis=1)[one != other])


def _firsts(pairs: np.ndarray, size: int) -> np.ndarray:
    """The least number that each number is connected with by pairs.  # [size]"""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if not len(pairs):
        return np.arange(size)
    graph = coo_matrix((np.ones(len(pairs), np.int8), pairs.T), shape=(size, size))
    _, label = connected_components(graph, directed=False)
    _, first = np.unique(label, return_index=True)
    return np.asarray(first[label])


class Followers:
    """The stored numbers of a player that are made those of the first hand alike, round by round."""

    def __init__(self, tree: PublicTree, player: int) -> None:
        self._levels = []
        for level, firsts in zip(tree.rounds[:-1], alike_rows(tree, player), strict=False):
            rows, slots = firsts.shape[1], level.treeplexes[player].slots
            board, row = np.nonzero(firsts != np.arange(rows))
            first = firsts[board, row]
            blocks = [(board * rows + number // BLOCK * BLOCK) * slots + number % BLOCK for number in (row, first)]
            self._levels.append((slots, *blocks, board))

    def make_alike(self, number: int, stored: np.ndarray, boards: tuple[int, int] | None = None) -> None:
        """Give hands of a round, on boards from the first to before the last, what the first hand alike has stored.

        stored [board, block, slot, BLOCK], flat
        """
        slots, to, source, board = self._levels[number]
        if boards is not None:
            first, last = np.searchsorted(board, boards)
            to, source = to[first:last], source[first:last]
        for slot in range(slots if len(to) else 0):
            stored[to + slot * BLOCK] = stored[source + slot * BLOCK]
