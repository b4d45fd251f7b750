"""Potential-aware features: how often the next cards lead into each bucket of the next round.

Ganzfried and Sandholm, "Potential-aware imperfect-recall abstraction with earth mover's distance" (2014). A hand
reaches few of the next round's buckets, so only these are listed, with the number of deals that lead there.
"""

from __future__ import annotations

from math import comb

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.buckets import RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.transport import Distributions
from pokerlab.abstraction.features.feature import check_round
from pokerlab.abstraction.features.run_outs import extended
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

_ROWS = 1 << 16  # hands of the next round per lookup


def next_buckets(
    following: RoundBuckets, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT
) -> Distributions:
    """For each hand of a round, in index order, the buckets of the next round, ascending, and the deals into each."""
    from pokerlab.abstraction.features._kernels.sums import count_buckets

    check_round(cards, round)
    if round == cards.rounds - 1:
        raise BadSetting(f"round {round} is the last one of this game, and no buckets come after it")
    table = following.table
    if table is None or table.shape != (cards.hands(round + 1),):
        size = 0 if table is None else table.size
        raise BadSetting(f"round {round + 1} has {cards.hands(round + 1):,} hands, and this is a table of {size:,}")
    total, added = cards.hands(round), cards.boards[round + 1] - cards.boards[round]
    deals = comb(cards.deck.size - cards.private - cards.boards[round], added)
    step = max(1, _ROWS // deals)

    def count_block(start: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How many buckets each hand of a block reaches, which, and by how many deals."""
        hands = cards.indexer(round).unindex_batch(np.arange(start, min(start + step, total)))
        reached = table[cards.index(round + 1, extended(hands, cards.deck.size, added))].astype(np.uint32)
        starts = np.zeros(len(hands) + 1, np.int64)
        buckets, counts = np.empty_like(reached), np.empty_like(reached)
        entries = count_buckets(reached, deals, starts, buckets, counts)
        return np.diff(starts), buckets[:entries].copy(), counts[:entries].copy()

    blocks, done = [], 0
    for block in parallel.run(count_block, range(0, total, step), workers=threads):
        blocks.append(block)
        done += len(block[0])
        watch.at("", done, total)
    lengths, buckets, counts = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return Distributions(np.concatenate([[0], np.cumsum(lengths)]), buckets, counts, following.count)
