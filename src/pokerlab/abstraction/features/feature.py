"""What a feature is: a vector for every hand of a round, by which hands are compared.

A feature is a small value. `of` gives the vectors of some hands, `every` those of all hands of a round in index order,
and `blocks` the same piece by piece, for rounds that do not fit in memory. Each is computed from integer sums over
every run-out (run_outs.py), divided once and in the same order, so all three agree bit for bit. The opponent is
uniform: every holding that does not conflict with the known cards is equally likely.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.run_outs import RoundBoards, SumKernel, Sums
from pokerlab.errors import BadCards, BadSetting
from pokerlab.events import SILENT, Watch

Block = tuple[np.ndarray, np.ndarray]  # the indices of hands [m] int64, their features [m, dims] float32


class Feature(ABC):
    """A vector for every hand; see the files beside this one."""

    @abstractmethod
    def dims(self, cards: CardRounds, round: int) -> int:
        """The number of dimensions."""

    @abstractmethod
    def blocks(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> Iterator[Block]:
        """The features of all hands, each hand once, in an order that does not depend on the threads."""

    @abstractmethod
    def of(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The features [n, dims] float32 of hands [n, cards] uint8: private cards first, then the board as dealt."""

    def every(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """The features of all hands of a round, in index order: [hand, dims] float32."""
        from pokerlab.abstraction.features._kernels.sums import scatter

        check_round(cards, round)
        out = np.empty((cards.hands(round), self.dims(cards, round)), np.float32)
        for indices, features in self.blocks(cards, round, threads=threads, watch=watch):
            scatter(indices, features, out)
        return out


class SummedFeature(Feature):
    """A feature computed from integer sums over run-outs."""

    def sum_count(self, cards: CardRounds) -> int:
        """The number of integer sums per hand; by default one per dimension."""
        return self.dims(cards, 0)

    @abstractmethod
    def sum_kernel(self, cards: CardRounds) -> SumKernel:
        """The function that adds them up."""

    @abstractmethod
    def features_from(self, sums: np.ndarray, cards: CardRounds, round: int) -> np.ndarray:
        """The features, given sums over all run-outs.  # [n, sums] int64 -> [n, dims] float32"""

    def sums(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> Iterator[Sums]:
        """The integer sums of all hands, each hand once."""
        check_round(cards, round)
        boards, done, total = RoundBoards(cards, round), 0, cards.hands(round)
        for indices, sums in boards.sums(boards.boards, self.sum_kernel(cards), self.sum_count(cards), threads=threads):
            yield indices, sums
            done += len(indices)
            watch.at("", done, total)

    def blocks(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> Iterator[Block]:
        for indices, sums in self.sums(cards, round, threads=threads, watch=watch):
            yield indices, self.features_from(sums, cards, round)

    def sums_of(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The integer sums of some hands: [n, sums] int64."""
        hands = checked_hands(cards, round, hands)
        wanted = cards.index(round, hands)
        if not len(wanted):
            return np.zeros((0, self.sum_count(cards)), np.int64)
        boards = RoundBoards(cards, round)
        blocks = boards.sums(boards.of_hands(hands), self.sum_kernel(cards), self.sum_count(cards))
        indices, sums = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        order = np.argsort(indices)
        return np.asarray(sums[order[np.searchsorted(indices, wanted, sorter=order)]])

    def of(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        return self.features_from(self.sums_of(cards, round, hands), cards, round)


def check_round(cards: CardRounds, round: int) -> None:
    """Raise BadSetting for a round that the game does not have."""
    if not 0 <= round < cards.rounds:
        raise BadSetting(f"there is no round {round}: the rounds of this game are 0 to {cards.rounds - 1}")


def checked_hands(cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
    """Hands of a round as uint8 [n, cards]; BadCards for invalid ones."""
    check_round(cards, round)
    rows, size = np.asarray(hands), cards.private + cards.boards[round]
    if rows.ndim != 2 or rows.shape[1] != size:
        raise BadCards(f"a hand of round {round} has {size} cards, and here the array of hands is {rows.shape}")
    cards.index(round, rows)  # rejects unknown and duplicate cards
    return np.ascontiguousarray(rows, np.uint8)
