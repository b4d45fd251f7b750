"""Integer sums over every run-out, for all holdings of the boards of a round.

Suit-isomorphic boards are visited once. Suits in which a board has the same ranks are interchangeable: run-outs that
are equivalent under such swaps are visited once and weighted by their number, and equivalent holdings share one sum,
which is divided by their number. Nothing is rounded, so the sums of one hand and of all agree exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, pairwise
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.final_hands import FinalHands, chosen
from pokerlab.cards.canonical import HandIndexer
from pokerlab.events import Watch

if TYPE_CHECKING:
    from pokerlab.abstraction.features._kernels.showdown import Final, Holdings

SumKernel = Callable[["Final", "Holdings", np.ndarray], None]  # adds to sums [board, holding, sum] int64
Sums = tuple[np.ndarray, np.ndarray]  # the index of each hand [m] int64, its sums [m, sum] int64

_MOST_BOARDS = 64  # per unit of work
_MOST_BYTES = 4 << 20  # of its sums
_MOST_FINALS = 4096  # complete boards per unit of work, unless one board has more
_FINALS = 256  # complete boards whose strengths are in memory at a time


@dataclass(frozen=True)
class RoundBoards:
    """The boards of a round, and how they are completed."""

    cards: CardRounds
    round: int

    @property
    def size(self) -> int:
        """The number of cards of a board."""
        return self.cards.boards[self.round]

    @cached_property
    def final(self) -> FinalHands:
        """The holdings and their showdown strengths."""
        return FinalHands.of(self.cards)

    @property
    def run_outs(self) -> int:
        """The number of run-outs of a hand's board."""
        return comb(self.cards.deck.size - self.cards.private - self.size, self.cards.boards[-1] - self.size)

    @cached_property
    def deals(self) -> tuple[int, ...]:
        """The steps in which the board is dealt; one step if its order is forgotten."""
        return self.cards.indexer(self.round).rounds[1:]

    @cached_property
    def boards(self) -> np.ndarray:
        """One representative of each suit-isomorphic set of boards: [n, size] uint8."""
        if not self.size:
            return np.zeros((1, 0), np.uint8)
        indexer = self._indexer(self.deals)
        return indexer.unindex_batch(np.arange(indexer.size()))

    def of_hands(self, hands: np.ndarray) -> np.ndarray:
        """The representative boards of these hands.  # [n, private + size] -> [boards, size] uint8"""
        if not self.size or not len(hands):
            return self.boards[: len(hands)]
        indexer = self._indexer(self.deals)
        own_boards = np.ascontiguousarray(hands[:, self.cards.private :])
        return indexer.unindex_batch(np.unique(indexer.index_batch(own_boards)))

    def sums(self, boards: np.ndarray, add: SumKernel, sum_count: int, *, threads: int = 1) -> Iterator[Sums]:
        """The sums that `add` computes for every hand of these boards, each hand once, in blocks."""
        bytes_of_board = len(self.final.holdings.cards) * sum_count * 8
        most = max(1, min(_MOST_BOARDS, _MOST_BYTES // bytes_of_board, _MOST_FINALS // self.run_outs))
        labels = _equivalent_suits(boards, self.deals, len(self.cards.deck.ranks), len(self.cards.deck.suits))
        kinds, which = np.unique(labels, axis=0, return_inverse=True)
        pieces = []
        for number, kind in enumerate(kinds.tolist()):
            of_kind, orbits = boards[which.ravel() == number], _orbits(self.final, tuple(kind))
            pieces += [(of_kind[start : start + most], orbits) for start in range(0, len(of_kind), most)]
        shared = parallel.Shared(self)
        return parallel.spread(_summed, [(shared, *piece, add, sum_count) for piece in pieces], threads=threads)

    def _piece(self, boards: np.ndarray, orbits: tuple[np.ndarray, np.ndarray], add: SumKernel, sum_count: int) -> Sums:
        from pokerlab.abstraction.features._kernels.showdown import Final
        from pokerlab.abstraction.features._kernels.sums import gather

        holdings = self.final.holdings
        sums = np.zeros((len(boards), len(holdings.cards), sum_count), np.int64)
        complete, owners, weights = self._completed(boards)
        for start in range(0, len(complete), _FINALS):
            part = slice(start, start + _FINALS)
            add(Final(self.final.strengths(complete[part]), owners[part], weights[part], orbits[0]), holdings, sums)
        most = len(boards) * int((orbits[0] == np.arange(len(orbits[0]))).sum())
        rows = np.empty((most, self.cards.private + self.size), np.uint8)
        values = np.empty((most, sum_count), np.int64)
        count = gather(boards, holdings, *orbits, sums, rows, values)
        return self.cards.index(self.round, rows[:count]), values[:count]

    def _completed(self, boards: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Complete boards [n, cards] uint8, the board that each belongs to [n], and the run-outs it represents [n]."""
        missing = self.cards.boards[-1] - self.size
        everyone = np.arange(len(boards))
        if not missing:
            return boards, everyone, np.ones(len(boards), np.int64)
        if not self.size:
            indexer = self._indexer((missing,))
            kinds = np.arange(indexer.size())
            return indexer.unindex_batch(kinds), np.zeros(len(kinds), np.int64), indexer.counts(kinds)
        rows = extended(boards, self.cards.deck.size, missing)
        owners = np.repeat(everyone, len(rows) // len(boards))
        indexer = self._indexer((*self.deals, missing))
        _, firsts, weights = np.unique(indexer.index_batch(rows), return_index=True, return_counts=True)
        order = np.argsort(firsts)  # by board, whose sums then stay in the cache
        return rows[firsts[order]], owners[firsts[order]], weights[order]

    def _indexer(self, rounds: tuple[int, ...]) -> HandIndexer:
        return HandIndexer(rounds, len(self.cards.deck.ranks), len(self.cards.deck.suits))


def _summed(task: tuple[parallel.Shared[RoundBoards], np.ndarray, Any, SumKernel, int], watch: Watch) -> Sums:
    shared, *piece = task
    return shared.value._piece(*piece)


def extended(rows: np.ndarray, deck: int, count: int) -> np.ndarray:
    """Each row of cards with each set of `count` other cards.  # [n, cards] uint8 -> [n * sets, cards + count] uint8"""
    free = np.ones((len(rows), deck), np.bool_)
    np.put_along_axis(free, rows.astype(np.int64), False, axis=1)
    left = np.nonzero(free)[1].astype(np.uint8).reshape(len(rows), -1)
    added = left[:, chosen(left.shape[1], count)]  # [row, set, card]
    before = np.broadcast_to(rows[:, None], (*added.shape[:2], rows.shape[1]))
    return np.concatenate([before, added], axis=2).reshape(-1, rows.shape[1] + count)


def _equivalent_suits(boards: np.ndarray, deals: tuple[int, ...], ranks: int, suits: int) -> np.ndarray:
    """For each suit the first one in which a board has the same ranks at the same steps: [board, suit] int64."""
    shown = np.zeros((len(boards), suits, ranks), np.int8)
    for step, (start, end) in enumerate(pairwise(accumulate(deals, initial=0)), start=1):
        for column in range(start, end):
            shown[np.arange(len(boards)), boards[:, column] % suits, boards[:, column] // suits] = step
    first = np.tile(np.arange(suits), (len(boards), 1))
    for suit in range(suits - 1, -1, -1):
        for earlier in range(suit - 1, -1, -1):
            same = (shown[:, suit] == shown[:, earlier]).all(1)
            first[same, suit] = earlier
    return first


@cache
def _orbits(final: FinalHands, equivalent: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The representative of each holding [holding], and how many it represents, if some suits are interchangeable."""
    suits = len(equivalent)
    firsts: dict[tuple[tuple[int, ...], ...], int] = {}
    orbits = np.empty(len(final.holdings.cards), np.int64)
    for number, hand in enumerate(final.holdings.cards.tolist()):
        ranks = [sum(1 << card // suits for card in hand if card % suits == suit) for suit in range(suits)]
        of_group = (tuple(sorted(ranks[s] for s in range(suits) if equivalent[s] == first)) for first in range(suits))
        orbits[number] = firsts.setdefault(tuple(of_group), number)
    return orbits, np.bincount(orbits, minlength=len(orbits))
