"""Hand strength together with the texture of the board, four numbers from 0 to 1.

They are the largest share of the board in one suit, the share of its cards that repeat a rank, the largest share of
distinct ranks within five consecutive ones, and the mean rank. Without a board they are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.feature import Block, Feature, checked_hands
from pokerlab.abstraction.features.strength import Strength
from pokerlab.events import SILENT, Watch

NUMBERS = 4  # of a board
STRAIGHT = 5  # ranks


def board_texture(cards: CardRounds, boards: np.ndarray) -> np.ndarray:
    """The numbers of some boards.  # [n, cards] uint8 -> [n, 4] float32"""
    numbers, size = np.zeros((len(boards), NUMBERS), np.float32), boards.shape[1]
    if not size:
        return numbers
    suits, ranks = len(cards.deck.suits), len(cards.deck.ranks)
    rank, suit = boards // suits, boards % suits
    numbers[:, 0] = np.max([(suit == one).sum(axis=1) for one in range(suits)], axis=0) / size
    present = np.stack([(rank == one).any(axis=1) for one in range(ranks)], axis=1)
    numbers[:, 1] = 1 - present.sum(axis=1) / size
    windows = [present[:, low : low + STRAIGHT].sum(axis=1) for low in range(max(1, ranks - STRAIGHT + 1))]
    numbers[:, 2] = np.max(windows, axis=0) / min(STRAIGHT, size)
    numbers[:, 3] = rank.sum(axis=1, dtype=np.int64) / (size * max(1, ranks - 1))
    return numbers


@dataclass(frozen=True)
class StrengthOnBoard(Feature):
    """E[HS] and E[HS^2], then the numbers of the board."""

    def dims(self, cards: CardRounds, round: int) -> int:
        return 2 + NUMBERS

    def blocks(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> Iterator[Block]:
        indexer = cards.indexer(round)
        for indices, strength in Strength(squared=True).blocks(cards, round, threads=threads, watch=watch):
            boards = indexer.unindex_batch(np.asarray(indices, np.int64))[:, cards.private :]
            yield indices, np.concatenate([strength, board_texture(cards, boards)], axis=1)

    def of(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        hands = checked_hands(cards, round, hands)
        strength = Strength(squared=True).of(cards, round, hands)
        return np.concatenate([strength, board_texture(cards, hands[:, cards.private :])], axis=1)
