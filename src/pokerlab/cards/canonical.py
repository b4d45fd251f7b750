"""Hands up to suit isomorphism, numbered 0, 1, 2, ... without gaps.

Suits have no order in poker, so AhKh on Td7s2c is the same situation as AsKs on Tc7d2h. A `HandIndexer` maps every such
class of hands to an index, and back. Cards are dealt in rounds; the order of rounds matters, the order within a round
does not: (2, 3, 1, 1) is hold'em as dealt, (2, 5) the same ignoring the order of the board, (3,) a flop alone.

The method (following Waugh, "A fast and optimal hand isomorphism algorithm", 2013, with our own tables): the ranks of
one suit, round by round, are its history. A hand up to suit isomorphism is a multiset of histories. Histories are
grouped by shape (how many cards in each round), and multisets of histories by their multiset of shapes: a block. In a
block, suits of equal shape form a multiset numbered by binomials, and the groups are independent digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, permutations, product
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards, BadSetting, TooLarge

if TYPE_CHECKING:
    from pokerlab.cards._kernels.canonical import IndexTables


_MOST_CARDS = 62  # the cards of a hand are stored as bits of one integer
_MOST_HISTORIES = 1 << 40
_MOST_HANDS = 1 << 58
_MOST_TRIE = 1 << 26  # entries


@dataclass(frozen=True)
class HandIndexer:
    """Index and unindex hands dealt in rounds, up to suit isomorphism.

    >>> hole_and_flop = HandIndexer(rounds=(2, 3))
    >>> hole_and_flop.size(), hole_and_flop.size(0)
    (1286792, 169)
    >>> first = hole_and_flop.index(FULL_DECK.cards("AhKh Td7s2c"))
    >>> first == hole_and_flop.index(FULL_DECK.cards("KsAs 2h7dTc"))
    True
    >>> FULL_DECK.text(hole_and_flop.unindex(first))
    'AsKsTh7d2c'
    """

    rounds: tuple[int, ...] = (2, 3, 1, 1)
    ranks: int = 13
    suits: int = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounds", tuple(int(cards) for cards in self.rounds))
        if not self.rounds or min(self.rounds) < 1:
            raise BadSetting(f"rounds must each deal at least one card, as in (2, 3, 1, 1); got {self.rounds}")
        if self.suits < 1 or self.ranks < 1 or self.ranks * self.suits > _MOST_CARDS:
            raise BadSetting(
                f"cannot index a deck of {self.ranks} ranks and {self.suits} suits: "
                f"there must be at least one of each, and at most {_MOST_CARDS} cards"
            )
        dealt, size = sum(self.rounds), self.ranks * self.suits
        if dealt > size:
            raise BadSetting(f"rounds {self.rounds} deal {dealt} cards of a deck of {size}")

    def size(self, round: int = -1) -> int:
        """The number of classes of hands once this round has been dealt (0 the first, -1 the last)."""
        return int(self._tables(round).size)

    def index(self, cards: Sequence[int]) -> int:
        """The index of one hand, cards in dealing order; their number determines the round."""
        return int(self.index_batch(np.asarray(cards).reshape(1, -1))[0])

    def index_batch(self, cards: np.ndarray, round: int | None = None) -> np.ndarray:
        """The index of each row of cards [n, cards], as int64 [n].

        The number of columns determines the round; if `round` is given, the first columns are used.
        """
        from pokerlab.cards._kernels.canonical import NO_BAD_ROW, index_rows

        tables = self._tables(self._round_of(cards, round))
        rows = self._bytes(cards)
        out = np.empty(len(rows), np.int64)
        bad = index_rows(rows, tables, out)
        if bad != NO_BAD_ROW:
            raise BadCards(self._complaint(rows[bad, : tables.ends[-1]], bad if len(rows) > 1 else None))
        return out

    def unindex(self, index: int, round: int = -1) -> list[int]:
        """The canonical hand of an index: each round's highest card first, the last suit the longest."""
        return [int(card) for card in self.unindex_batch(np.array([index]), round)[0]]

    def unindex_batch(self, indices: np.ndarray, round: int = -1) -> np.ndarray:
        """The canonical hand of each index [n], as uint8 [n, cards]."""
        from pokerlab.cards._kernels.canonical import unindex_rows

        tables = self._tables(round)
        checked = self._checked(indices, tables.size)
        out = np.empty((len(checked), int(tables.ends[-1])), np.uint8)
        unindex_rows(checked, tables, out)
        return out

    def canonical(self, cards: Sequence[int]) -> list[int]:
        """The representative of all hands that are suit-isomorphic to this one."""
        return self.unindex(self.index(cards), self._round_of(np.asarray(cards).reshape(1, -1), None))

    def counts(self, indices: np.ndarray, round: int = -1) -> np.ndarray:
        """The number of hands (rounds as sets) each index [n] represents, as int64 [n]; they sum to all deals.

        >>> HandIndexer((2,)).counts(np.arange(169)).sum()
        np.int64(1326)
        """
        from pokerlab.cards._kernels.canonical import count_rows

        tables = self._tables(round)
        checked = self._checked(indices, tables.size)
        out = np.empty(len(checked), np.int64)
        count_rows(checked, tables, out)
        return out

    def _tables(self, round: int) -> IndexTables:
        if not -len(self.rounds) <= round < len(self.rounds):
            raise BadSetting(f"there is no round {round} in rounds {self.rounds}: they are 0 to {len(self.rounds) - 1}")
        return _tables(self.rounds[: round % len(self.rounds) + 1], self.ranks, self.suits)

    def _round_of(self, cards: np.ndarray, round: int | None) -> int:
        if np.ndim(cards) != 2:
            raise BadCards(f"hands are rows of cards, an array [n, cards]; got one of {np.ndim(cards)} dimensions")
        width, ends = cards.shape[1], list(accumulate(self.rounds))
        if round is None:
            if width not in ends:
                sizes = " or ".join(map(str, ends))
                raise BadCards(f"a hand of rounds {self.rounds} has {sizes} cards, got {width}")
            return ends.index(width)
        if -len(ends) <= round < len(ends) and width < ends[round]:
            raise BadCards(f"round {round} of rounds {self.rounds} needs {ends[round]} cards, got {width}")
        return round

    def _bytes(self, cards: np.ndarray) -> np.ndarray:
        if cards.dtype != np.uint8 and cards.size:
            if cards.dtype.kind not in "iu":
                raise BadCards(f"cards are whole numbers, not {cards.dtype.name}")
            wrong = (cards < 0) | (cards >= self.ranks * self.suits)
            if wrong.any():
                row = int(np.argmax(wrong.any(axis=1)))
                raise BadCards(self._complaint(cards[row], row if len(cards) > 1 else None))
        return np.ascontiguousarray(cards, np.uint8)

    def _complaint(self, hand: np.ndarray, row: int | None) -> str:
        place = "" if row is None else f" in row {row}"
        deck = self.ranks * self.suits
        for position, card in enumerate(hand):
            if not 0 <= card < deck:
                return f"{card}{place} is not a card: the cards of this deck are 0 to {deck - 1}"
            if card in hand[:position]:
                name = FULL_DECK.name(int(card)) if (self.ranks, self.suits) == (13, 4) else str(card)
                return f"the card {name} comes twice{place}"
        return f"the hand{place} cannot be indexed"

    @staticmethod
    def _checked(indices: np.ndarray, size: int) -> np.ndarray:
        numbers = np.asarray(indices)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise BadSetting("indices of hands are an array [n] of whole numbers")
        wrong = (numbers < 0) | (numbers >= size)
        if wrong.any():
            raise BadSetting(f"there is no hand {numbers[wrong][0]}: they are numbered 0 to {size - 1}")
        return np.ascontiguousarray(numbers, np.int64)


