"""Strategies of a public form as one flat array: what counter-strategies and first-order methods compute with.

A profile [A] has a number for each action of each infoset, padding included: all of player 0's, round by round as
solvers store them, then all of player 1's.

Equivalent hands must play the same, since a board represents several suit-isomorphic ones: on an image of a board a
hand plays as its preimage does on the board itself. Walks rely on this; it is correct if strategies are suit-symmetric:
hands that a suit permutation maps onto each other, on a board that it preserves, play the same. Through rounding, or
between equally good actions, they may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.tree.public.boards import BLOCK
from pokerlab.tree.public.treeplex import Treeplex

if TYPE_CHECKING:
    from pokerlab.tree.public.layout import PublicTree

ROUNDING = 1e-6  # tolerance for the sum of probabilities of an infoset
_PORTION = 2**20  # entries, approximately
Sums = Sequence[Sequence[np.ndarray]]  # [round][player]: strategies are proportional to these


def parts(tree: PublicTree, profile: np.ndarray) -> list[list[np.ndarray]]:
    """[round][player] A profile as solvers store it, without copying."""
    rounds = len(tree.rounds)
    counts = [tree.stored(number, player) for player in (0, 1) for number in range(rounds)]
    stored = [profile[start:end] for start, end in pairwise(accumulate(counts, initial=0))]
    return [[stored[number], stored[rounds + number]] for number in range(rounds)]


def joined(sums: Sums) -> np.ndarray:
    """The profile made of such parts.  # [A]"""
    return np.concatenate([np.asarray(pair[player], np.float32) for player in (0, 1) for pair in sums])


