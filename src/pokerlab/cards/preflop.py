"""The complete preflop tables: every hand against every hand over all boards, exact and computed from scratch.

Suit-isomorphic boards are evaluated once: 134,459 five-card boards represent 2,598,960. On each board all hands are
compared with all hands; the counts are then averaged over the 24 renamings of suits, which is exact. `board_size=5` is
hold'em; `board_size=3` is flop poker, where two hole cards and a flop make the hand.

The hold'em table ships with the package as the wins of one pair of hands of each suit-isomorphic kind (bench/
preflop_table.py made the file). Tables are expanded or computed once, saved in the store, and memory-mapped after that.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path

import numpy as np

from pokerlab import parallel, store
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, COMBOS, renamed_combos
from pokerlab.cards.strength import HIGH
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

SHIPPED = Path(__file__).parent / "preflop.table"
PACKED_KIND = "packed preflop table"
_EDITION = 1
_BATCH = 128  # boards per comparison, few enough for the cache


@dataclass(frozen=True, eq=False)
class PreflopTable:
    """Counts over all boards; 0 for hands that share a card."""

    board_size: int
    wins: np.ndarray  # [1326, 1326] int32: boards on which the row's hand beats the column's
    ties: np.ndarray  # [1326, 1326] int32
    class_wins: np.ndarray  # [169, 169] int64: summed over the hands of both classes
    class_ties: np.ndarray  # [169, 169] int64
    class_pairs: np.ndarray  # [169, 169] int64: number of disjoint pairs of hands

    @property
    def boards(self) -> int:
        """The number of boards for two hands."""
        return comb(48, self.board_size)

    @property
    def class_win(self) -> np.ndarray:
        """Probability that the row's class beats the column's: [169, 169]."""
        return np.asarray(self.class_wins / (self.class_pairs * self.boards))

    @property
    def class_tie(self) -> np.ndarray:
        """Probability that the two classes tie: [169, 169]."""
        return np.asarray(self.class_ties / (self.class_pairs * self.boards))

    @property
    def class_lose(self) -> np.ndarray:
        """Probability that the row's class loses to the column's: [169, 169]."""
        return self.class_win.T

    def equity(self) -> np.ndarray:
        """The row's share of the pot for every two hands, [1326, 1326]; 0 if they share a card."""
        return np.asarray((self.wins + self.ties / 2) / self.boards)

    def against_random(self) -> tuple[np.ndarray, np.ndarray]:
        """The probabilities that each class wins and ties against two random cards: [169] each."""
        pairs = self.class_pairs.sum(1) * self.boards
        return self.class_wins.sum(1) / pairs, self.class_ties.sum(1) / pairs


def preflop_table(board_size: int = 5, *, watch: Watch = SILENT) -> PreflopTable:
    """The table for five-card boards or three-card flops, from the store or computed now (seconds)."""
    if board_size not in (3, 5):
        raise BadSetting(f"preflop tables are for boards of 3 or 5 cards, not {board_size}")
    saved = store.computed(
        f"preflop-{board_size}",
        lambda: shipped() if board_size == 5 else compute(board_size, watch=watch),
        kind="preflop table",
        edition=_EDITION,
        board_size=board_size,
    )
    return PreflopTable(board_size=board_size, **saved.arrays)


def is_saved(board_size: int = 5) -> bool:
    """Whether the table is in the store already."""
    return store.has(f"preflop-{board_size}", edition=_EDITION)


@cache
def fits() -> np.ndarray:
    """Which hands are disjoint: [1326, 1326] bool, read-only."""
    shared = (COMBOS[:, None, :, None] == COMBOS[None, :, None, :]).any((2, 3))
    disjoint = np.asarray(~shared)
    disjoint.setflags(write=False)
    return disjoint


