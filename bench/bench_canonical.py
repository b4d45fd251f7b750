"""Suit-canonical index: hands a second, one thread."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, interleaved
from pokerlab.cards.canonical import HandIndexer

HANDS = 500_000
REFERENCE_PER_SECOND = 7e6  # the reference C library's (2, 3, 1, 1) index on a machine like this one
ROUNDS = [(2, 3, 1, 1), (2, 5), (2, 3), (7,)]


def measure() -> Iterator[Row]:
    """Random hands, indexed and unindexed in one batch."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (HANDS, 1))
    cards = np.random.default_rng(1).permuted(deck, axis=1)[:, :7]
    contenders = {}
    for rounds in ROUNDS:
        indexer, hands = HandIndexer(rounds), np.ascontiguousarray(cards[:, : sum(rounds)])
        contenders[f"index {rounds}"] = partial(indexer.index_batch, hands)
        contenders[f"unindex {rounds}"] = partial(indexer.unindex_batch, indexer.index_batch(hands))
    for what, seconds in interleaved(contenders, repeats=7).items():
        against = what == "index (2, 3, 1, 1)"
        yield Row(
            what,
            ours=HANDS / seconds,
            theirs=REFERENCE_PER_SECOND if against else None,
            peer="reference C library (stated)" if against else "",
            unit="/s",
            asked=1 if against else None,
        )
