"""Plain twins of equities: every deal is laid out and scored by itself, in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from pokerlab.cards.combos import COMBOS
from pokerlab.cards.strength import strength


def board_strengths(board: Sequence[int], dead: Sequence[int] = ()) -> list[int]:
    """Class of every hand with this board, 0 where a card is taken."""
    taken = {*board, *dead}
    return [0 if taken & {int(a), int(b)} else strength([int(a), int(b), *board]) for a, b in COMBOS]


def wins(boards: Sequence[Sequence[int]], hands: Sequence[int]) -> np.ndarray:
    """For every two of these hands (by index), on how many of the boards the first beats the second."""
    count = np.zeros((len(hands), len(hands)), int)
    for board in boards:
        classes = board_strengths(board)
        for i, first in enumerate(hands):
            for j, second in enumerate(hands):
                if classes[first] and classes[second]:
                    count[i, j] += classes[first] < classes[second]
    return count


def splits(
    ranges: Sequence[dict[int, Fraction]], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> tuple[list[list[Fraction]], Fraction]:
    """For each player, the weight of deals in which it takes an equal k-th of the pot, at place k; and of all deals.

    A range is hand index -> weight; a deal is one hand each and the rest of the board.
    """
    players = len(ranges)
    found = [[Fraction(0)] * (players + 1) for _ in range(players)]
    total = Fraction(0)
    for chosen in product(*ranges):
        cards = [int(card) for hand in chosen for card in COMBOS[hand]]
        if len({*cards, *board, *dead}) < len(cards) + len(board) + len(dead):
            continue
        weight = Fraction(1)
        for held, hand in zip(ranges, chosen, strict=True):
            weight *= held[hand]
        left = [card for card in range(52) if card not in {*cards, *board, *dead}]
        for more in combinations(left, 5 - len(board)):
            scores = [strength([*map(int, COMBOS[hand]), *board, *more]) for hand in chosen]
            best = [player for player in range(players) if scores[player] == min(scores)]
            for player in best:
                found[player][len(best)] += weight
            total += weight
    return found, total
