"""Strategies of a public form as one flat array, as counter-strategies are computed with them in every form.

A profile [A] has a number for each action of each infoset, padding included: all of player 0's, round by round as
solvers store them, then all of player 1's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.poker import suit_symmetries
from pokerlab.tree.public.reading import boards_to

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


# ---- names of suits ------------------------------------------------------------------------------------------------


def is_folded(tree: PublicTree) -> bool:
    """Whether a board of the form stands for others, so that strategies must play hands alike that differ by suits."""
    return any(len(level.images) > len(level.boards) for level in tree.rounds)


def renamings(tree: PublicTree) -> list[np.ndarray]:
    """The renamings of suits that keep the first board and both ranges, but for the one that renames nothing."""
    found = []
    for renamed in suit_symmetries(tree.deck)[1:]:
        if _keeps(renamed, tree.rounds[0].boards[0]):
            image = tree.image(renamed)
            if all(np.array_equal(weights[image], weights) for weights in tree.weights):
                found.append(renamed)
    return found


def alike(tree: PublicTree, numbers: np.ndarray, *, summed: bool = False) -> np.ndarray:
    """The mean of some numbers over hands that differ by names of suits alone on their board, or their sum.  # [A]

    Where a form keeps every board, nothing changes.
    """
    if not is_folded(tree):
        return numbers
    found, group = numbers.copy(), renamings(tree)
    for number, pair in enumerate(parts(tree, found)):
        level = tree.rounds[number]
        for board in range(len(level.boards)):
            path = [tree.rounds[standing.number].boards[standing.board] for standing in boards_to(tree, number, board)]
            keeping = [renamed for renamed in group if all(_keeps(renamed, cards) for cards in path)]
            for player, part in enumerate(pair):
                if keeping and len(part):
                    blocks = part.reshape(len(level.boards), -1, level.treeplexes[player].slots, BLOCK)[board]
                    blocks[:] = _merged(tree, number, player, board, blocks, keeping, summed=summed)
    return found


def _keeps(renamed: np.ndarray, cards: Sequence[int]) -> bool:
    return {int(renamed[card]) for card in cards} == set(cards)


def _merged(
    tree: PublicTree,
    number: int,
    player: int,
    board: int,
    blocks: np.ndarray,
    keeping: list[np.ndarray],
    *,
    summed: bool,
) -> np.ndarray:
    """The numbers of a board [block, slot, hand of the block], merged over renamings that keep it."""
    hands = tree.rounds[number].hands[player]
    count = int(hands.count[board])
    live = hands.hand[board, :count].astype(np.int64)
    row_of = np.full(len(tree.hands), -1)
    row_of[live] = np.arange(count)
    rows = blocks.transpose(0, 2, 1).reshape(hands.rows, -1)
    total, fixed = rows[:count].astype(np.float64), np.ones(count)
    for renamed in keeping:
        moved = tree.image(renamed)[live]
        total = total + rows[row_of[moved]]
        fixed += moved == live
    parted = fixed if summed else np.full(count, len(keeping) + 1.0)
    merged = rows.copy()
    merged[:count] = np.asarray(np.rint(total / parted[:, None]) if summed else total / parted[:, None], rows.dtype)
    return merged.reshape(-1, BLOCK, rows.shape[1]).transpose(0, 2, 1)