def compute(board_size: int, *, watch: Watch = SILENT, workers: int | None = None) -> dict[str, np.ndarray]:
    """The arrays of a table, computed on all cores; the result does not depend on the number of cores."""
    boards, counts = canonical_boards(board_size)
    chunks = list(chunks_of_boards(counts, 16 * _BATCH))
    summed = np.zeros((COMBO_COUNT, COMBO_COUNT), np.int32)

    results = parallel.run(
        lambda chunk: _wins(boards[chunk], int(counts[chunk.start])), chunks, workers=workers, cancel=watch.cancel
    )
    for chunk, wins in zip(chunks, results, strict=True):
        summed += wins
        watch.at("counting", chunk.stop, len(boards))
    total = np.zeros_like(summed)
    for suits in permutations(range(4)):  # from representative boards to all: the average over renamings of suits
        renamed = renamed_combos(suits)
        total += summed[np.ix_(renamed, renamed)]
    assert not (total % 24).any()
    return _arrays(total // 24, board_size)


def shipped() -> dict[str, np.ndarray]:
    """The arrays of the hold'em table, from the file that ships with the package."""
    wins = np.frombuffer(zlib.decompress(store.load(SHIPPED, kind=PACKED_KIND).arrays["wins"].tobytes()), np.int32)
    return _arrays(wins[isomorphic_pairs()[1]], 5)


def isomorphic_pairs() -> tuple[np.ndarray, np.ndarray]:
    """One ordered pair of hands of each suit-isomorphic kind [kind], and the kind of every pair [1326, 1326].

    A pair is the number 1326 * first + second; the smallest of its renamings represents it.
    """
    smallest = np.full((COMBO_COUNT, COMBO_COUNT), COMBO_COUNT**2, np.int32)
    for suits in permutations(range(4)):
        renamed = renamed_combos(suits).astype(np.int32)
        np.minimum(smallest, COMBO_COUNT * renamed[:, None] + renamed, out=smallest)
    pairs, kinds = np.unique(smallest, return_inverse=True)
    return pairs, kinds.reshape(smallest.shape)


def _arrays(wins: np.ndarray, board_size: int) -> dict[str, np.ndarray]:
    possible = fits()
    wins = np.where(possible, wins, np.int32(0))
    ties = np.where(possible, np.int32(comb(48, board_size)) - wins - wins.T, np.int32(0))
    return {
        "wins": wins,
        "ties": ties,
        "class_wins": _by_class(wins),
        "class_ties": _by_class(ties),
        "class_pairs": _by_class(possible),
    }


def chunks_of_boards(counts: np.ndarray, most: int) -> Iterator[slice]:
    """Units of work of at most this many boards, which have the same count."""
    ends = [*np.flatnonzero(np.diff(counts)) + 1, len(counts)]
    start = 0
    for end in map(int, ends):
        for first in range(start, end, most):
            yield slice(first, min(first + most, end))
        start = end


def _wins(boards: np.ndarray, count: int) -> np.ndarray:
    from pokerlab.cards._kernels.board import add_wins, all_board_strengths, dense_ranks

    tables = HIGH().tables(boards.shape[1] + 2)
    nothing_dead = np.zeros(52, np.bool_)
    wins = np.zeros((COMBO_COUNT, COMBO_COUNT), np.int32)
    strengths = np.empty((_BATCH, COMBO_COUNT), np.uint16)
    ranks = np.empty((_BATCH, COMBO_COUNT), np.uint8)
    for start in range(0, len(boards), _BATCH):
        batch = boards[start : start + _BATCH]
        rows = strengths[: len(batch)]
        all_board_strengths(batch, nothing_dead, tables, rows)
        dense_ranks(rows, ranks[: len(batch)])
        add_wins(ranks[: len(batch)], np.int32(count), wins)
    return wins


def _by_class(counts: np.ndarray) -> np.ndarray:
    """Sums over the hands of both classes; integers far below 2**53, so float sums are exact."""
    member = np.zeros((CLASS_COUNT, COMBO_COUNT))
    member[COMBO_CLASS, np.arange(COMBO_COUNT)] = 1
    return np.asarray((member @ counts @ member.T).astype(np.int64))
