"""Potential-aware features: how often the next cards lead into each bucket of the next round.

Ganzfried and Sandholm, "Potential-aware imperfect-recall abstraction with earth mover's distance" (2014). A hand
reaches few of the next round's buckets, so only these are listed, with the number of deals that lead there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.feature import check_round, checked_hands
from pokerlab.abstraction.features.final_hands import chosen
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

_ROWS = 1 << 16  # hands of the next round per lookup


@dataclass(frozen=True, eq=False)
class BucketCounts:
    """For each hand the buckets that it reaches, ascending, and by how many deals."""

    starts: np.ndarray  # [hand + 1] int64: where the entries of each hand begin
    buckets: np.ndarray  # [entry] uint32
    counts: np.ndarray  # [entry] uint32: those of a hand add up to `ways`
    ways: int  # number of sets of next cards

    def dense(self, count: int) -> np.ndarray:
        """The same as probabilities over this many buckets: [hand, bucket] float32."""
        out = np.zeros((len(self.starts) - 1, count), np.float32)
        hands = np.repeat(np.arange(len(out)), np.diff(self.starts))
        out[hands, self.buckets] = (self.counts / float(self.ways)).astype(np.float32)
        return out


@dataclass(frozen=True, eq=False)
class NextBuckets:
    """The distribution over the buckets of the next round, given as its table."""

    name: ClassVar[str] = "next-buckets"
    table: np.ndarray  # [hand of the next round] unsigned: its bucket

    def of(self, cards: CardRounds, round: int, hands: np.ndarray) -> BucketCounts:
        """The distributions of hands [n, cards]: private cards first, then the board as dealt."""
        self._check(cards, round)
        hands = checked_hands(cards, round, hands)
        ways = _ways(cards, round)
        step = max(1, _ROWS // ways)
        pieces = [self._counted(cards, round, hands[start : start + step]) for start in range(0, len(hands), step)]
        return _joined(pieces, ways)

    def every(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> BucketCounts:
        """The distributions of all hands of a round, in index order."""
        blocks = self.blocks(cards, round, threads=threads, watch=watch)
        return _joined([counts for _, counts in blocks], _ways(cards, round))

    def blocks(
        self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT
    ) -> Iterator[tuple[np.ndarray, BucketCounts]]:
        """The indices of hands [m] int64 and their distributions, block by block in order."""
        self._check(cards, round)
        total = cards.hands(round)
        step = max(1, _ROWS // _ways(cards, round))

        def block(start: int) -> tuple[np.ndarray, BucketCounts]:
            indices = np.arange(start, min(start + step, total))
            return indices, self._counted(cards, round, cards.indexer(round).unindex_batch(indices))

        for indices, counts in parallel.run(block, range(0, total, step), workers=threads):
            yield indices, counts
            watch.at("", int(indices[-1]) + 1, total)

    def _counted(self, cards: CardRounds, round: int, hands: np.ndarray) -> BucketCounts:
        from pokerlab.abstraction.features._kernels.next_buckets import count_buckets, deal_next

        size = cards.private + cards.boards[round]
        more = cards.boards[round + 1] - cards.boards[round]
        added = chosen(cards.deck.size - size, more)
        rows = np.empty((len(hands) * len(added), size + more), np.uint8)
        deal_next(hands, cards.deck.size, added, rows)
        reached = self.table[cards.index(round + 1, rows)].astype(np.uint32)
        starts = np.zeros(len(hands) + 1, np.int64)
        buckets, counts = np.empty_like(reached), np.empty_like(reached)
        count = count_buckets(reached, len(added), starts, buckets, counts)
        return BucketCounts(starts, buckets[:count].copy(), counts[:count].copy(), len(added))

    def _check(self, cards: CardRounds, round: int) -> None:
        check_round(cards, round)
        if round == cards.rounds - 1:
            raise BadSetting(f"round {round} is the last one of this game, and no buckets come after it")
        if self.table.shape != (cards.hands(round + 1),):
            raise BadSetting(
                f"round {round + 1} has {cards.hands(round + 1):,} hands, and this is a table of {self.table.size:,}"
            )


def _ways(cards: CardRounds, round: int) -> int:
    left = cards.deck.size - cards.private - cards.boards[round]
    return comb(left, cards.boards[round + 1] - cards.boards[round])


def _joined(pieces: list[BucketCounts], ways: int) -> BucketCounts:
    """Concatenate pieces."""
    if not pieces:
        return BucketCounts(np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint32), ways)
    ends = np.cumsum([0, *(len(piece.buckets) for piece in pieces)])
    starts = [piece.starts[:-1] + end for piece, end in zip(pieces, ends, strict=False)]
    return BucketCounts(
        np.concatenate([*starts, ends[-1:]]),
        np.concatenate([piece.buckets for piece in pieces]),
        np.concatenate([piece.counts for piece in pieces]),
        ways,
    )
