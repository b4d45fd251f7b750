"""Suit-canonical index: hands a second, one thread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from bench import Row
from pokerlab.cards.canonical import HandIndexer

HANDS = 500_000
QUICK = {"HANDS": 1000}
REFERENCE_PER_SECOND = 7e6  # the reference C library's (2, 3, 1, 1) index on a machine like this one
ROUNDS = [(2, 3, 1, 1), (2, 5), (2, 3), (7,)]


def cpu_seconds(function: Callable[[], object]) -> float:
    """CPU seconds of this thread in one call: the stated rate was not taken in this run, and others may be running."""
    began = time.thread_time()
    function()
    return time.thread_time() - began


def measure() -> Iterator[Row]:
    """Random hands, indexed and unindexed in one batch; medians of CPU time."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (HANDS, 1))
    cards = np.random.default_rng(1).permuted(deck, axis=1)[:, :7]
    for rounds in ROUNDS:
        indexer, hands = HandIndexer(rounds), np.ascontiguousarray(cards[:, : sum(rounds)])
        indices = indexer.index_batch(hands)
        forth = statistics.median(cpu_seconds(partial(indexer.index_batch, hands)) for _ in range(9))
        against = rounds == (2, 3, 1, 1)
        yield Row(
            f"index {rounds}",
            ours=HANDS / forth,
            theirs=REFERENCE_PER_SECOND if against else None,
            peer="reference C library (stated)" if against else "",
            asked=1 if against else None,
        )
        indexer.unindex_batch(indices)
        back = statistics.median(cpu_seconds(partial(indexer.unindex_batch, indices)) for _ in range(5))
        yield Row(f"unindex {rounds}", ours=HANDS / back)