def shares(tree: PublicTree, numbers: np.ndarray, *, kind: Any = np.float32) -> np.ndarray:
    """Probabilities in proportion to nonnegative weights, uniform where all are 0.  # [A] -> [A] of this type"""
    if kind == np.float32 and _are_shares(tree, numbers):
        return numbers
    probabilities = np.empty(len(numbers), kind)
    for part, plex in portions(tree):
        weights = numbers[part].astype(np.float64)
        sums = np.repeat(block_sums(plex, weights), plex.node_actions, axis=1).reshape(-1)
        actions = np.repeat(np.repeat(plex.node_actions, plex.node_actions), BLOCK)
        equal = np.tile(1 / actions, len(weights) // len(actions))
        probabilities[part] = np.divide(weights, sums, out=equal, where=sums > 0)
    return probabilities


def _are_shares(tree: PublicTree, numbers: np.ndarray) -> bool:
    return numbers.dtype == np.float32 and all(
        np.allclose(block_sums(plex, numbers[part]), 1.0, rtol=0, atol=ROUNDING) for part, plex in portions(tree)
    )


def block_sums(plex: Treeplex, numbers: np.ndarray) -> np.ndarray:
    """Sums over the actions of each infoset of some blocks.  # -> [block, infoset, hand of the block]"""
    return np.asarray(np.add.reduceat(numbers.reshape(-1, plex.slots, BLOCK), plex.node_slot, axis=1))


def portions(tree: PublicTree) -> Iterator[tuple[slice, Treeplex]]:
    """A profile a few blocks at a time, so that temporaries stay small."""
    start = 0
    for player in (0, 1):
        for number, level in enumerate(tree.rounds):
            plex, end = level.treeplexes[player], start + tree.stored(number, player)
            step = max(1, _PORTION // max(plex.slots * BLOCK, 1)) * plex.slots * BLOCK
            for first in range(start, end, step) if step else ():
                yield slice(first, min(first + step, end)), plex
            start = end


def is_folded(tree: PublicTree) -> bool:
    """Whether a board of the form represents others, so that strategies must play suit-isomorphic hands the same."""
    return any(len(level.images) > len(level.boards) for level in tree.rounds)


def merge_isomorphic(tree: PublicTree, numbers: np.ndarray, *, summed: bool = False) -> np.ndarray:
    """The mean, or the sum, of some numbers over hands that are suit-isomorphic on their board.  # [A]"""
    if not is_folded(tree):
        return numbers
    result = numbers.copy()
    for player in (0, 1):
        for pair, level, firsts in zip(parts(tree, result), tree.rounds, equivalent_rows(tree, player), strict=True):
            slots, (boards, rows) = level.treeplexes[player].slots, firsts.shape
            first = (firsts + rows * np.arange(boards)[:, None]).reshape(-1)
            blocks = pair[player].reshape(-1, slots, BLOCK)
            by_row = blocks.transpose(0, 2, 1).reshape(-1, slots)
            total = np.zeros(by_row.shape)
            np.add.at(total, first, by_row)
            merged = total[first] if summed else total[first] / np.bincount(first)[first][:, None]
            blocks[:] = merged.reshape(-1, BLOCK, slots).transpose(0, 2, 1)
    return result


def renamings(tree: PublicTree) -> list[np.ndarray]:
    """The group generated by the permutations of the cards that map boards onto their images.  # [card] each"""
    identity = np.arange(tree.deck.size)
    used = {image.tobytes(): np.asarray(image, np.int64) for level in tree.rounds for image in level.images}
    group, pending = {identity.tobytes(): identity}, [identity]
    while pending:
        permutation = pending.pop()
        for other in used.values():
            product = other[permutation]
            if product.tobytes() not in group:
                group[product.tobytes()] = product
                pending.append(product)
    return list(group.values())


def equivalent_rows(tree: PublicTree, player: int) -> list[np.ndarray]:
    """For each row, the first row of its board with an equivalent hand.  # [round] of [board, row]"""
    group, rows = renamings(tree), []
    preserved = np.ones(
        (len(group), 1), bool
    )  # [permutation, board]: whether it preserves the board and all earlier ones
    for number, level in enumerate(tree.rounds):
        boards, hands = np.array(level.boards, np.int64).reshape(len(level.boards), -1), level.hands[player]
        if number:
            preserved = preserved[:, level.parent]
        same = [(np.sort(moved[boards], axis=1) == np.sort(boards, axis=1)).all(axis=1) for moved in group]
        preserved = preserved & np.array(same)
        row_of = np.zeros((len(boards), len(tree.hands)), np.int64)
        board, row = np.nonzero(hands.hand >= 0)
        row_of[board, hands.hand[board, row]] = row
        first = np.tile(np.arange(hands.rows), (len(boards), 1))
        for permutation, is_preserved in zip(group, preserved, strict=True):
            moved = tree.image(permutation)[np.maximum(hands.hand[is_preserved], 0)]
            first[is_preserved] = np.minimum(
                first[is_preserved], np.take_along_axis(row_of[is_preserved], moved, axis=1)
            )
        rows.append(np.where(hands.hand >= 0, first, np.arange(hands.rows)))
    return rows


class Followers:
    """Copies stored numbers of the first equivalent hand to the others, for a player, round by round."""

    def __init__(self, tree: PublicTree, player: int) -> None:
        self._levels = []
        for level, firsts in zip(tree.rounds, equivalent_rows(tree, player), strict=True):
            rows, plex = firsts.shape[1], level.treeplexes[player]
            board, row = np.nonzero(firsts != np.arange(rows))
            first = firsts[board, row]
            blocks = [(board * rows + number // BLOCK * BLOCK) * plex.slots + number % BLOCK for number in (row, first)]
            self._levels.append((plex, len(firsts), *blocks, board))

    def share_numbers(
        self,
        number: int,
        stored: np.ndarray,
        boards: tuple[int, int] | None = None,
        units: np.ndarray | None = None,
    ) -> None:
        """Give hands of a round, on a range of boards, the numbers `stored` flat for the first equivalent hand.

        Integers are in `units` [board, block, node], which become the same for all blocks of a board.
        """
        from pokerlab.tree.public._kernels.memory import copy_hands

        plex, count, to, source, board = self._levels[number]
        if boards is not None:
            first, last = np.searchsorted(board, boards)
            to, source, board = to[first:last], source[first:last], board[first:last]
        if not len(to) or not plex.slots:
            return
        if units is not None and stored.dtype == np.int16:
            _share_units(plex, count, stored, units, np.unique(board))
        copy_hands(to, source, plex.slots, BLOCK, stored)


def _share_units(plex: Treeplex, boards: int, stored: np.ndarray, units: np.ndarray, shared: np.ndarray) -> None:
    """Convert the integers of some of the boards to the largest unit of an infoset among the blocks of its board."""
    of_board, in_units = stored.reshape(boards, -1, plex.slots, BLOCK), units.reshape(boards, -1, plex.nodes)
    for board in shared:
        largest = in_units[board].max(axis=0)
        ratio = np.divide(in_units[board], largest, out=np.zeros_like(in_units[board]), where=largest > 0)
        of_board[board] = np.rint(of_board[board] * np.repeat(ratio, plex.node_actions, axis=1)[:, :, None])
        in_units[board] = largest
