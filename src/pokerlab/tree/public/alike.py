"""Hands of a public form that must play alike, since a board stands for several that differ by names of suits alone.

On an image of a board a hand plays as the hand that the image is made of does on the board itself. Walks reckon with
that; it is right where strategies treat suits alike: hands that a renaming maps onto each other, on a board that it
keeps, do the same. By rounding, or where actions are equally good, they may not.
"""

from __future__ import annotations

import numpy as np

from pokerlab.tree.public.layout import BLOCK, PublicTree


def renamings(tree: PublicTree) -> list[np.ndarray]:
    """The permutations of the cards by which boards stand for others, and all that are made of them.  # [card] each"""
    identity = np.arange(tree.deck.size)
    used = {image.tobytes(): np.asarray(image, np.int64) for level in tree.rounds for image in level.images}
    found = {identity.tobytes(): identity}
    pending = [identity]
    while pending:
        one = pending.pop()
        for other in used.values():
            both = other[one]
            if both.tobytes() not in found:
                found[both.tobytes()] = both
                pending.append(both)
    return list(found.values())


def equivalent_rows(tree: PublicTree, player: int) -> list[np.ndarray]:
    """The first row of each board whose hand must play as that of a row does.  # [round] of [board, row]"""
    group, found = renamings(tree), []
    kept = np.ones((len(group), 1), bool)  # [renaming, board]: whether it keeps the board and all before it
    for number, level in enumerate(tree.rounds):
        boards, hands = np.array(level.boards, np.int64).reshape(len(level.boards), -1), level.hands[player]
        if number:
            kept = kept[:, level.parent]
        same = [(np.sort(one[boards], axis=1) == np.sort(boards, axis=1)).all(axis=1) for one in group]
        kept = kept & np.array(same)
        row_of = np.zeros((len(boards), len(tree.hands)), np.int64)
        board, row = np.nonzero(hands.hand >= 0)
        row_of[board, hands.hand[board, row]] = row
        first = np.tile(np.arange(hands.rows), (len(boards), 1))
        for one, keeps in zip(group, kept, strict=True):
            moved = tree.image(one)[np.maximum(hands.hand[keeps], 0)]
            first[keeps] = np.minimum(first[keeps], np.take_along_axis(row_of[keeps], moved, axis=1))
        found.append(np.where(hands.hand >= 0, first, np.arange(hands.rows)))
    return found


class Followers:
    """The stored numbers of a player that are made those of the first hand alike, round by round."""

    def __init__(self, tree: PublicTree, player: int) -> None:
        self._levels = []
        for level, firsts in zip(tree.rounds, equivalent_rows(tree, player), strict=True):
            rows, slots = firsts.shape[1], level.treeplexes[player].slots
            board, row = np.nonzero(firsts != np.arange(rows))
            first = firsts[board, row]
            blocks = [(board * rows + number // BLOCK * BLOCK) * slots + number % BLOCK for number in (row, first)]
            self._levels.append((slots, *blocks, board))

    def share_numbers(self, number: int, stored: np.ndarray, boards: tuple[int, int] | None = None) -> None:
        """Give hands of a round, on boards from the first to before the last, what the first hand alike has stored.

        stored [board, block, slot, BLOCK], flat
        """
        from pokerlab.tree._kernels.alike import take_over

        slots, to, source, board = self._levels[number]
        if boards is not None:
            first, last = np.searchsorted(board, boards)
            to, source = to[first:last], source[first:last]
        if len(to):
            take_over(to, source, slots, BLOCK, stored)