# ---- building the tables -------------------------------------------------------------------------------------------


def canonical_boards(size: int) -> tuple[np.ndarray, np.ndarray]:
    """One board [n, size] of each suit-isomorphic set, and the number of boards it represents [n].

    Boards of equal count are adjacent, and the counts sum to all boards.

    >>> [len(canonical_boards(size)[0]) for size in (1, 2, 3)]
    [13, 169, 1755]
    """
    indexer = HandIndexer((size,))
    counts = indexer.counts(np.arange(indexer.size()))
    order = np.argsort(counts, kind="stable")
    return indexer.unindex_batch(order), counts[order]


def canonical_flops() -> list[tuple[tuple[int, ...], int]]:
    """The 1,755 flops up to suit isomorphism, in order, each with how many of the 22,100 it represents.

    The representative is the flop whose sorted card numbers come first.

    >>> [(FULL_DECK.text(flop), count) for flop, count in canonical_flops()[:2]]
    [('2c2d2h', 4), ('2c2d3c', 12)]
    """
    boards, counts = canonical_boards(3)
    renamings = list(permutations(range(4)))
    named = (
        min(tuple(sorted(card // 4 * 4 + names[card % 4] for card in flop)) for names in renamings)
        for flop in boards.tolist()
    )
    return sorted(zip(named, counts.tolist(), strict=True))


@cache
def _tables(rounds: tuple[int, ...], ranks: int, suits: int) -> IndexTables:
    from pokerlab.cards._kernels.canonical import IndexTables

    shape_count = prod(size + 1 for size in rounds)
    if shape_count * ranks >= 1 << min(20, 62 // suits):
        raise TooLarge(f"rounds {rounds} are too many to index; forget the order of some of them")
    digits = np.array(list(product(*(range(size + 1) for size in rounds))), np.int64)
    histories = [_history_count(shape, ranks) for shape in digits.tolist()]
    trie, blocks = _trie(rounds, digits, histories, suits)
    factors, repeats, sizes = _blocks(blocks, histories)
    total = sum(sizes)
    if max(histories) >= _MOST_HISTORIES or total >= _MOST_HANDS:
        raise TooLarge(f"there are {total} classes of hands of rounds {rounds}, too many to number")
    step_tables = [_steps(round_index, rounds, ranks) for round_index in range(len(rounds))]
    rises = [ranks * prod(size + 1 for size in rounds[:round_index]) for round_index in range(len(rounds))]
    binomials = [[comb(n, k) for k in range(ranks + 1)] for n in range(ranks + 1)]
    return IndexTables(
        size=total,
        ranks=ranks,
        suits=suits,
        ends=np.cumsum(rounds).astype(np.int64),
        swaps=_swaps(rounds),
        rises=np.repeat(np.array(rises, np.int64), rounds),
        step_starts=np.repeat(np.cumsum([0, *(table.size for table in step_tables[:-1])]), rounds),
        steps=np.concatenate([table.ravel() for table in step_tables]),
        trie=trie,
        offsets=np.cumsum([0, *sizes[:-1]]).astype(np.int64),
        factors=np.array(factors, np.int64),
        repeats=np.array(repeats, np.int64),
        shapes=np.array(blocks, np.int64),
        histories=np.array(histories, np.int64),
        digits=digits,
        binomials=np.array(binomials, np.int64),
    )


def _history_count(shape: Sequence[int], ranks: int) -> int:
    """In how many ways one suit can have this many ranks in each round."""
    before = [0, *accumulate(shape)]
    return prod(comb(ranks - seen, count) if seen <= ranks else 0 for seen, count in zip(before, shape, strict=False))


def _swaps(rounds: tuple[int, ...]) -> np.ndarray:
    """The compare-exchanges that sort each round, in order: [swap, 2]. Knuth's merge exchange, which needs few."""
    pairs: list[tuple[int, int]] = []
    for start, size in zip([0, *accumulate(rounds)], rounds, strict=False):
        half = (1 << (size - 1).bit_length()) >> 1
        block = half
        while block:
            distance, parity, span = block, 0, half
            while True:
                inside = range(size - distance)
                pairs += [(start + i, start + i + distance) for i in inside if i & block == parity]
                if span == block:
                    break
                distance, parity, span = span - block, block, span >> 1
            block >>= 1
    return np.array(pairs, np.uint32).reshape(-1, 2)


def _steps(round_index: int, rounds: tuple[int, ...], ranks: int) -> np.ndarray:
    """What a card of a round adds to the key of its suit, by shape so far and rank among the free ones: [shape, free].

    To the shape, one in the digit of the round. To the rank part, for the k-th lowest card of the round, binomial(free
    ranks below it plus the k - 1 lower cards, k), times the histories of the earlier rounds. The first round is the
    lowest digit of the row number, so that there are few rows in the first rounds.
    """
    from pokerlab.cards._kernels.canonical import SHAPE_SHIFT

    one_more = prod(size + 1 for size in rounds[round_index + 1 :]) << SHAPE_SHIFT
    table = []
    for this_round, *later_first in product(*(range(size + 1) for size in rounds[round_index::-1])):
        earlier = later_first[::-1]
        before = _history_count(earlier, ranks)
        frees = range(max(0, ranks - sum(earlier) - this_round))
        row = [one_more + before * comb(free + this_round, this_round + 1) for free in frees]
        table.append(row + [0] * (ranks - len(row)))
    return np.array(table, np.int64)


def _trie(
    rounds: tuple[int, ...], digits: np.ndarray, histories: list[int], suits: int
) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """The trie over ascending shapes of all suits but the last, and the blocks at its leaves as tuples of shapes."""
    nodes: list[np.ndarray] = []
    blocks: list[tuple[int, ...]] = []
    shape_count = len(digits)
    possible = np.array([count > 0 for count in histories])

    def grow(prefix: tuple[int, ...], remaining: np.ndarray) -> int | None:
        least = prefix[-1] if prefix else 0
        if len(prefix) == suits - 1:
            last = int(np.ravel_multi_index(tuple(remaining), tuple(size + 1 for size in rounds)))
            if last < least or not possible[last]:
                return None
            blocks.append((*prefix, last))
            return len(blocks) - 1
        node = np.full(shape_count, -1, np.int32)
        nodes.append(node)
        number = len(nodes) - 1
        if len(nodes) * shape_count > _MOST_TRIE:
            raise TooLarge(f"rounds {rounds} are too many to index; forget the order of some of them")
        fits = possible & (digits <= remaining).all(axis=1)
        for shape in np.flatnonzero(fits):
            if shape >= least:
                reached = grow((*prefix, int(shape)), remaining - digits[shape])
                node[shape] = -1 if reached is None else reached
        return number

    grow((), np.array(rounds))
    return np.array(nodes or [np.zeros(shape_count)], np.int32), blocks


def _blocks(blocks: list[tuple[int, ...]], histories: list[int]) -> tuple[list[list[int]], list[list[int]], list[int]]:
    """For each block the factor of each suit's number, how many earlier suits have its shape, and the block's size."""
    all_factors: list[list[int]] = [[] for _ in blocks]
    all_repeats: list[list[int]] = [[] for _ in blocks]
    sizes = [1] * len(blocks)
    for number, block in enumerate(blocks):
        for shape, length in sorted(Counter(block).items()):
            all_factors[number] += [sizes[number]] * length
            all_repeats[number] += range(length) if histories[shape] > 1 else [0] * length
            sizes[number] *= comb(histories[shape] + length - 1, length)
    return all_factors, all_repeats, sizes
